// `vecusim policy`: one scheduler alone, driven from golden cases.
#include <optional>
#include <sstream>

#include "app/commands.hpp"
#include "system/golden.hpp"

namespace vecusim {

namespace {

Status run(const Session& session) {
  std::optional<std::filesystem::path> expected;
  if (const auto given = session.arguments.text("expect")) expected = *given;
  const std::filesystem::path path = session.arguments.operands.front();
  if (expected && std::filesystem::is_directory(path)) {
    throw UsageError("--expect: a folder's cases have their expected traces beside them");
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
          .options = {{.name = "expect", .argument = "TRACE", .sentence = "print the first difference to this trace"}},
          .examples = {{{"policy tests/golden/cases/ar_000_1p.case.json", "prints the trace"},
                        {"policy tests/golden/vectors/rtds-01.in --expect tests/golden/vectors/rtds-01.out",
                         "tells whether it is this trace, or where it first differs"},
                        {"policy tests/golden/vectors", "compares each with the expected trace beside it"}}},
          .run = run};
}

}  // namespace vecusim
