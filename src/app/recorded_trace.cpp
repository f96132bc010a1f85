// From a file to a trace and its scenario.
#include "app/recorded_trace.hpp"

#include "analysis/trace_scenario.hpp"
#include "system/data_files.hpp"
#include "system/scenario_input.hpp"

namespace vecusim {

std::optional<RecordedTrace> open_recorded(const Session& session, const std::string& file) {
  const auto content = is_file(file) ? file_content(file) : std::nullopt;
  if (!content || !looks_like_xentrace(*content)) return std::nullopt;
  RecordedTrace trace{file, read_xentrace(*content, file), 0.0};
  session.console.note(trace.records.problems.text());
  constexpr std::uint64_t kMostHz = 100'000'000'000;
  if (const auto given = session.arguments.number("counter-hz", 1, kMostHz)) {
    trace.counter_hz = static_cast<double>(*given);
  } else if (const auto told = guess_counter_hz(trace.records)) {
    trace.counter_hz = *told;
  } else {
    throw UsageError(file +
                     " does not tell the frequency of its counter: expected --counter-hz N (on Arm that of the " +
                     "generic timer, 54000000 on a Raspberry Pi 4)");
  }
  return trace;
}

json::Node scenario_of(const RecordedTrace& trace) {
  return scenario_of(episodes_of(trace.records, trace.counter_hz), scheduler_of(trace.records),
                     "what " + trace.name + " recorded");
}

}  // namespace vecusim
