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
  const std::string from = against.value_or(arguments.operands.front());
  if (from == "-" && arguments.operands.back() == "-") throw UsageError("compare: expected standard input once");
  const Side before = read_side(from);
  const Side after = read_side(arguments.operands.back());
  const Comparison comparison = compare(before, after);
  if (against && !comparison.worse() && !comparison.judges()) {
    throw InvalidInput(Problem{{},
                               "",
                               "something that --against can judge: a requirement, or a latency with intervals of " +
                                   std::to_string(kLeastToCompare) + " samples or more",
                               "none in " + before.name + " and " + after.name});
  }
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
          "samples can show it; - for standard input",
      .least_operands = 1,
      .most_operands = 2,
      .options = {{.name = "against",
                   .argument = "BEFORE",
                   .sentence = "with AFTER alone: exit status 1 if a requirement is no longer met, a latency is "
                               "surely greater, or one of BEFORE is missing"}},
      .examples = {{{"compare old/result.json new/result.json", "what changed, verdicts first"},
                    {"compare new/result.json --against old/result.json --json", "a gate for continuous integration"},
                    {"compare bench.csv out/result.json", "a bench's samples and a prediction"}}},
      .run = run};
}

}  // namespace vecusim
