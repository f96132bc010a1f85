// What a result rests on: program, inputs by hash, seeds, the scenario, and every cost with where it comes from.
#include <array>
#include <utility>

#include "analysis/report_sources.hpp"
#include "analysis/text_layout.hpp"
#include "system/json_print.hpp"

namespace vecusim::report {
namespace {

using json::Node;

constexpr std::array<std::string_view, 4> kProvenances = {"cited", "measured", "estimated", "fitted"};

/// A value as short as it goes, a law by its model and its numbers.
std::string value_text(const Node& cost) {
  const Node& value = member(cost, "value");
  if (value.is_number()) return digits(value.as_double());
  const Node& law = member(cost, "law");
  std::string text = text_of(law, "model");
  for (const json::Member& parameter : law.members) {
    if (parameter.key == "model") continue;
    const auto [name, unit] = name_and_unit(parameter.key);
    const std::string number = parameter.value.is_number() ? digits(parameter.value.as_double())
                                                           : count_of(parameter.value.items.size(), "value", "values");
    text.append(", ").append(name).append(" ").append(number);
    if (!unit.empty()) text.append(" ").append(unit);
  }
  return text;
}

std::string range_text(const Node& cost) {
  const auto range = interval_of(cost, "range");
  return range ? digits(range->lo) + " … " + digits(range->hi) : "";
}

Part costs_part(const std::string& id, const Node& costs) {
  Part part("table", id + "-costs", "Costs of the models",
            {{"name", "cost"},
             {"value", "value"},
             {"unit", "unit"},
             {"range", "credible range"},
             {"provenance", "provenance"},
             {"source", "source"}});
  part.set("folded", Node::boolean(true));
  for (const json::Member& cost : costs.members) {
    part.row({Node::string(cost.key), Node::string(value_text(cost.value)), Node::string(text_of(cost.value, "unit")),
              Node::string(range_text(cost.value)), Node::string(text_of(cost.value, "provenance")),
              Node::string(text_of(cost.value, "source"))});
  }
  return part;
}

Part provenances_part(const std::string& id, const Node& costs) {
  Part part(
      "stacks", id + "-provenance-bar", "Where the costs come from",
      {{"of", "of"}, {"cited", "cited"}, {"measured", "measured"}, {"estimated", "estimated"}, {"fitted", "fitted"}});
  std::vector<Node> cells = {Node::string("costs")};
  Node stack = Node::array();
  for (const std::string_view provenance : kProvenances) {
    std::size_t n = 0;
    for (const json::Member& cost : costs.members) n += text_of(cost.value, "provenance") == provenance ? 1 : 0;
    cells.push_back(Node::integer(n));
    stack.push_back(Node::string(std::string(provenance)));
  }
  part.row(std::move(cells));
  part.set("stack", std::move(stack));
  part.set("axis", Node::string("costs"));
  part.note(
      "Cited: printed in its source. Measured: by the user's own bench. Estimated: by an engineer, so vary it "
      "before relying on what follows from it. Fitted: chosen so that certain measured rows come out.");
  return part;
}

Part run_part(const Document& document) {
  Part part("facts", document.id + "-run", "The run", {{"what", "what"}, {"is", "is"}});
  const Node& content = document.content;
  const auto row = [&](std::string_view what, std::string is) {
    part.row({Node::string(std::string(what)), Node::string(std::move(is))});
  };
  row("file", document.path);
  row("program", "vecusim " + text_of(content, "version"));
  row("seed", text_of(content, "seed"));
  row("replications", text_of(content, "replications"));
  row("simulated", digits(number_of(content, "simulated_s").value_or(0.0)) + " s");
  row("events", whole(member(content, "events").as_uint64().value_or(0)));
  if (document.in_file) row("repeat it", "vecusim run " + document.path);
  return part;
}

Part scenario_part(const Document& document) {
  Part part("document", document.id + "-scenario", "The scenario with all defaults", {});
  Node scenario = member(document.content, "scenario");
  scenario.erase("costs");
  part.set("text", Node::string(json::pretty(scenario)));
  part.note("Without its costs, which are in the table above.");
  return part;
}

}  // namespace

Part inputs_part(const std::string& id, const Node& inputs) {
  Part part("table", id + "-inputs", "Inputs", {{"name", "input"}, {"sha256", "SHA-256"}});
  for (const Node& input : inputs.items) {
    part.row({Node::string(text_of(input, "name")), Node::string(text_of(input, "sha256"))});
  }
  return part;
}

void add_costs(Section& section, const std::string& id, const Node& costs) {
  section.add(provenances_part(id, costs));
  section.add(costs_part(id, costs));
}

Section provenance_section(const Document& document) {
  Section section(document.id + "-provenance", "Assumptions and provenance");
  section.say(
      "Whatever the scenario does not describe is not in the result: no other drivers, no thermal throttling, "
      "no firmware. This is not a qualified tool; its results are predictions.");
  section.add(run_part(document));
  section.add(inputs_part(document.id, member(document.content, "inputs")));
  add_costs(section, document.id, member(member(document.content, "scenario"), "costs"));
  section.add(scenario_part(document));
  return section;
}

}  // namespace vecusim::report
