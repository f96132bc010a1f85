// From options to a trace.
#include "app/trace_request.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/text_layout.hpp"

namespace vecusim {

namespace {

/// "12.5" in ms; an empty text is `otherwise`, the end of the range on that side.
std::optional<Time> moment(std::string_view text, Time otherwise) {
  if (text.empty()) return otherwise;
  double ms = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(ms) || ms < 0.0) return std::nullopt;
  return kStart + from_ps(ms * 1e9);
}

std::optional<TimelineWindow> window_of(const std::string& text, std::string_view option) {
  if (text == "worst") return std::nullopt;
  const auto colon = text.find(':');
  const std::string_view all = text;
  const auto from = colon == std::string::npos ? std::nullopt : moment(all.substr(0, colon), kStart);
  const auto to = colon == std::string::npos ? std::nullopt : moment(all.substr(colon + 1), kNever);
  if (!from || !to || *from >= *to) {
    throw UsageError("--" + std::string(option) + ": expected FROM:TO in ms, FROM before TO, or worst; found \"" +
                     text + "\"");
  }
  return TimelineWindow{*from, *to};
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) words.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

/// The slowest answer of all replications with as much time before and after it as it took.
struct Around {
  std::uint32_t replication;
  TimelineWindow window;
};
Around around_worst(const Scenario& scenario, const Parallel& parallel, std::string_view option) {
  const Tally tally = run_replications(scenario, 1, parallel);
  const WorstFlight* worst = nullptr;
  for (const std::vector<WorstFlight>& flights : tally.worst) {
    if (!flights.empty() && (worst == nullptr || slower(flights.front(), *worst))) worst = &flights.front();
  }
  if (worst == nullptr) throw UsageError("--" + std::string(option) + " worst: no interrupt of the run has an answer");
  const Time from = worst->began - kStart > worst->latency ? worst->began - worst->latency : kStart;
  return {worst->replication, {from, worst->began + 2 * worst->latency}};
}

void tell(const Session& session, const Timeline& timeline) {
  TextStream text([&](std::string_view line) { session.console.detail(line); });
  text << "trace: replication " << timeline.replication << ", ";
  text.us(timeline.from_ps) << " to ";
  text.us(timeline.to_ps) << " us: " << std::uint64_t{timeline.intervals.size()} << " intervals, "
                          << std::uint64_t{timeline.instants.size()} << " instants, "
                          << std::uint64_t{timeline.flights.size()} << " flights\n";
  text.flush();
  if (timeline.from_ps == timeline.to_ps) {
    session.console.note("trace: the replication ends before the window begins, so there is nothing in it\n");
  }
  if (timeline.cut == 0) return;
  TextStream cut([&](std::string_view line) { session.console.note(line); });
  cut << "trace: there is room for " << std::uint64_t{kMostTimelineRecords} << " records, so it ends at ";
  cut.us(timeline.to_ps) << " us; " << timeline.cut << " later ones are left out: name a window\n";
  cut.flush();
}

}  // namespace

TraceRequest trace_request(const Arguments& arguments, const TraceOptionNames& names) {
  TraceRequest request;
  if (const auto window = arguments.text(names.window)) request.window = window_of(*window, names.window);
  if (const auto only = arguments.text(names.only)) request.only = split(*only);
  return request;
}

void check_rows(const TraceRequest& request, const Scenario& scenario, const TraceOptionNames& names) {
  if (request.only.empty()) return;
  const std::vector<std::string> there = timeline_names(scenario);
  std::string expected = "--" + std::string(names.only) + ": expected one of ";
  for (const std::string& known : there) expected += (&known == &there.front() ? "" : ", ") + known;
  Complaints complaints;
  for (const std::string& name : request.only) {
    if (std::find(there.begin(), there.end(), name) != there.end()) continue;
    std::string complaint = expected;
    complaint += "; found \"" + name + "\"" + did_you_mean(name, there);
    complaints.add(complaint);
  }
  complaints.throw_if_any();
}

void write_trace_of(const Session& session, const LoadedScenario& loaded, const RunOptions& options,
                    const TraceRequest& request, const TraceOptionNames& names, const TraceFormat& format,
                    Destination& to) {
  const Scenario scenario = with_options(loaded.scenario, options);
  Around part{0, {}};
  if (request.window) {
    part.window = *request.window;
  } else {
    part = around_worst(scenario, options.parallel, names.window);
  }
  Timeline timeline = record_timeline(scenario, part.replication, part.window, options.parallel.stop);
  if (!request.only.empty()) timeline = only(std::move(timeline), request.only);
  tell(session, timeline);
  to.write([&](TextStream& out) { format.write(timeline, out); });
}

}  // namespace vecusim
