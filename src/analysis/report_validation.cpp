// Predicted against measured: a validation's rows and a calibration's, fitted ones and predicted ones apart.
#include <algorithm>
#include <utility>

#include "analysis/report_sources.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim::report {
namespace {

using json::Node;

bool is_fitted(const Node& row) { return text_of(row, "role") == "fit"; }

std::string row_name(const Node& row) {
  const std::string of = text_of(row, "case");
  return (of.empty() ? "" : of + " / ") + text_of(row, "row");
}

/// "mean_us": "mean (µs)".
std::string figure_name(const std::string& key) {
  auto [name, unit] = name_and_unit(key);
  if (!unit.empty()) name.append(" (").append(unit).append(")");
  return name;
}

std::string role_name(const Node& row) { return is_fitted(row) ? "fitted" : "predicted"; }

/// "pass" or "fail" as what it says of the prediction.
Node agreement(const Node& row) {
  const std::string text = text_of(row, "verdict");
  if (text == "pass") return verdict("agrees", State::good);
  if (text == "fail") return verdict("misses", State::bad);
  return verdict(text.empty() ? "not judged" : text, State::open);
}

// ---- plots ----

/// Of each statistic what was predicted as a multiple of what was measured, with its interval.
Part ratios_part(const std::string& id, const std::vector<Node>& rows) {
  Part part("ratios", id + "-ratios", "Simulated over measured, figure by figure",
            {{"row", "row"},
             {"figure", "figure"},
             {"role", "role"},
             {"ratio", "simulated / measured"},
             {"lo", "95 % from"},
             {"hi", "to"},
             {"inside", "verdict"}});
  for (const Node& row : rows) {
    for (const Node& statistic : member(row, "statistics").items) {
      const auto measured = number_of(statistic, "measured");
      const auto predicted = number_of(statistic, "predicted");
      if (!measured || !predicted || *measured == 0.0) continue;
      const auto interval = interval_of(statistic, "interval95");
      part.row({Node::string(row_name(row)), Node::string(name_and_unit(text_of(statistic, "name")).name),
                Node::string(role_name(row)), number(*predicted / *measured),
                interval ? number(interval->lo / *measured) : Node{},
                interval ? number(interval->hi / *measured) : Node{},
                verdict(truth_of(statistic, "inside"), "inside", "outside", "not judged")});
    }
  }
  part.note(
      "At 1 the prediction is what was measured. The bar is where the figure of a further experiment of that size "
      "would lie with 95 % probability, by the model.");
  return part;
}

/// Everything in µs at its own scale: measured to the right, simulated upwards.
Part agreement_part(const std::string& id, const std::vector<Node>& rows) {
  Part part("agreement", id + "-agreement", "Measured and simulated",
            {{"row", "row"},
             {"figure", "figure"},
             {"role", "role"},
             {"measured", "measured", "µs"},
             {"predicted", "simulated", "µs"},
             {"inside", "verdict"}});
  for (const Node& row : rows) {
    for (const Node& statistic : member(row, "statistics").items) {
      const auto [name, unit] = name_and_unit(text_of(statistic, "name"));
      const auto measured = number_of(statistic, "measured");
      const auto predicted = number_of(statistic, "predicted");
      if (unit != "µs" || !measured || !predicted || *measured <= 0.0 || *predicted <= 0.0) continue;
      part.row({Node::string(row_name(row)), Node::string(name), Node::string(role_name(row)), number(*measured),
                number(*predicted), verdict(truth_of(statistic, "inside"), "inside", "outside", "not judged")});
    }
  }
  part.note(
      "On the diagonal both are the same. Hollow marks are of rows that were in view when costs were chosen: that "
      "these agree says little.");
  return part;
}

Part rows_part(std::string id, std::string title, const std::vector<Node>& rows, bool fitted) {
  Part part("table", std::move(id), std::move(title),
            {{"row", "row"},
             {"n", "n"},
             {"figure", "figure"},
             {"measured", "measured"},
             {"predicted", "predicted"},
             {"lo", "95 % from"},
             {"hi", "to"},
             {"naive", "without a model"},
             {"inside", "figure's verdict"},
             {"verdict", "row's verdict"},
             {"expect", "expected"},
             {"note", "why"}});
  for (const Node& row : rows) {
    if (is_fitted(row) != fitted) continue;
    std::string note = text_of(row, "note");  // with its first figure alone
    for (const Node& statistic : member(row, "statistics").items) {
      const auto interval = interval_of(statistic, "interval95");
      part.row({Node::string(row_name(row)), member(row, "n"), Node::string(figure_name(text_of(statistic, "name"))),
                number(number_of(statistic, "measured")), number(number_of(statistic, "predicted")),
                interval ? number(interval->lo) : Node{}, interval ? number(interval->hi) : Node{},
                number(number_of(statistic, "naive")),
                verdict(truth_of(statistic, "inside"), "inside", "outside", "not judged"), agreement(row),
                Node::string(text_of(row, "expect") == "fail" ? "misses" : "agrees"),
                Node::string(std::exchange(note, {}))});
    }
  }
  return part;
}

std::size_t rows_with(const std::vector<Node>& rows, bool fitted, std::string_view verdict) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const Node& row) {
    return is_fitted(row) == fitted && (verdict.empty() || text_of(row, "verdict") == verdict);
  }));
}

// ---- explanations of one measurement ----

Part hypotheses_part(const std::string& id, const Node& comparison) {
  Part part("table", id + "-hypotheses-" + anchor(text_of(comparison, "case") + "-" + text_of(comparison, "measured")),
            "Explanations of " + text_of(comparison, "measured"),
            {{"name", "explanation"}, {"row", "row"}, {"agrees", "verdict"}, {"fitted", "chosen for this row"}});
  for (const Node& hypothesis : member(comparison, "hypotheses").items) {
    std::string fitted;
    for (const Node& parameter : member(hypothesis, "fitted").items)
      fitted += (fitted.empty() ? "" : "; ") + parameter.text;
    part.row({Node::string(text_of(hypothesis, "name")), Node::string(text_of(hypothesis, "row")),
              verdict(truth_of(hypothesis, "agrees"), "agrees", "misses", "not judged"), Node::string(fitted)});
  }
  part.note(text_of(comparison, "verdict"));
  return part;
}

Part experiments_part(const std::string& id, const Node& comparison) {
  Part part("table", id + "-experiments-" + anchor(text_of(comparison, "case") + "-" + text_of(comparison, "measured")),
            "Experiments that would tell them apart",
            {{"experiment", "experiment"},
             {"hypothesis", "explanation"},
             {"predicted", "mean", "µs"},
             {"lo", "95 % from", "µs"},
             {"hi", "to", "µs"},
             {"group", "told apart from other groups"}});
  for (const Node& experiment : member(comparison, "experiments").items) {
    for (const Node& outcome : member(experiment, "outcomes").items) {
      const auto interval = interval_of(outcome, "interval95");
      part.row({Node::string(text_of(experiment, "name")), Node::string(text_of(outcome, "hypothesis")),
                number(number_of(outcome, "predicted")), interval ? number(interval->lo) : Node{},
                interval ? number(interval->hi) : Node{}, member(outcome, "group")});
    }
  }
  return part;
}

// ---- calibration ----

/// Each cost within its bounds: before, fitted, and what the data leave open.
Part fitted_costs_part(const std::string& id, const std::vector<Node>& costs) {
  Part part("bounds", id + "-fitted", "Fitted costs within their bounds",
            {{"name", "cost"},
             {"lo", "bound"},
             {"hi", "bound"},
             {"before", "before"},
             {"value", "fitted"},
             {"from", "95 % from"},
             {"to", "to"},
             {"open", "bounded by the data"}});
  for (const Node& cost : costs) {
    const auto bounds = interval_of(cost, "bounds");
    const auto interval = interval_of(cost, "interval95");
    const bool open = truth_of(cost, "open_below").value_or(false) || truth_of(cost, "open_above").value_or(false);
    part.row({Node::string(text_of(cost, "name")), bounds ? number(bounds->lo) : Node{},
              bounds ? number(bounds->hi) : Node{}, number(number_of(cost, "before")), number(number_of(cost, "value")),
              interval ? number(interval->lo) : Node{}, interval ? number(interval->hi) : Node{},
              open ? verdict("not on each side", State::open) : verdict("yes", State::good)});
  }
  part.note(
      "Each line is the whole of a cost's bounds, the bar its 95 % interval, the filled mark the fitted value, the "
      "hollow one the value before.");
  return part;
}

Part correlation_part(const std::string& id, const Document& document) {
  Part part("map", id + "-correlation", "Correlation of the fitted costs",
            {{"x", "cost"}, {"y", "with"}, {"v0", "correlation"}});
  part.set("figures",
           Node::array({Node::object({{"key", Node::string("v0")}, {"title", Node::string("correlation")}})}));
  part.set("unit", Node::string("")).set("around", Node::integer(0));
  Node names = Node::array();
  for (const Node& cost : list_of(document, "costs")) names.push_back(Node::string(text_of(cost, "name")));
  const std::vector<Node>& matrix = list_of(document, "correlation");
  for (std::size_t i = 0; i < std::min(matrix.size(), names.items.size()); ++i) {
    for (std::size_t j = 0; j < std::min(matrix[i].items.size(), names.items.size()); ++j) {
      part.row({names.items[i], names.items[j], matrix[i].items[j]});
    }
  }
  part.set("xs", names);
  part.set("ys", std::move(names));
  part.note("Near 1 or −1 the data tell a combination of the two, not each.");
  return part;
}

}  // namespace

Source validation_source(const Document& document) {
  const std::vector<Node>& rows = list_of(document, "rows");
  const std::size_t failed = member(document.content, "failed").as_uint64().value_or(0);
  Source source{document.id, document.path, "validation", "Predicted against measured"};
  source.verdict = failed == 0 ? verdict("as expected", State::good) : verdict("not as expected", State::bad);
  const std::size_t predicted = rows_with(rows, false, "");
  const std::size_t fitted = rows_with(rows, true, "");
  if (predicted > 0) {
    source.answer.push_back(
        "Of " + count_of(predicted, "row", "rows") + " that nothing was fitted to, the prediction agrees with " +
        whole(rows_with(rows, false, "pass")) + " and misses " + whole(rows_with(rows, false, "fail")) + ".");
  }
  if (fitted > 0) {
    source.answer.push_back("Of " + count_of(fitted, "row", "rows") +
                            " in view when costs were chosen it agrees with " + whole(rows_with(rows, true, "pass")) +
                            "; that says little.");
  }
  source.answer.push_back(failed == 0 ? "Every verdict is the one that was expected."
                                      : count_of(failed, "verdict is", "verdicts are") + " not what was expected.");
  Section plots(document.id + "-overlay", "Measured and simulated");
  plots.add(agreement_part(document.id, rows));
  plots.add(ratios_part(document.id, rows));
  source.sections.push_back(std::move(plots));
  Section tables(document.id + "-rows", "Rows");
  tables.say("Only rows that nothing was fitted to test the model.");
  tables.add(rows_part(document.id + "-predicted", "Predicted rows", rows, false));
  tables.add(rows_part(document.id + "-fitted-rows", "Fitted rows", rows, true));
  source.sections.push_back(std::move(tables));
  const std::vector<Node>& comparisons = member(document.content, "comparisons").items;
  if (!comparisons.empty()) {
    Section section(document.id + "-explanations", "Explanations side by side");
    for (const Node& comparison : comparisons) {
      section.add(hypotheses_part(document.id, comparison));
      if (!member(comparison, "experiments").items.empty()) section.add(experiments_part(document.id, comparison));
    }
    source.sections.push_back(std::move(section));
  }
  return source;
}

Source calibration_source(const Document& document) {
  const std::vector<Node>& costs = list_of(document, "costs");
  const std::vector<Node>& rows = list_of(document, "rows");
  const std::string outcome = text_of(document.content, "verdict");
  Source source{document.id, document.path, "calibration",
                "Costs of " + text_of(document.content, "scenario") + " fitted to a bench"};
  source.verdict = verdict(outcome, outcome == "identified"      ? State::good
                                    : outcome == "contradictory" ? State::bad
                                                                 : State::open);
  for (const Node& reason : member(document.content, "reasons").items) source.answer.push_back(reason.text);
  Section fitted(document.id + "-costs", "Fitted costs");
  fitted.add(fitted_costs_part(document.id, costs));
  if (costs.size() > 1) fitted.add(correlation_part(document.id, document));
  source.sections.push_back(std::move(fitted));
  Section residuals(document.id + "-residuals", "Residuals");
  residuals.add(ratios_part(document.id, rows));
  residuals.add(rows_part(document.id + "-held-out", "Rows held out", rows, false));
  residuals.add(rows_part(document.id + "-fitted-rows", "Fitted rows", rows, true));
  source.sections.push_back(std::move(residuals));
  return source;
}

Source sensitivity_source(const Document& document) {
  const std::vector<Node>& costs = list_of(document, "costs");
  const std::string figure = name_and_unit(text_of(document.content, "statistic")).name;
  const double base = number_of(document.content, "base_us").value_or(0.0);
  Source source{document.id, document.path, "sensitivity",
                "What the " + figure + " of " + text_of(document.content, "interrupt") + " rests on"};
  source.answer.push_back("The " + figure + " is " + in_us(base) +
                          "; with every cost anywhere in its credible range it is open by ±" +
                          in_us(number_of(document.content, "together_us").value_or(0.0)) + ".");
  if (!costs.empty()) {
    source.answer.push_back("Most depends on " + text_of(costs.front(), "name") + ", which moves it by " +
                            in_us(number_of(costs.front(), "swing_us").value_or(0.0)) + " and is " +
                            text_of(costs.front(), "provenance") + ": to know more, measure that first.");
  }
  Part part("tornado", document.id + "-tornado", "Each cost through its range alone",
            {{"name", "cost"},
             {"lo", "change at its least", "µs"},
             {"hi", "change at its greatest", "µs"},
             {"least", "least"},
             {"greatest", "greatest"},
             {"unit", "unit"},
             {"provenance", "provenance"},
             {"source", "source"}});
  part.set("base", number(base));
  for (const Node& cost : costs) {
    const auto range = interval_of(cost, "range");
    part.row({Node::string(text_of(cost, "name")), number(number_of(member(cost, "at_lo"), "change_us")),
              number(number_of(member(cost, "at_hi"), "change_us")), range ? number(range->lo) : Node{},
              range ? number(range->hi) : Node{}, Node::string(text_of(cost, "unit")),
              Node::string(text_of(cost, "provenance")), Node::string(text_of(cost, "source"))});
  }
  part.note("Around " + in_us(base) +
            "; all other costs stay, and randomness is common, so that differences are sharp.");
  Section section(document.id + "-costs", "Sensitivity");
  section.add(std::move(part));
  const std::vector<Node>& interactions = member(document.content, "interactions").items;
  if (!interactions.empty()) {
    Part pairs("table", document.id + "-interactions", "Pairs that do more together than each alone",
               {{"first", "cost"}, {"second", "and"}, {"change", "beyond the sum of both", "µs"}});
    for (const Node& pair : interactions) {
      pairs.row({Node::string(text_of(pair, "first")), Node::string(text_of(pair, "second")),
                 number(number_of(pair, "change_us"))});
    }
    section.add(std::move(pairs));
  }
  source.sections.push_back(std::move(section));
  return source;
}

}  // namespace vecusim::report
