// The path as a Boost.Graph; the only file that includes it.
#include "models/interrupt_path.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <boost/graph/topological_sort.hpp>

namespace vecusim {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

enum class Ways : std::uint8_t { forward, all };

Graph graph_of(const std::vector<Stage>& stages, const std::vector<Branch>& branches, Ways ways) {
  Graph graph(stages.size());
  for (const Branch& branch : branches) {
    if (branch.again > 0 && ways == Ways::forward) continue;
    boost::add_edge(static_cast<std::size_t>(branch.from), static_cast<std::size_t>(branch.to), graph);
  }
  return graph;
}

template <class G>
std::vector<bool> reached_from(const G& graph, std::size_t start) {
  std::vector<boost::default_color_type> colors(boost::num_vertices(graph));
  boost::breadth_first_search(graph, start, boost::color_map(colors.data()));
  std::vector<bool> reached;
  reached.reserve(colors.size());
  for (const auto color : colors) reached.push_back(color != boost::white_color);
  return reached;
}

const char* color_of(Where where) {
  switch (where) {
    case Where::hardware:
      return "#e8e8e8";
    case Where::hypervisor:
      return "#ffd9a0";
    case Where::interrupt:
      return "#bcdcf5";
    case Where::thread:
      break;
  }
  return "#c9ecc4";
}

// A quoted string of graphviz's language: its own helper leaves words such as "edge" bare, which are keywords there.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string microseconds(Duration d) {
  std::ostringstream text;
  text.precision(4);
  text << to_us(d);
  return text.str();
}

}  // namespace

StageId InterruptPath::add(Stage stage) {
  stages_.push_back(std::move(stage));
  return StageId{static_cast<std::uint16_t>(stages_.size() - 1)};
}

void InterruptPath::connect(StageId from, StageId to, std::string when) {
  branches_.push_back({from, to, std::move(when)});
}

void InterruptPath::connect_back(StageId from, StageId to, std::size_t times) {
  branches_.push_back({from, to, std::to_string(times) + " times", times});
}

bool InterruptPath::leads(StageId from, StageId to) const {
  return std::any_of(branches_.begin(), branches_.end(),
                     [&](const Branch& branch) { return branch.from == from && branch.to == to; });
}

void InterruptPath::verify() const {
  if (stages_.empty()) throw std::logic_error("an interrupt path has no stages");
  const Graph forward = graph_of(stages_, branches_, Ways::forward);
  std::vector<std::size_t> order;
  try {
    boost::topological_sort(forward, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    throw std::logic_error("an interrupt path leads back to a stage it has passed");
  }
  const Graph graph = graph_of(stages_, branches_, Ways::all);
  const auto from_first = reached_from(graph, 0);
  const auto to_last = reached_from(boost::make_reverse_graph(graph), stages_.size() - 1);
  std::string lost;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    if (!from_first[i]) lost += " nothing leads to \"" + stages_[i].name + "\";";
    if (!to_last[i]) lost += " \"" + stages_[i].name + "\" does not lead to the end;";
  }
  if (!lost.empty()) throw std::logic_error("a broken interrupt path:" + lost);
}

namespace {
// Bounds of a stage that is not reached.
constexpr std::pair kUnreached = {Duration::max(), Duration::min()};
}  // namespace

std::pair<Duration, Duration> InterruptPath::unloaded_bounds(StageId from, StageId to) const {
  auto [least, most] = forward_bounds(from, to);
  for (const Branch& branch : branches_) {
    if (branch.again == 0 || forward_bounds(from, branch.from) == kUnreached) continue;
    if (forward_bounds(branch.to, to) == kUnreached) continue;
    const auto [least_again, most_again] = forward_bounds(branch.to, branch.from);
    least += least_again * static_cast<Duration::rep>(branch.again);
    most += most_again * static_cast<Duration::rep>(branch.again);
  }
  return {least, most};
}

std::pair<Duration, Duration> InterruptPath::forward_bounds(StageId from, StageId to) const {
  const Graph graph = graph_of(stages_, branches_, Ways::forward);
  std::vector<std::size_t> order;
  boost::topological_sort(graph, std::back_inserter(order));  // last first
  const auto start = static_cast<std::size_t>(from);
  std::vector<std::pair<Duration, Duration>> bound(stages_.size(), kUnreached);
  bound[start] = {stages_[start].least, stages_[start].most};
  for (auto stage = order.rbegin(); stage != order.rend(); ++stage) {
    if (bound[*stage] == kUnreached) continue;
    for (auto [edge, end] = boost::out_edges(*stage, graph); edge != end; ++edge) {
      const std::size_t next = boost::target(*edge, graph);
      bound[next].first = std::min(bound[next].first, bound[*stage].first + stages_[next].least);
      bound[next].second = std::max(bound[next].second, bound[*stage].second + stages_[next].most);
    }
  }
  return bound[static_cast<std::size_t>(to)];
}

std::string InterruptPath::to_dot(std::string_view title) const {
  const Graph graph = graph_of(stages_, branches_, Ways::all);
  std::ostringstream dot;
  const auto write_stage = [&](std::ostream& out, std::size_t i) {
    const Stage& stage = stages_[i];
    std::string label = stage.name + "\n" + microseconds(stage.least);
    if (stage.most != stage.least) label += "–" + microseconds(stage.most);
    out << "[label=" << quoted(label + " µs") << ", fillcolor=\"" << color_of(stage.where) << "\"]";
  };
  const auto write_branch = [&](std::ostream& out, const auto& edge) {
    for (const Branch& branch : branches_) {
      if (static_cast<std::size_t>(branch.from) == boost::source(edge, graph) &&
          static_cast<std::size_t>(branch.to) == boost::target(edge, graph) && !branch.when.empty()) {
        out << "[label=" << quoted(branch.when) << "]";
      }
    }
  };
  const auto write_graph = [&](std::ostream& out) {
    out << "label=" << quoted(title) << ";\nlabelloc=t;\nrankdir=TB;\n"
        << "node [shape=box, style=\"filled,rounded\", fontname=\"sans-serif\", fontsize=11];\n"
        << "edge [fontname=\"sans-serif\", fontsize=9];\n";
  };
  boost::write_graphviz(dot, graph, write_stage, write_branch, write_graph);
  return dot.str();
}

}  // namespace vecusim
