// `vecusim merge`: one file of several that hold parts of a sweep.
#include <string>

#include "analysis/sweep_merge.hpp"
#include "app/commands.hpp"
#include "system/json_node.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  const auto out = arguments.text("out");
  if (!out) throw UsageError("merge: expected --out FILE, found none");
  const Merged merged = merge_sweeps(*out, {arguments.operands.begin(), arguments.operands.end()});
  if (arguments.has("json")) {
    json::Node node = json::Node::object();
    node.set("schema", json::Node::string("vecusim/merged/1"));
    node.set("files", json::Node::integer(merged.files));
    node.set("points", json::Node::integer(merged.points));
    session.console.data(json::pretty(node));
  } else {
    session.console.data(*out + ": " + std::to_string(merged.points) + " points\n");
  }
  return Status::done;
}

}  // namespace

Verb merge_verb() {
  return {.name = "merge",
          .operands = "FILE…",
          .sentence =
              "joins the files of a sweep's shards: every point once, with the most replications that a file has of it",
          .least_operands = 1,
          .most_operands = kAnyNumber,
          .options = {{.name = "out", .argument = "FILE", .sentence = "the joint file; what it has already stays"}},
          .examples = {{{"merge a.sqlite b.sqlite --out r.sqlite", "the halves of --shard 1/2 and --shard 2/2"},
                        {"merge part-*.sqlite --out r.sqlite", "as many as there are"},
                        {"merge late.sqlite --out r.sqlite --json", "one more, and how many points there are then"}}},
          .run = run};
}

}  // namespace vecusim
