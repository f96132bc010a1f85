// `vecusim schema`: the JSON Schema of scenarios, or their reference page.
#include "app/commands.hpp"
#include "system/json_fields.hpp"
#include "system/json_print.hpp"
#include "system/scenario.hpp"

namespace vecusim {

namespace {

constexpr std::string_view kTitle = "Scenario, key by key (made by `vecusim schema --markdown`)";

Status run(const Session& session) {
  const Scenario defaults;
  session.console.data(session.arguments.has("markdown") ? json::markdown(defaults, kTitle)
                                                         : json::pretty(json::schema(defaults, "vecusim/scenario/1")));
  return Status::done;
}

}  // namespace

Verb schema_verb() {
  return {.name = "schema",
          .operands = "",
          .sentence = "prints the JSON Schema of scenario files, for editors and other tools, or the reference page",
          .options = {{.name = "markdown", .sentence = "the reference page of every key, docs/scenario.md"}},
          .examples = {{{"schema > scenario.schema.json", "an editor that knows the schema completes and checks keys"},
                        {"schema --markdown > docs/scenario.md", "how the reference page is made"},
                        {"schema --markdown | grep late_answer", "what a key means"}}},
          .run = run};
}

}  // namespace vecusim
