// `vecusim compare`: two results, or a result and bench data.
#include <optional>
#include <string>

#include "analysis/compare.hpp"
#include "app/commands.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  const auto against = arguments.text("against");
  if (arguments.operands.size() != (against ? 1 : 2)) {
    throw UsageError("compare: expected BEFORE AFTER, or AFTER --against BEFORE");
  }
  const Side before = read_side(against.value_or(arguments.operands.front()));
  const Side after = read_side(arguments.operands.back());
  const Comparison comparison = compare(before, after);
  session.console.data(arguments.has("json") ? json::pretty(to_json(comparison)) : to_text(comparison));
  return against && comparison.worse() ? Status::unmet : Status::done;
}

}  // namespace

Verb compare_verb() {
  return {
      .name = "compare",
      .operands = "BEFORE AFTER",
      .sentence =
          "tells what changed between two result documents, or a result and bench data, and whether so many "
          "samples can show it",
      .least_operands = 1,
      .most_operands = 2,
      .options = {{.name = "against",
                   .argument = "BEFORE",
                   .sentence = "with AFTER alone: exit status 1 if a requirement is no longer met, or a latency is "
                               "surely greater"}},
      .examples = {{{"compare old/result.json new/result.json", "what changed, verdicts first"},
                    {"compare new/result.json --against old/result.json --json", "a gate for continuous integration"},
                    {"compare bench.csv out/result.json", "a bench's samples and a prediction"}}},
      .run = run};
}

}  // namespace vecusim
