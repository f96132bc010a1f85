// `vecusim policy`: one scheduler alone, driven from golden cases.
#include <optional>
#include <sstream>

#include "analysis/trace_replay.hpp"
#include "app/experiments.hpp"
#include "app/recorded_trace.hpp"
#include "system/golden.hpp"

namespace vecusim {

namespace {

/// The scheduler of a scenario, with what a recorded trace says of wakes and work.
Status compare(const Session& session, const RecordedTrace& trace) {
  const LoadedScenario loaded = load(session, session.arguments.operands.front());
  const TraceReplay replayed = replay(trace.records, trace.counter_hz, loaded);
  session.console.data(to_text(replayed));
  return replayed.counts()[0] == replayed.wakes.size() ? Status::done : Status::unmet;
}

Status run(const Session& session) {
  std::optional<std::filesystem::path> expected;
  if (const auto given = session.arguments.text("expect")) expected = *given;
  const std::filesystem::path path = session.arguments.operands.front();
  if (expected && std::filesystem::is_directory(path)) {
    throw UsageError("--expect: a folder's cases have their expected traces beside them");
  }
  if (expected) {
    if (const auto trace = open_recorded(session, expected->string())) return compare(session, *trace);
  }
  for (const std::string_view option : {"set", "counter-hz"}) {
    if (session.arguments.has(option)) throw UsageError("--" + std::string(option) + ": of a recorded trace only");
  }
  std::ostringstream out;
  const int status = golden::run_policy(path, expected, out);
  session.console.data(out.view());
  return status == 0 ? Status::done : Status::unmet;
}

}  // namespace

Verb policy_verb() {
  return {.name = "policy",
          .operands = "CASE",
          .sentence =
              "drives one scheduler alone from a golden case (NAME.case.json), a vector (NAME.in) or a folder "
              "of them, and prints or compares its trace",
          .least_operands = 1,
          .most_operands = 1,
          .options = {{.name = "expect",
                       .argument = "TRACE",
                       .sentence = "print the first difference to this trace; of an xentrace, with the scenario made "
                                   "of it as CASE, where its wakes were decided otherwise, and why"},
                      {.name = "set", .argument = "PTR=VALUE", .sentence = "of that scenario; may be repeated"},
                      {.name = "counter-hz",
                       .argument = "N",
                       .sentence = "of an xentrace: the frequency of its counter, where it does not tell"}},
          .examples = {{{"policy tests/golden/cases/ar_000_1p.case.json", "prints the trace"},
                        {"policy tests/golden/vectors/rtds-01.in --expect tests/golden/vectors/rtds-01.out",
                         "tells whether it is this trace, or where it first differs"},
                        {"policy s.json --expect trace.bin --counter-hz 54000000",
                         "what was recorded against our Credit2; s.json by `vecusim init trace.bin`"}}},
          .run = run};
}

}  // namespace vecusim
