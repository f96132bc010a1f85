// The document vecusim/validation/1.
#include <cmath>

#include "analysis/validate.hpp"

namespace vecusim {
namespace {

using json::Node;

/// To a picosecond, which is more than is meant and hides what binary fractions add.
Node number(double value) { return Node::floating(std::round(value * 1e6) / 1e6); }
Node optional(const std::optional<double>& value) { return value ? number(*value) : Node{}; }
Node optional(const std::optional<bool>& value) { return value ? Node::boolean(*value) : Node{}; }

Node optional(const std::optional<Interval>& interval) {
  if (!interval) return Node{};
  return Node::array({number(interval->lo), number(interval->hi)});
}

Node to_json(const JudgedStatistic& judged) {
  Node node = Node::object();
  node.set("name", Node::string(std::string{name_of(judged.statistic)}));
  node.set("measured", number(judged.measured));
  node.set("predicted", optional(judged.predicted));
  node.set("interval95", optional(judged.interval95));
  // Needs the joint uncertainty of the fitted parameters, which a cost table's ranges do not give.
  node.set("interval95_with_parameters", Node{});
  node.set("mark", optional(judged.mark));
  node.set("inside", optional(judged.inside));
  node.set("naive", optional(judged.naive));
  node.set("better_than_naive", optional(judged.better_than_naive));
  return node;
}

Node to_json(const JudgedRow& row) {
  Node statistics = Node::array();
  for (const JudgedStatistic& judged : row.statistics) statistics.push_back(to_json(judged));
  Node node = Node::object();
  node.set("case", Node::string(row.case_name));
  node.set("row", Node::string(row.row));
  node.set("role", Node::string(std::string{name_of(row.role)}));
  node.set("n", Node::integer(row.n));
  node.set("feasible", Node::boolean(row.feasible));
  node.set("statistics", std::move(statistics));
  node.set("verdict", row.verdict ? Node::string(std::string{name_of(*row.verdict)}) : Node{});
  node.set("expect", Node::string(std::string{name_of(row.expect)}));
  node.set("note", Node::string(row.note));
  return node;
}

}  // namespace

json::Node to_json(const Validation& validation) {
  Node rows = Node::array();
  for (const JudgedRow& row : validation.rows) rows.push_back(to_json(row));
  Node document = Node::object();
  document.set("schema", Node::string("vecusim/validation/1"));
  document.set("rows", std::move(rows));
  document.set("passed", Node::integer(validation.passed()));
  document.set("failed", Node::integer(validation.failed()));
  return document;
}

}  // namespace vecusim
