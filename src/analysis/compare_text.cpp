// A comparison as document and as text.
#include <algorithm>
#include <cmath>

#include "analysis/compare.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

using json::Node;

constexpr std::size_t kWidth = 80;

Node to_json(const ComparedLatency& latency);
Node to_json(const ComparedFlow& flow);
Node to_json(const std::string& text) { return Node::string(text); }

Node to_json(const std::optional<bool>& met) { return met ? Node::boolean(*met) : Node{}; }

Node to_json(const Difference& difference) {
  Node node = Node::object({{"name", Node::string(difference.figure)},
                            {"before", Node::floating(difference.before)},
                            {"after", Node::floating(difference.after)},
                            {"change", Node::floating(difference.change())}});
  const auto& interval = difference.interval95;
  node.set("interval95", interval ? Node::array({Node::floating(interval->lo), Node::floating(interval->hi)}) : Node{});
  node.set("shown", difference.interval95 ? Node::boolean(difference.shown()) : Node{});
  return node;
}

Node to_json(const TwoSampleOutcome& outcome) {
  if (!outcome.test) return Node::object({{"refused", Node::string(outcome.refusal)}});
  const TwoSampleTest& test = *outcome.test;
  return Node::object({{"ks_distance", Node::floating(test.ks.distance)},
                       {"ks_p_value", Node::floating(test.ks.p_value)},
                       {"wasserstein_us", Node::floating(test.wasserstein_us)},
                       {"wasserstein_interval95", Node::array({Node::floating(test.wasserstein_interval95.lo),
                                                               Node::floating(test.wasserstein_interval95.hi)})},
                       {"wasserstein_p_value", Node::floating(test.wasserstein_p_value)}});
}

template <class T>
Node list(const std::vector<T>& items) {
  Node nodes = Node::array();
  for (const T& item : items) nodes.push_back(to_json(item));
  return nodes;
}

Node to_json(const ComparedLatency& latency) {
  Node node = Node::object({{"name", Node::string(latency.name)},
                            {"n_before", Node::integer(latency.n_before)},
                            {"n_after", Node::integer(latency.n_after)},
                            {"figures", list(latency.figures)}});
  if (latency.verdict) {
    node.set("requirement", Node::object({{"met_before", to_json(latency.verdict->before)},
                                          {"met_after", to_json(latency.verdict->after)}}));
  }
  if (latency.requirement_gone) node.set("requirement_gone", Node::boolean(true));
  node.set("distributions", to_json(latency.distributions));
  return node;
}

Node to_json(const ComparedFlow& flow) {
  return Node::object({{"name", Node::string(flow.name)}, {"figures", list(flow.figures)}});
}

std::string word_of(const std::optional<bool>& met) { return !met ? "not known" : *met ? "met" : "not met"; }

std::string signed_digits(double value) { return (value > 0.0 ? "+" : "") + four_digits(value); }

std::string relative(const Difference& difference) {
  if (difference.before == 0.0) return "";
  return signed_digits(100.0 * difference.change() / difference.before) + " %";
}

std::string line(const Difference& difference) {
  std::string text = "  " + flush_left(difference.figure, 10) + flush_right(four_digits(difference.before), 9) + " → " +
                     flush_left(four_digits(difference.after), 9) + flush_right(relative(difference), 10) + "  ";
  if (!difference.interval95) return text + "no interval\n";
  text += signed_digits(difference.interval95->lo) + " … " + signed_digits(difference.interval95->hi);
  return text + (difference.shown() ? (difference.change() > 0.0 ? "  greater" : "  less") : "") + "\n";
}

std::string summary(const ComparedLatency& latency) {
  const auto shown = std::count_if(latency.figures.begin(), latency.figures.end(),
                                   [](const Difference& difference) { return difference.shown(); });
  if (shown > 0) return "";
  const auto mean = std::find_if(latency.figures.begin(), latency.figures.end(), [](const Difference& difference) {
    return difference.figure == "mean_us" && difference.interval95;
  });
  std::string text = "No difference that " + std::to_string(latency.n_before) + " and " +
                     std::to_string(latency.n_after) + " samples can show";
  if (mean == latency.figures.end()) return text + ": there are no intervals.";
  const double reach = 0.5 * (mean->interval95->hi - mean->interval95->lo);
  return text + "; one of the mean would have to be about " + four_digits(reach) + " µs.";
}

/// Nothing less than `floor` can be told.
std::string p_value(double p, double floor) { return p <= floor ? "p ≤ " + four_digits(floor) : "p " + four_digits(p); }

std::string distributions(const TwoSampleOutcome& outcome) {
  constexpr double kAsymptotic = 0.001;  // the law of the distance is that of large samples
  if (!outcome.test) return "D" + outcome.refusal.substr(1) + ".";
  const TwoSampleTest& test = *outcome.test;
  return "Distributions: Kolmogorov-Smirnov " + four_digits(test.ks.distance) + " (" +
         p_value(test.ks.p_value, kAsymptotic) + "), Wasserstein " + four_digits(test.wasserstein_us) + " µs (" +
         four_digits(test.wasserstein_interval95.lo) + " … " + four_digits(test.wasserstein_interval95.hi) + ", " +
         p_value(test.wasserstein_p_value, 1.0 / static_cast<double>(test.lots)) + ").";
}

std::string few(const ComparedLatency& latency) {
  if (latency.enough()) return "";
  return "Fewer than " + std::to_string(kLeastToCompare) + " samples: a gate judges none of these figures.";
}

std::string block(const ComparedLatency& latency) {
  std::string text = latency.name + " (n " + std::to_string(latency.n_before) + " and " +
                     std::to_string(latency.n_after) + "; change, and its 95 % interval in µs)\n";
  if (latency.verdict) {
    const bool changed = latency.verdict->before != latency.verdict->after;
    text += "  requirement: " + word_of(latency.verdict->before) +
            (changed ? " → " + word_of(latency.verdict->after) : "") + "\n";
  }
  if (latency.requirement_gone) text += "  requirement: gone\n";
  for (const Difference& difference : latency.figures) text += line(difference);
  for (const std::string& sentence : {summary(latency), few(latency), distributions(latency.distributions)}) {
    if (!sentence.empty()) text += "  " + wrapped(sentence, kWidth, 2, 2) + "\n";
  }
  return text + "\n";
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string only(const std::vector<std::string>& names, const std::string& side) {
  return names.empty() ? "" : wrapped("Only in " + side + ": " + joined(names) + ".", kWidth, 0) + "\n";
}

std::string plain_line(const Difference& difference) {
  return "  " + flush_left(difference.figure, 14) + flush_right(four_digits(difference.before), 9) + " → " +
         flush_left(four_digits(difference.after), 9) + flush_right(relative(difference), 10) + "\n";
}

std::string block(const ComparedFlow& flow) {
  std::string text = flow.name + " (frames; no intervals)\n";
  for (const Difference& difference : flow.figures) text += plain_line(difference);
  return text + "\n";
}

/// What is to be known of the intervals, and what cannot be compared.
std::string remarks(const Comparison& comparison) {
  std::string text = only(comparison.only_before, comparison.before) + only(comparison.only_after, comparison.after);
  const std::vector<std::string> missing = comparison.missing();
  if (!missing.empty()) {
    text += wrapped("Missing in " + comparison.after + ": " + joined(missing) + ".", kWidth, 0) + "\n";
  }
  if (!comparison.single.empty()) {
    text += wrapped("Of one replication: " + joined(comparison.single) +
                        ". Its intervals are of what varies within it, not from one to the next (run --reps).",
                    kWidth, 0) +
            "\n";
  }
  return text;
}

}  // namespace

json::Node to_json(const Comparison& comparison) {
  return Node::object({{"schema", Node::string("vecusim/comparison/1")},
                       {"before", Node::string(comparison.before)},
                       {"after", Node::string(comparison.after)},
                       {"worse", Node::boolean(comparison.worse())},
                       {"latency", list(comparison.latency)},
                       {"load", list(comparison.load)},
                       {"network", list(comparison.network)},
                       {"only_before", list(comparison.only_before)},
                       {"only_after", list(comparison.only_after)},
                       {"missing", list(comparison.missing())},
                       {"one_replication", list(comparison.single)}});
}

std::string to_text(const Comparison& comparison) {
  std::string text = wrapped(comparison.before + " → " + comparison.after, kWidth, 0) + "\n\n";
  for (const ComparedLatency& latency : comparison.latency) text += block(latency);
  if (!comparison.load.empty()) {
    text += "load in % of a pCPU (no intervals)\n";
    for (const Difference& load : comparison.load) text += plain_line(load);
    text += "\n";
  }
  for (const ComparedFlow& flow : comparison.network) text += block(flow);
  return text + remarks(comparison);
}

}  // namespace vecusim
