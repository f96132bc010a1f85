// A sweep's store as sections: each latency, load and throughput over what was varied, the front, and all points.
#include <algorithm>
#include <utility>

#include "analysis/load_sink.hpp"
#include "analysis/pareto.hpp"
#include "analysis/report_sources.hpp"
#include "analysis/report_store.hpp"
#include "analysis/report_sweep_plots.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim::report {
namespace {

using json::Node;

/// Lines of one plot that can be told apart.
constexpr std::size_t kMostLines = 6;

/// Latencies of one interrupt by the figures that at least one point has.
std::vector<Line> latency_lines(const StoredSweep& sweep, const std::string& interrupt) {
  std::vector<Line> lines;
  for (const std::string_view key : {"mean_us", "p50_us", "p99_us", "p99_9_us", "max_us"}) {
    const std::string path = "latency." + interrupt + "." + std::string(key);
    const bool some = std::any_of(sweep.points.begin(), sweep.points.end(),
                                  [&](const StoredPoint& point) { return sweep.number(point, path).has_value(); });
    if (some) lines.push_back({name_and_unit(key).name, path});
  }
  return lines;
}

/// One sentence: from where to where a figure goes, and where it is least and greatest.
std::string range_words(const SweepView& view, const std::string& what, const std::string& path,
                        const std::string& unit) {
  const StoredPoint* least = nullptr;
  const StoredPoint* most = nullptr;
  const auto value = [&](const StoredPoint& point) { return view.sweep.number(point, path); };
  for (const StoredPoint& point : view.sweep.points) {
    if (!value(point)) continue;
    if (least == nullptr || *value(point) < *value(*least)) least = &point;
    if (most == nullptr || *value(point) > *value(*most)) most = &point;
  }
  if (least == nullptr) return what + " is not known at any point.";
  const auto at = [&](const StoredPoint& point) {
    std::string text;
    for (std::size_t i = 0; i < view.sweep.pointers.size(); ++i) {
      const auto [name, of] = dimension_name(view.sweep.pointers[i]);
      text += (i == 0 ? "" : ", ") + name + " " + point.texts[i] + (of.empty() ? "" : " " + of);
    }
    return text;
  };
  if (*value(*least) == *value(*most)) return what + " is " + digits(*value(*least)) + " " + unit + " at every point.";
  return what + " goes from " + digits(*value(*least)) + " " + unit + " (" + at(*least) + ") to " +
         digits(*value(*most)) + " " + unit + " (" + at(*most) + ").";
}

Section latency_section(const SweepView& view, const std::string& name, std::size_t interrupt) {
  const std::string id = view.id + "-" + anchor(name);
  Section section(id, "Latency of " + name);
  const std::vector<Line> lines = latency_lines(view.sweep, name);
  if (!lines.empty()) section.say(range_words(view, "The mean", lines.front().path, "µs"));
  if (lines.size() > 1) section.say(range_words(view, "The greatest", lines.back().path, "µs"));
  for (std::size_t d = 0; d < view.sweep.pointers.size(); ++d) {
    const std::string of = dimension_name(view.sweep.pointers[d]).name;
    section.add(lines_part(view, d, id + "-over-" + anchor(of), "Over " + of, "µs", lines));
  }
  if (view.one_dimension()) section.add(boxes_part(view, id, interrupt));
  if (view.sweep.pointers.size() >= 2) section.add(map_part(view, id + "-map", "µs", lines));
  return section;
}

/// One line for each name, of the busiest if they are too many.
std::vector<Line> named_lines(const StoredSweep& sweep, const std::string& prefix, const std::string& ending,
                              const std::vector<std::string>& names) {
  std::vector<std::pair<double, Line>> lines;
  for (const std::string& name : names) {
    std::string path = prefix;
    path.append(name).append(ending);
    double most = 0.0;
    for (const StoredPoint& point : sweep.points) most = std::max(most, sweep.number(point, path).value_or(0.0));
    lines.push_back({most, {name, path}});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Line> kept;
  for (auto& [most, line] : lines) {
    if (kept.size() < kMostLines) kept.push_back(std::move(line));
  }
  return kept;
}

Section load_section(const SweepView& view, const std::vector<std::string>& parties) {
  const std::string id = view.id + "-load";
  Section section(id, "Load");
  const std::vector<Line> lines = named_lines(view.sweep, "load.", ".pcpu_pct", parties);
  for (const Line& line : lines) section.say(range_words(view, "The load of " + line.title, line.path, "% of a pCPU"));
  for (std::size_t d = 0; d < view.sweep.pointers.size(); ++d) {
    const std::string of = dimension_name(view.sweep.pointers[d]).name;
    section.add(lines_part(view, d, id + "-over-" + anchor(of), "Load over " + of, "% of one pCPU", lines));
  }
  return section;
}

Section network_section(const SweepView& view, const std::vector<std::string>& flows) {
  const std::string id = view.id + "-network";
  Section section(id, "Network");
  const std::vector<Line> lines = named_lines(view.sweep, "network.", ".goodput_mbps", flows);
  for (const Line& line : lines) section.say(range_words(view, "What arrives of " + line.title, line.path, "Mb/s"));
  for (std::size_t d = 0; d < view.sweep.pointers.size(); ++d) {
    const std::string of = dimension_name(view.sweep.pointers[d]).name;
    section.add(lines_part(view, d, id + "-over-" + anchor(of), "Payload over " + of, "Mb/s", lines));
  }
  if (view.sweep.pointers.size() >= 2) section.add(map_part(view, id + "-map", "Mb/s", lines));
  return section;
}

/// What is bought with load: less latency, or more payload.
std::optional<Part> front_part(const SweepView& view, const std::vector<std::string>& interrupts,
                               const std::vector<std::string>& flows) {
  const std::string idle = "load." + std::string(kIdleParty) + ".pcpu_pct";
  if (!view.sweep.column(idle) || (interrupts.empty() && flows.empty())) return std::nullopt;
  const bool latency = !interrupts.empty();
  const std::vector<Line> lines = latency ? latency_lines(view.sweep, interrupts.front()) : std::vector<Line>{};
  if (latency && lines.empty()) return std::nullopt;
  const Line figure = latency ? lines.back() : Line{flows.front(), "network." + flows.front() + ".goodput_mbps"};
  const std::string title = latency ? figure.title + " of " + interrupts.front() : "payload of " + figure.title;
  ParetoFront front({{{figure.path, !latency}, {idle, true}}});
  for (const StoredPoint& point : view.sweep.points) {
    std::vector<vecusim::Column> numbers;
    for (const std::string& path : {figure.path, idle})
      numbers.push_back({path, number(view.sweep.number(point, path))});
    front.add(numbers);
  }
  const std::vector<bool> on = front.front();
  std::vector<Column> columns = {
      {"x", "idle", "% of one pCPU"}, {"y", title, latency ? "µs" : "Mb/s"}, {"front", "on the front"}};
  for (std::size_t d = 0; d < view.sweep.pointers.size(); ++d) {
    const auto [name, unit] = dimension_name(view.sweep.pointers[d]);
    columns.push_back({"d" + std::to_string(d), name, unit});
  }
  Part part("front", view.id + "-front", "What is bought with load", std::move(columns));
  for (std::size_t i = 0; i < on.size(); ++i) {
    const StoredPoint& point = view.sweep.points[i];
    std::vector<Node> cells = {number(view.sweep.number(point, idle)), number(view.sweep.number(point, figure.path)),
                               Node::string(on[i] ? "yes" : "no")};
    for (std::size_t d = 0; d < view.sweep.pointers.size(); ++d) cells.push_back(value_cell(point, d));
    part.row(std::move(cells));
  }
  part.note(std::string("No point of the Pareto front is beaten in both figures: ") +
            (latency ? "less latency" : "more payload") + ", and more of the machine idle.");
  return part;
}

Part points_part(const SweepView& view) {
  std::vector<Column> columns;
  for (std::size_t d = 0; d < view.sweep.pointers.size(); ++d) {
    const auto [name, unit] = dimension_name(view.sweep.pointers[d]);
    columns.push_back({"d" + std::to_string(d), name, unit});
  }
  columns.push_back({"replications", "replications"});
  std::vector<std::string> paths;
  for (const std::string& path : view.sweep.paths) {
    const bool wanted = path.find(".ci95.") == std::string::npos && !path.ends_with("_ps") &&
                        path.find(".contexts_pct.") == std::string::npos && !path.ends_with(".machine_pct");
    if (!wanted || path == "seed") continue;
    const auto [name, unit] = name_and_unit(path);
    columns.push_back({path, name, unit});
    paths.push_back(path);
  }
  Part part("table", view.id + "-points-table", "All points", std::move(columns));
  part.set("folded", Node::boolean(true));
  for (const StoredPoint& point : view.sweep.points) {
    std::vector<Node> cells;
    for (std::size_t d = 0; d < view.sweep.pointers.size(); ++d) cells.push_back(value_cell(point, d));
    cells.push_back(Node::integer(point.replications));
    for (const std::string& path : paths) cells.push_back(number(view.sweep.number(point, path)));
    part.row(std::move(cells));
  }
  return part;
}

/// At how many points every requirement is met, is not, or cannot be told.
Node verdict_of(const SweepView& view, const std::vector<std::string>& interrupts, std::vector<std::string>& words) {
  std::vector<std::size_t> columns;
  for (const std::string& name : interrupts) {
    if (const auto at = view.sweep.column("latency." + name + ".requirement.met")) columns.push_back(*at);
  }
  if (columns.empty()) return {};
  std::size_t met = 0;
  for (const StoredPoint& point : view.sweep.points) {
    met +=
        std::all_of(columns.begin(), columns.end(), [&](std::size_t at) { return point.numbers[at] == 1.0; }) ? 1 : 0;
  }
  const std::size_t all = view.sweep.points.size();
  words.push_back("All requirements are met at " + whole(met) + " of " + count_of(all, "point", "points") + ".");
  if (met == all) return verdict("met at every point", State::good);
  return verdict("met at " + whole(met) + " of " + whole(all), met == 0 ? State::bad : State::open);
}

Section sweep_provenance(const SweepView& view, const std::filesystem::path& path) {
  Section section(view.id + "-provenance", "Assumptions and provenance");
  Part run("facts", view.id + "-run", "The sweep", {{"what", "what"}, {"is", "is"}});
  const auto row = [&](std::string_view what, std::string is) {
    run.row({Node::string(std::string(what)), Node::string(std::move(is))});
  };
  row("file", path.string());
  row("program", "vecusim " + view.sweep.program);
  row("points", whole(view.sweep.points.size()));
  for (const std::string& pointer : view.sweep.pointers) row("varied", pointer);
  row("seed", text_of(member(view.sweep.scenario, "run"), "seed"));
  section.add(std::move(run));
  section.add(inputs_part(view.id, view.sweep.inputs));
  add_costs(section, view.id, member(view.sweep.scenario, "costs"));
  return section;
}

}  // namespace

Source sweep_source(const std::filesystem::path& path, const std::string& id) {
  const StoredSweep sweep = read_stored_sweep(path);
  const SweepView view(sweep, id);
  Source source{id, path.string(), "sweep", text_of(sweep.scenario, "title")};
  std::string varied;
  for (const std::string& pointer : sweep.pointers)
    varied += (varied.empty() ? "" : ", ") + dimension_name(pointer).name;
  source.answer.push_back(count_of(sweep.points.size(), "point", "points") + " of " + varied + ".");

  std::vector<std::string> interrupts;
  for (const Node& interrupt : member(sweep.scenario, "interrupts").items)
    interrupts.push_back(text_of(interrupt, "name"));
  const std::vector<std::string> flows = sweep.names("network.", ".goodput_mbps");
  std::vector<std::string> parties = sweep.names("load.", ".pcpu_pct");
  parties.erase(std::remove(parties.begin(), parties.end(), kIdleParty), parties.end());

  source.verdict = verdict_of(view, interrupts, source.answer);
  if (sweep.points.empty()) {
    source.answer.push_back("There is nothing in it yet.");
  } else {
    for (std::size_t i = 0; i < interrupts.size(); ++i) {
      if (latency_lines(sweep, interrupts[i]).empty()) continue;
      source.answer.push_back(
          range_words(view, "The mean latency of " + interrupts[i], "latency." + interrupts[i] + ".mean_us", "µs"));
      source.sections.push_back(latency_section(view, interrupts[i], i));
    }
    if (!flows.empty()) source.sections.push_back(network_section(view, flows));
    for (const std::string& flow : flows) {
      source.answer.push_back(
          range_words(view, "What arrives of " + flow, "network." + flow + ".goodput_mbps", "Mb/s"));
    }
    if (const auto lines = named_lines(sweep, "load.", ".pcpu_pct", parties); !lines.empty()) {
      source.answer.push_back(
          range_words(view, "The load of " + lines.front().title, lines.front().path, "% of a pCPU"));
    }
    if (!parties.empty()) source.sections.push_back(load_section(view, parties));
  }
  Section points(id + "-points", "Points");
  if (!sweep.points.empty()) {
    if (auto front = front_part(view, interrupts, flows)) points.add(*std::move(front));
  }
  points.add(points_part(view));
  source.sections.push_back(std::move(points));
  source.sections.push_back(sweep_provenance(view, path));
  return source;
}

}  // namespace vecusim::report
