// The two, and what does not go together with them.
#include "app/sweep_search.hpp"

#include "analysis/find.hpp"
#include "analysis/sensitivity.hpp"
#include "analysis/validate_simulation.hpp"
#include "app/experiments.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

/// What only a grid has.
void complain_of_grid(const Arguments& arguments, const std::string& instead, Complaints& complaints) {
  for (const char* other :
       {"vary", "zip", "sample", "csv", "out", "resume", "shard", "pareto", "against-point", "plot"}) {
    if (arguments.has(other)) complaints.add("--" + instead + ": not together with --" + std::string(other));
  }
}

}  // namespace

Status run_sensitivity(const Session& session) {
  const Arguments& arguments = session.arguments;
  Progress progress(session.console.style().progress);
  Complaints complaints;
  complain_of_grid(arguments, "sensitivity", complaints);
  if (arguments.has("meets")) complaints.add("--meets: only with --find");
  const auto word = complaints.gather([&] {
    return arguments.word("statistic", {"mean", "min", "p50", "p90", "p99", "max"}).value_or("mean");
  });
  const auto interrupt = complaints.gather([&] { return arguments.text("interrupt"); });
  const auto options = complaints.gather([&] { return run_options(session, progress); });
  complaints.gather([&] { return settings_of(arguments); });
  complaints.throw_if_any();
  const LoadedScenario loaded = load(session, arguments.operands.front());
  const Interrupts::Orderly orderly(session.interrupts);
  const Sensitivity found =
      sensitivity(loaded, interrupt.value(), statistic_named(word.value()).value(), options.value());
  session.console.data(arguments.has("json") ? json::pretty(to_json(found)) : to_text(found, kCostsShown));
  return Status::done;
}

Status run_find(const Session& session) {
  const Arguments& arguments = session.arguments;
  Progress progress(false);  // how many values it takes is not known beforehand
  Complaints complaints;
  complain_of_grid(arguments, "find", complaints);
  for (const char* other : {"sensitivity", "statistic"}) {
    if (arguments.has(other)) complaints.add("--find: not together with --" + std::string(other));
  }
  const auto span = complaints.gather([&] {
    Problems problems;
    auto parsed = parse_span(*arguments.text("find"), problems, "--find");
    if (!parsed) throw UsageError(problems.text());
    return *parsed;
  });
  const auto meets = complaints.gather([&] {
    const auto text = arguments.text("meets");
    if (!text) throw UsageError("--find: expected --meets \"FIGURE <= VALUE\" with it");
    return *text;
  });
  const auto options = complaints.gather([&] { return run_options(session, progress); });
  complaints.gather([&] { return settings_of(arguments); });
  complaints.throw_if_any();
  const LoadedScenario loaded = load(session, arguments.operands.front());
  Problems problems;
  const auto limit = parse_limit(meets.value(), interrupt_meant(loaded, arguments.text("interrupt")), problems);
  if (!limit) throw UsageError(problems.text());
  const Interrupts::Orderly orderly(session.interrupts);
  const Search search = find_limit(loaded, span.value(), *limit, options.value());
  session.console.data(arguments.has("json") ? json::pretty(to_json(search)) : to_text(search));
  return search.last_met ? Status::done : Status::unmet;
}

}  // namespace vecusim
