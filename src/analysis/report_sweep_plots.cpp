// Points grouped by their values.
#include "analysis/report_sweep_plots.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace vecusim::report {
namespace {

using json::Node;

/// More boxes side by side, or cells of a map along a side, cannot be read.
constexpr std::size_t kMostBoxes = 60;
constexpr std::size_t kMostCells = 60;

Steps steps_of(const StoredSweep& sweep, std::size_t dimension) {
  Steps steps;
  std::map<std::string, double> seen;
  for (const StoredPoint& point : sweep.points) {
    const auto& value = point.values[dimension];
    if (!value) steps.numeric = false;
    if (seen.emplace(point.texts[dimension], value.value_or(0.0)).second) steps.texts.push_back(point.texts[dimension]);
  }
  if (steps.numeric) {
    std::stable_sort(steps.texts.begin(), steps.texts.end(),
                     [&](const std::string& a, const std::string& b) { return seen[a] < seen[b]; });
  }
  return steps;
}

/// Points by the text of one dimension's value, in the steps' order.
std::vector<std::vector<const StoredPoint*>> grouped(const StoredSweep& sweep, std::size_t dimension,
                                                     const Steps& steps) {
  std::map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < steps.texts.size(); ++i) at[steps.texts[i]] = i;
  std::vector<std::vector<const StoredPoint*>> groups(steps.texts.size());
  for (const StoredPoint& point : sweep.points) groups[at[point.texts[dimension]]].push_back(&point);
  return groups;
}

Node axis_node(const SweepView& view, std::size_t dimension) {
  const auto [name, unit] = dimension_name(view.sweep.pointers[dimension]);
  return Node::object({{"title", Node::string(name)},
                       {"unit", Node::string(unit)},
                       {"numeric", Node::boolean(view.steps[dimension].numeric)}});
}

}  // namespace

NameAndUnit dimension_name(const std::string& pointer) {
  const std::size_t slash = pointer.rfind('/');
  const std::string last = pointer.substr(slash == std::string::npos ? 0 : slash + 1);
  if (last != "value") return name_and_unit(last);
  const std::size_t before = pointer.rfind('/', slash - 1);
  return {pointer.substr(before + 1, slash - before - 1), ""};
}

SweepView::SweepView(const StoredSweep& stored, std::string identifier) : sweep(stored), id(std::move(identifier)) {
  for (std::size_t d = 0; d < sweep.pointers.size(); ++d) steps.push_back(steps_of(sweep, d));
}

Node value_cell(const StoredPoint& point, std::size_t dimension) {
  const auto& value = point.values[dimension];
  return value ? number(*value) : Node::string(point.texts[dimension]);
}

Part lines_part(const SweepView& view, std::size_t dimension, std::string id, std::string title,
                const std::string& unit, const std::vector<Line>& lines) {
  const auto [name, of] = dimension_name(view.sweep.pointers[dimension]);
  std::vector<Column> columns = {{"x", name, of}};
  Node drawn = Node::array();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string key = "y" + std::to_string(i);
    columns.push_back({key, lines[i].title, unit});
    columns.push_back({key + "lo", lines[i].title + " from", unit});
    columns.push_back({key + "hi", lines[i].title + " to", unit});
    drawn.push_back(Node::object({{"key", Node::string(key)}, {"title", Node::string(lines[i].title)}}));
  }
  Part part("lines", std::move(id), std::move(title), std::move(columns));
  part.set("lines", std::move(drawn)).set("axis", axis_node(view, dimension)).set("unit", Node::string(unit));
  for (const auto& points : grouped(view.sweep, dimension, view.steps[dimension])) {
    std::vector<Node> cells = {value_cell(*points.front(), dimension)};
    for (const Line& line : lines) {
      double sum = 0.0;
      double lo = std::numeric_limits<double>::infinity();
      double hi = -lo;
      std::size_t n = 0;
      for (const StoredPoint* point : points) {
        const auto value = view.sweep.number(*point, line.path);
        if (!value) continue;
        sum += *value;
        lo = std::min(lo, *value);
        hi = std::max(hi, *value);
        ++n;
      }
      std::optional<double> from = n > 0 ? std::optional(lo) : std::nullopt;
      std::optional<double> to = n > 0 ? std::optional(hi) : std::nullopt;
      if (points.size() == 1) {
        const std::size_t dot = line.path.rfind('.');
        const std::string interval = line.path.substr(0, dot) + ".ci95" + line.path.substr(dot);
        from = view.sweep.number(*points.front(), interval + ".lo");
        to = view.sweep.number(*points.front(), interval + ".hi");
      }
      cells.push_back(n > 0 ? number(sum / static_cast<double>(n)) : Node{});
      cells.push_back(number(from));
      cells.push_back(number(to));
    }
    part.row(std::move(cells));
  }
  if (!view.one_dimension()) {
    part.note(
        "Each line is the mean over all else that was varied; its band is from the least to the greatest of these.");
  } else if (unit == "µs") {
    part.note("Bands are 95 % intervals, where there are enough samples for one.");
  }
  return part;
}

Part boxes_part(const SweepView& view, const std::string& id, std::size_t interrupt) {
  const auto [name, unit] = dimension_name(view.sweep.pointers.front());
  Part part("boxes", id + "-boxes", "Spread of the answers",
            {{"x", name, unit},
             {"min", "min", "µs"},
             {"lower", "p25", "µs"},
             {"median", "p50", "µs"},
             {"upper", "p75", "µs"},
             {"max", "max", "µs"}});
  part.set("axis", axis_node(view, 0));
  part.note(
      "Boxes hold the middle half of the answers; the line in them is the median, and the whiskers reach to the "
      "least and the greatest observed.");
  if (view.steps.front().texts.size() > kMostBoxes) {
    part.note("So many values have no room for a box each: the lines above show them.");
    return part;
  }
  for (const auto& points : grouped(view.sweep, 0, view.steps.front())) {
    const auto& boxes = points.front()->boxes;
    if (interrupt >= boxes.size() || !boxes[interrupt]) continue;
    const Box& box = *boxes[interrupt];
    part.row({value_cell(*points.front(), 0), us(box.min), us(box.lower), us(box.median), us(box.upper), us(box.max)});
  }
  return part;
}

Part map_part(const SweepView& view, std::string id, const std::string& unit, const std::vector<Line>& figures) {
  const auto x = dimension_name(view.sweep.pointers[0]);
  const auto y = dimension_name(view.sweep.pointers[1]);
  std::vector<Column> columns = {{"x", x.name, x.unit}, {"y", y.name, y.unit}};
  Node shown = Node::array();
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const std::string key = "v" + std::to_string(i);
    columns.push_back({key, figures[i].title, unit});
    shown.push_back(Node::object({{"key", Node::string(key)}, {"title", Node::string(figures[i].title)}}));
  }
  Part part("map", std::move(id), "Two parameters at once", std::move(columns));
  part.set("figures", std::move(shown)).set("unit", Node::string(unit));
  Node xs = Node::array();
  for (const std::string& text : view.steps[0].texts) xs.push_back(Node::string(text));
  Node ys = Node::array();
  for (const std::string& text : view.steps[1].texts) ys.push_back(Node::string(text));
  part.set("xs", std::move(xs)).set("ys", std::move(ys));
  if (view.steps[0].texts.size() > kMostCells || view.steps[1].texts.size() > kMostCells) {
    return std::move(part.note("So many values of two parameters make no map that can be read."));
  }
  std::map<std::pair<std::string, std::string>, std::vector<const StoredPoint*>> cells;
  for (const StoredPoint& point : view.sweep.points) cells[{point.texts[0], point.texts[1]}].push_back(&point);
  for (const auto& [at, points] : cells) {
    std::vector<Node> row = {Node::string(at.first), Node::string(at.second)};
    for (const Line& figure : figures) {
      double sum = 0.0;
      std::size_t n = 0;
      for (const StoredPoint* point : points) {
        if (const auto value = view.sweep.number(*point, figure.path)) {
          sum += *value;
          ++n;
        }
      }
      row.push_back(n > 0 ? number(sum / static_cast<double>(n)) : Node{});
    }
    part.row(std::move(row));
  }
  if (view.sweep.pointers.size() > 2) part.note("Each cell is the mean over all else that was varied.");
  return part;
}

}  // namespace vecusim::report
