// Sensitivities as document and as tornado.
#include <cmath>

#include "analysis/sensitivity.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

using json::Node;

Node number(double value) { return Node::floating(std::round(value * 1e6) / 1e6); }

Node to_json(const Effect& effect) {
  return Node::object({{"change_us", number(effect.change)},
                       {"interval95", Node::array({number(effect.interval95.lo), number(effect.interval95.hi)})}});
}

std::string_view word_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::cited:
      return "cited";
    case Provenance::measured:
      return "measured";
    case Provenance::estimated:
      return "estimated";
    case Provenance::fitted:
      break;
  }
  return "fitted";
}

std::string signed_digits(double value) { return (value > 0.0 ? "+" : "") + four_digits(value); }

}  // namespace

json::Node to_json(const Sensitivity& sensitivity) {
  Node costs = Node::array();
  for (const CostEffect& cost : sensitivity.costs) {
    costs.push_back(
        Node::object({{"name", Node::string(cost.name)},
                      {"unit", Node::string(cost.unit)},
                      {"value", Node::floating(cost.value)},
                      {"range", Node::array({Node::floating(cost.range.lo), Node::floating(cost.range.hi)})},
                      {"provenance", Node::string(std::string(word_of(cost.provenance)))},
                      {"source", Node::string(cost.source)},
                      {"at_lo", to_json(cost.at_lo)},
                      {"at_hi", to_json(cost.at_hi)},
                      {"swing_us", number(cost.swing())}}));
  }
  Node interactions = Node::array();
  for (const Interaction& pair : sensitivity.interactions) {
    Node node = to_json(pair.beyond);
    node.set("first", Node::string(pair.first));
    node.set("second", Node::string(pair.second));
    interactions.push_back(std::move(node));
  }
  Node laws = Node::array();
  for (const std::string& law : sensitivity.laws) laws.push_back(Node::string(law));
  return Node::object({{"schema", Node::string("vecusim/sensitivity/1")},
                       {"scenario", Node::string(sensitivity.scenario)},
                       {"interrupt", Node::string(sensitivity.interrupt)},
                       {"statistic", Node::string(std::string(name_of(sensitivity.statistic)))},
                       {"edges", Node::integer(sensitivity.edges)},
                       {"replications", Node::integer(sensitivity.replications)},
                       {"base_us", number(sensitivity.base_us)},
                       {"together_us", number(sensitivity.together_us())},
                       {"costs", std::move(costs)},
                       {"without_effect", Node::integer(sensitivity.without_effect)},
                       {"laws", std::move(laws)},
                       {"interactions", std::move(interactions)}});
}

std::string to_text(const Sensitivity& sensitivity, std::size_t most) {
  constexpr std::size_t kName = 30;
  constexpr std::size_t kNumber = 10;
  constexpr std::size_t kWidth = 80;
  constexpr std::size_t kBar = 16;
  const std::string name{name_of(sensitivity.statistic)};
  std::string text = "what " + name + " of " + sensitivity.interrupt +
                     " rests on: " + four_digits(sensitivity.base_us) + " µs; each cost through its range alone\n";
  text += flush_left("cost", kName) + flush_right("at lo", kNumber) + flush_right("at hi", kNumber) + "  " +
          flush_left("swing", kBar) + "known as\n";
  double rest = 0.0;
  for (std::size_t i = 0; i < sensitivity.costs.size(); ++i) {
    const CostEffect& cost = sensitivity.costs[i];
    if (i >= most) {
      rest += 0.25 * cost.swing() * cost.swing();
      continue;
    }
    text += flush_left(cost.name, kName) + flush_right(signed_digits(cost.at_lo.change), kNumber) +
            flush_right(signed_digits(cost.at_hi.change), kNumber) + "  " +
            flush_left(bar(cost.swing() / sensitivity.costs.front().swing(), kBar - 1), kBar) +
            std::string(word_of(cost.provenance)) + "\n";
  }
  std::string more;
  if (sensitivity.costs.size() > most) {
    more = std::to_string(sensitivity.costs.size() - most) + " more costs, together ±" + four_digits(std::sqrt(rest)) +
           " µs; ";
  }
  more += "all together ±" + four_digits(sensitivity.together_us()) +
          " µs if their ranges are independent. To know more, measure the first of them. Not varied: " +
          std::to_string(sensitivity.laws.size()) + " laws, which have no range.";
  text += wrapped(more, kWidth, 0) + "\n";
  for (const Interaction& pair : sensitivity.interactions) {
    text += wrapped(pair.first + " and " + pair.second + " together: " + signed_digits(pair.beyond.change) +
                        " µs beyond the sum of both.",
                    kWidth, 2) +
            "\n";
  }
  return text;
}

}  // namespace vecusim
