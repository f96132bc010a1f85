// Parts and sections as JSON, and the words that they share.
#include "analysis/report_parts.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <utility>

#include "analysis/text_layout.hpp"

namespace vecusim::report {

using json::Node;

Node verdict(std::string text, State state) {
  constexpr std::array<const char*, 3> kStates = {"good", "bad", "open"};
  return Node::object(
      {{"text", Node::string(std::move(text))}, {"state", Node::string(kStates[static_cast<std::size_t>(state)])}});
}

Node verdict(const std::optional<bool>& good, std::string_view yes, std::string_view no, std::string_view open) {
  if (!good) return verdict(std::string(open), State::open);
  return *good ? verdict(std::string(yes), State::good) : verdict(std::string(no), State::bad);
}

Node number(double value) {
  std::array<char, 32> text{};
  const auto printed = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
  double rounded = 0.0;
  std::from_chars(text.data(), printed.ptr, rounded);
  return Node::floating(rounded);
}

Node number(const std::optional<double>& value) { return value ? number(*value) : Node{}; }
Node us(Duration time) { return number(to_us(time)); }
Node us(const std::optional<Duration>& time) { return time ? us(*time) : Node{}; }

// ---- parts ----

Part::Part(std::string_view kind, std::string id, std::string title, std::vector<Column> columns)
    : node_(Node::object()), rows_(Node::array()) {
  node_.set("id", Node::string(std::move(id)));
  node_.set("kind", Node::string(std::string(kind)));
  node_.set("title", Node::string(std::move(title)));
  node_.set("note", Node::string(""));
  Node list = Node::array();
  for (Column& column : columns) {
    list.push_back(Node::object({{"key", Node::string(std::move(column.key))},
                                 {"title", Node::string(std::move(column.title))},
                                 {"unit", Node::string(std::move(column.unit))}}));
  }
  node_.set("columns", std::move(list));
}

Part& Part::note(std::string text) { return set("note", Node::string(std::move(text))); }

Part& Part::set(std::string key, Node value) {
  node_.set(std::move(key), std::move(value));
  return *this;
}

void Part::row(std::vector<Node> cells) {
  assert(cells.size() == node_.find("columns")->items.size());
  rows_.push_back(Node::array(std::move(cells)));
}

Node Part::take() {
  node_.set("rows", std::exchange(rows_, Node::array()));
  return std::move(node_);
}

Section::Section(std::string id, std::string title)
    : node_(Node::object({{"id", Node::string(std::move(id))}, {"title", Node::string(std::move(title))}})),
      text_(Node::array()),
      parts_(Node::array()) {}

Section& Section::say(std::string sentence) {
  text_.push_back(Node::string(std::move(sentence)));
  return *this;
}

void Section::add(Part part) { parts_.push_back(part.take()); }

Node Section::take() {
  node_.set("text", std::exchange(text_, Node::array()));
  node_.set("parts", std::exchange(parts_, Node::array()));
  return std::move(node_);
}

Node to_json(Source source) {
  Node answer = Node::array();
  for (std::string& sentence : source.answer) answer.push_back(Node::string(std::move(sentence)));
  Node sections = Node::array();
  for (Section& section : source.sections) sections.push_back(section.take());
  return Node::object({{"id", Node::string(std::move(source.id))},
                       {"file", Node::string(std::move(source.file))},
                       {"kind", Node::string(std::move(source.kind))},
                       {"title", Node::string(std::move(source.title))},
                       {"verdict", std::move(source.verdict)},
                       {"answer", std::move(answer)},
                       {"sections", std::move(sections)}});
}

std::string anchor(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      result += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (result.ends_with('-')) result.pop_back();
  return result.empty() ? "x" : result;
}

// ---- documents ----

const Node& member(const Node& node, std::string_view key) {
  static const Node kMissing;
  const Node* found = node.find(key);
  return found == nullptr ? kMissing : *found;
}

std::string text_of(const Node& node, std::string_view key) {
  const Node& found = member(node, key);
  return found.kind == json::Kind::string || found.is_number() ? found.text : std::string();
}

std::optional<double> number_of(const Node& node, std::string_view key) {
  const Node& found = member(node, key);
  return found.is_number() ? std::optional(found.as_double()) : std::nullopt;
}

std::optional<bool> truth_of(const Node& node, std::string_view key) {
  const Node& found = member(node, key);
  return found.kind == json::Kind::boolean ? std::optional(found.truth) : std::nullopt;
}

std::optional<Interval> interval_of(const Node& node, std::string_view key) {
  const Node& found = member(node, key);
  if (found.items.size() != 2 || !found.items[0].is_number() || !found.items[1].is_number()) return std::nullopt;
  return Interval{found.items[0].as_double(), found.items[1].as_double()};
}

NameAndUnit name_and_unit(std::string_view key) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kUnits = {{{"_us", "µs"},
                                                                                           {"_ms", "ms"},
                                                                                           {"_ns", "ns"},
                                                                                           {"_pct", "%"},
                                                                                           {"_ppm", "ppm"},
                                                                                           {"_mbps", "Mb/s"},
                                                                                           {"_mhz", "MHz"},
                                                                                           {"_pps", "frames/s"},
                                                                                           {"_per_s", "/s"}}};
  std::string unit;
  for (const auto& [ending, meaning] : kUnits) {
    if (!key.ends_with(ending)) continue;
    key.remove_suffix(ending.size());
    unit = meaning;
    break;
  }
  std::string name(key);
  // Percentiles are the one place where a figure's name has a fraction: p99_9.
  if (name.size() > 3 && name[0] == 'p' && name.find('_') != std::string::npos) name[name.find('_')] = '.';
  return {name, unit};
}

namespace {

/// Thousands of the digits from `begin` up to `point`.
std::string apart(std::string text, std::size_t begin, std::size_t point) {
  constexpr std::size_t kUngrouped = 4;
  if (point - begin <= kUngrouped) return text;
  for (std::size_t at = point; at > begin + 3;) {
    at -= 3;
    text.insert(at, "\u202f");
  }
  return text;
}

}  // namespace

std::string digits(double value) {
  const std::string text = four_digits(value);
  return apart(text, text.starts_with('-') ? 1 : 0, std::min(text.find('.'), text.size()));
}

std::string in_us(double us) { return digits(us) + " µs"; }

std::string whole(std::uint64_t n) {
  const std::string text = std::to_string(n);
  return apart(text, 0, text.size());
}

std::string count_of(std::uint64_t n, std::string_view one, std::string_view many) {
  return whole(n) + " " + std::string(n == 1 ? one : many);
}

}  // namespace vecusim::report
