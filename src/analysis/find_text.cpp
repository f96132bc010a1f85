// A search as document and as text.
#include <algorithm>
#include <array>
#include <utility>

#include "analysis/find.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

using json::Node;

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kVerdicts = {
    {{"met", "meets it"}, {"unsure", "noise"}, {"unmet", "does not"}}};

Node optional(const std::optional<double>& value) { return value ? Node::floating(*value) : Node{}; }

Node to_json(const Probe& probe) {
  Node node = Node::object();
  node.set("value", probe.value.value);
  node.set("replications", Node::integer(probe.replications));
  node.set("figure", optional(probe.figure));
  node.set("ci95", probe.interval
                       ? Node::array({Node::floating(probe.interval->lo), Node::floating(probe.interval->hi)})
                       : Node{});
  node.set("verdict", Node::string(std::string(kVerdicts[static_cast<std::size_t>(probe.verdict)].first)));
  return node;
}

std::string figure_of(const Probe& probe) {
  if (!probe.figure) return "unknown";
  std::string text = four_digits(*probe.figure);
  if (probe.interval) text += " (" + four_digits(probe.interval->lo) + " … " + four_digits(probe.interval->hi) + ")";
  return text;
}

/// Where nothing surely meets the limit.
std::string never(const Search& search, const std::string& range) {
  const auto none = [](const Probe& probe) { return probe.verdict == Verdict::unmet; };
  const std::string& what = search.limit.text;
  if (std::all_of(search.probes.begin(), search.probes.end(), none)) return "Nothing " + range + " meets " + what + ".";
  if (!search.first_unmet) return "Whether anything " + range + " meets " + what + ", more replications would tell.";
  const Probe& unmet = search.probes[*search.first_unmet];
  return "Nothing " + range + " surely meets " + what + "; " + (search.ascending ? "from " : "down from ") +
         unmet.value.text + " on it does not: " + figure_of(unmet) + ". Of the rest, more replications would tell.";
}

std::string answer(const Search& search) {
  const std::string& what = search.limit.text;
  const std::string range = "from " + search.probes.front().value.text + " to " + search.probes.back().value.text;
  if (!search.last_met) return never(search, range);
  const Probe& met = search.probes[*search.last_met];
  const std::string reach = (search.ascending ? "Up to " : "Down to ") + met.value.text + " it meets " + what;
  if (!search.first_unmet) {
    const auto sure = [](const Probe& probe) { return probe.verdict == Verdict::met; };
    const bool all = std::all_of(search.probes.begin(), search.probes.end(), sure);
    return all ? "All " + range + " meets " + what + "." : reach + "; beyond, noise leaves it open.";
  }
  const Probe& unmet = search.probes[*search.first_unmet];
  std::string text =
      reach + ": " + figure_of(met) + "; from " + unmet.value.text + " on it does not: " + figure_of(unmet) + ".";
  const std::size_t between = *search.last_met > *search.first_unmet ? *search.last_met - *search.first_unmet
                                                                     : *search.first_unmet - *search.last_met;
  if (between > 1) text += " In between, more replications would tell.";
  return text;
}

/// The bisection rests on a figure that goes one way.
std::string not_monotone(const Search& search) {
  if (!search.met_beyond) return {};
  return " But " + search.probes[*search.met_beyond].value.text +
         " meets it again: the figure does not go one way, so there may be more cliffs than this one.";
}

}  // namespace

json::Node to_json(const Search& search) {
  Node probes = Node::array();
  for (const Probe& probe : search.probes) probes.push_back(to_json(probe));
  const auto value = [&](const std::optional<std::size_t>& at) { return at ? search.probes[*at].value.value : Node{}; };
  return Node::object({{"schema", Node::string("vecusim/search/1")},
                       {"pointer", Node::string(search.span.pointer)},
                       {"meets", Node::string(search.limit.text)},
                       {"metric", Node::string(search.limit.path)},
                       {"last_met", value(search.last_met)},
                       {"first_unmet", value(search.first_unmet)},
                       {"met_beyond", value(search.met_beyond)},
                       {"probes", std::move(probes)}});
}

std::string to_text(const Search& search) {
  constexpr std::size_t kWidth = 80;
  std::size_t values = 5;
  std::size_t figures = search.limit.path.size();
  for (const Probe& probe : search.probes) {
    values = std::max(values, probe.value.text.size());
    figures = std::max(figures, figure_of(probe).size());
  }
  std::string text = wrapped(search.span.pointer + ": " + answer(search) + not_monotone(search), kWidth, 0) + "\n\n";
  text += flush_right("value", values) + "  replications  " + search.limit.path + "\n";
  for (const Probe& probe : search.probes) {
    text += flush_right(probe.value.text, values) + "  " + flush_right(std::to_string(probe.replications), 12) + "  " +
            flush_left(figure_of(probe), figures) + "  " +
            std::string(kVerdicts[static_cast<std::size_t>(probe.verdict)].second) + "\n";
  }
  return text;
}

}  // namespace vecusim
