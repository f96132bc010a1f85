// A result as columns: the numbers of its document by their paths.
#include <algorithm>
#include <array>

#include "analysis/result.hpp"

namespace vecusim {
namespace {

using json::Node;

/// What a row of a table does not repeat.
bool left_out(std::string_view key) {
  constexpr std::array<std::string_view, 4> kLeftOut = {"scenario", "inputs", "replications", "histogram"};
  return std::find(kLeftOut.begin(), kLeftOut.end(), key) != kLeftOut.end();
}

/// Lists of objects are by name, lists of two are intervals; texts are no numbers.
void collect(const Node& node, const std::string& path, std::vector<Column>& columns) {
  const auto below = [&](std::string_view key) {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
  };
  for (const json::Member& member : node.members) {
    if (left_out(member.key)) continue;
    if (member.key == "ci95") {
      for (const json::Member& interval : member.value.members) {
        const std::string bounds = below("ci95") + "." + interval.key;
        const bool known = !interval.value.items.empty();
        columns.push_back({bounds + ".lo", known ? interval.value.items[0] : Node{}});
        columns.push_back({bounds + ".hi", known ? interval.value.items[1] : Node{}});
      }
      continue;
    }
    switch (member.value.kind) {
      case json::Kind::object:
        collect(member.value, below(member.key), columns);
        break;
      case json::Kind::array:
        for (const Node& item : member.value.items) {
          const Node* name = item.find("name");
          // Stages stand below their interrupt, interrupts and domains below their list.
          collect(item, below(member.key) + "." + (name != nullptr ? name->text : std::string{}), columns);
        }
        break;
      case json::Kind::string:
        break;
      default:
        columns.push_back({below(member.key), member.value});
    }
  }
}

}  // namespace

std::vector<Column> to_columns(const Result& result) {
  std::vector<Column> columns;
  collect(to_json(result), {}, columns);
  return columns;
}

}  // namespace vecusim
