// The list of formats, and what their writers share.
#include "analysis/trace_format.hpp"

#include <algorithm>
#include <tuple>

#include "system/replication.hpp"

namespace vecusim {

const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> all = {
      {"chrome", ".json", "Chrome trace events, for ui.perfetto.dev", write_chrome},
      {"btf", ".btf", "BTF 2.1.3, for automotive timing tools", write_btf},
      {"vcd", ".vcd", "value change dump, for GTKWave and logic analysers", write_vcd},
      {"csv", ".csv", "one line per interval, instant and stage", write_trace_csv},
      {"ndjson", ".ndjson", "one JSON object per line", write_trace_ndjson},
  };
  return all;
}

const TraceFormat* find_trace_format(std::string_view name) {
  for (const TraceFormat& format : trace_formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const TraceFormat* trace_format_of(std::string_view file) {
  for (const TraceFormat& format : trace_formats()) {
    if (file.ends_with(format.ending)) return &format;
  }
  return nullptr;
}

std::vector<TimelineEntry> by_time(const Timeline& timeline) {
  std::vector<TimelineEntry> entries;
  for (std::size_t i = 0; i < timeline.flights.size(); ++i) {
    const Timeline::Flight& flight = timeline.flights[i];
    entries.push_back({flight.begin_ps, TimelineEntry::Kind::flight, i});
    for (std::size_t stage = 0; stage < flight.stages.size(); ++stage) {
      entries.push_back({flight.stages[stage].begin_ps, TimelineEntry::Kind::stage, i, stage});
    }
  }
  for (std::size_t i = 0; i < timeline.intervals.size(); ++i) {
    entries.push_back({timeline.intervals[i].begin_ps, TimelineEntry::Kind::interval, i});
  }
  for (std::size_t i = 0; i < timeline.instants.size(); ++i) {
    entries.push_back({timeline.instants[i].at_ps, TimelineEntry::Kind::instant, i});
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.at_ps, a.kind, a.index, a.stage) < std::tuple(b.at_ps, b.kind, b.index, b.stage);
  });
  return entries;
}

Timeline only(Timeline timeline, const std::vector<std::string>& names) {
  constexpr std::uint32_t kGone = ~std::uint32_t{0};
  std::vector<std::uint32_t> moved;
  std::vector<Timeline::Row> rows;
  for (const Timeline::Row& row : timeline.rows) {
    const bool wanted = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return timeline.name(row.name) == name || timeline.name(row.domain) == name;
    });
    moved.push_back(wanted ? static_cast<std::uint32_t>(rows.size()) : kGone);
    if (wanted) rows.push_back(row);
  }
  const auto keep = [&](auto& records) {
    for (auto& record : records) record.row = moved[record.row];
    std::erase_if(records, [](const auto& record) { return record.row == kGone; });
  };
  keep(timeline.intervals);
  keep(timeline.instants);
  keep(timeline.flights);
  timeline.rows = std::move(rows);
  return timeline;
}

std::vector<std::string> timeline_names(const Scenario& scenario) {
  QuantileTables tables;
  const Replication replication(scenario, tables, scenario.run.seed, 0);
  const SystemView& view = replication.view();
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const SystemView::CpuView& cpu : view.cpus) add(cpu.name);
  for (const SystemView::CpuView& cpu : view.cpus) add(cpu.domain);
  for (const SystemView::InterruptView& interrupt : view.interrupts) add(interrupt.name);
  return names;
}

}  // namespace vecusim
