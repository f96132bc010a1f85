// The documents of a calibration: vecusim/calibration/1, and the cost table.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "analysis/calibrate_scenario.hpp"
#include "analysis/result.hpp"
#include "analysis/text_layout.hpp"
#include "system/json_pointer.hpp"

namespace vecusim {
namespace {

using json::Node;

/// Six significant digits: more is not meant.
double shortened(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 5.0);
  // Division by a power of ten, so that the shortest text of the result is short.
  return unit < 1.0 ? std::round(value / unit) / std::round(1.0 / unit) : std::round(value / unit) * unit;
}

Node number(double value) { return Node::floating(shortened(value)); }
Node interval(const Interval& i) { return Node::array({number(i.lo), number(i.hi)}); }
Node texts(const std::vector<std::string>& words) {
  Node node = Node::array();
  for (const std::string& word : words) node.push_back(Node::string(word));
  return node;
}

Node to_json(const CalibratedCost& cost) {
  Node node = Node::object();
  node.set("pointer", Node::string(cost.cost.pointer));
  node.set("name", Node::string(cost.cost.name));
  node.set("bounds", interval({cost.cost.lo, cost.cost.hi}));
  node.set("prior", Node::boolean(cost.cost.prior));
  node.set("before", number(cost.cost.start));
  node.set("value", number(cost.value));
  node.set("interval95", interval(cost.interval95));
  node.set("open_below", Node::boolean(cost.open_below));
  node.set("open_above", Node::boolean(cost.open_above));
  return node;
}

Node to_json(const CalibratedRow& row) {
  Node statistics = Node::array();
  for (const CalibratedFigure& figure : row.figures) {
    Node node = Node::object();
    node.set("name", Node::string(figure.name));
    node.set("measured", number(figure.measured));
    node.set("predicted", number(figure.predicted));
    node.set("interval95", interval(figure.interval95));
    node.set("interval95_with_parameters", interval(figure.interval95_with_parameters));
    node.set("inside", Node::boolean(figure.inside));
    statistics.push_back(std::move(node));
  }
  Node node = Node::object();
  node.set("row", Node::string(row.name));
  node.set("role", Node::string(row.held_out ? "predicted" : "fit"));
  node.set("n", Node::integer(row.n));
  node.set("statistics", std::move(statistics));
  node.set("chi_squared", row.held_out ? Node{} : number(row.chi_squared));
  node.set("note", Node::string(row.note));
  return node;
}

Node rounded_correlation(double value) { return Node::floating(std::round(value * 1e4) / 1e4); }

Node matrix(const std::vector<double>& values, std::size_t columns) {
  Node rows = Node::array();
  for (std::size_t i = 0; i < values.size(); i += columns) {
    Node row = Node::array();
    for (std::size_t j = 0; j < columns; ++j) row.push_back(rounded_correlation(values[i + j]));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> fitted_names(const Calibration& calibration) {
  std::vector<std::string> names;
  for (const CalibratedRow& row : calibration.rows) {
    if (!row.held_out && !row.figures.empty()) names.push_back(row.name);
  }
  return names;
}

std::string source_of(const CalibratedCost& cost, const CalibrationRequest& request) {
  std::string source = "vecusim calibrate " + request.scenario.name;
  for (const DataSource& data : request.data) source += " --data " + data.file;
  source += "; 95 % interval " + four_digits(cost.interval95.lo) + " … " + four_digits(cost.interval95.hi) +
            "; before " + four_digits(cost.cost.start);
  return source;
}

/// With the other costs that have a value; a number of a law is drawn by nobody.
Node correlations_of(const Calibration& calibration, std::size_t of) {
  Node list = Node::array();
  const std::size_t n = calibration.costs.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<std::string> tokens = *json::parse_pointer(calibration.costs[i].cost.pointer);
    if (i == of || tokens.back() != "value") continue;
    list.push_back(Node::object({{"with", Node::string(tokens[1])},
                                 {"correlation", rounded_correlation(calibration.correlation[of * n + i])}}));
  }
  return list;
}

}  // namespace

std::string_view name_of(CalibrationVerdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"identified", "not identified", "contradictory"};
  return kNames[static_cast<std::size_t>(verdict)];
}

json::Node cost_table(const Calibration& calibration, const CalibrationRequest& request) {
  Node values = Node::object();
  for (std::size_t i = 0; i < calibration.costs.size(); ++i) {
    const CalibratedCost& cost = calibration.costs[i];
    const std::vector<std::string> tokens = *json::parse_pointer(cost.cost.pointer);
    const std::string& name = tokens[1];
    // Several numbers of one law make one entry.
    Node entry = values.find(name) != nullptr ? *values.find(name)
                                              : *json::find(request.scenario.document, json::child("/costs", name));
    Problems none;
    json::set(entry, cost.cost.pointer.substr(json::child("/costs", name).size()), number(cost.value), none);
    if (tokens.back() == "value") {
      entry.set("range", interval(cost.interval95));
      entry.set("correlations", correlations_of(calibration, i));
    } else {
      entry.erase("range");
    }
    entry.set("provenance", Node::string("fitted"));
    entry.set("source", Node::string(source_of(cost, request)));
    entry.set("fitted_to", texts(fitted_names(calibration)));
    values.set(name, std::move(entry));
  }
  return Node::object({{"schema", Node::string("vecusim/costs/1")},
                       {"title", Node::string("Fitted: " + request.scenario.scenario.title)},
                       {"values", std::move(values)}});
}

json::Node to_json(const Calibration& calibration, const CalibrationRequest& request) {
  Node costs = Node::array();
  for (const CalibratedCost& cost : calibration.costs) costs.push_back(to_json(cost));
  Node rows = Node::array();
  for (const CalibratedRow& row : calibration.rows) rows.push_back(to_json(row));
  Node document = Node::object();
  document.set("schema", Node::string("vecusim/calibration/1"));
  document.set("version", Node::string(std::string(tool_version())));
  document.set("scenario", Node::string(request.scenario.name));
  document.set("costs", std::move(costs));
  document.set("correlation", matrix(calibration.correlation, calibration.costs.size()));
  document.set("condition", number(calibration.condition));
  document.set("chi_squared", number(calibration.chi_squared));
  document.set("degrees_of_freedom", Node::integer(calibration.degrees_of_freedom));
  document.set("p_value", calibration.p_value ? number(*calibration.p_value) : Node{});
  document.set("rows", std::move(rows));
  document.set("verdict", Node::string(std::string(name_of(calibration.verdict))));
  document.set("reasons", texts(calibration.sentences));
  return document;
}

}  // namespace vecusim
