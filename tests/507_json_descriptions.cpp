// The schema accepts what the reader accepts, and the reference page says what there is.
#include <random>

#include "catch.hpp"
#include "json_example.hpp"
#include "json_schema_validator.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim::test {
namespace {

using json::Kind;
using json::Node;

constexpr std::string_view kValid = R"({
  "trace": true, "seed": 18, "speed": 2.25, "cycle_ns": 0.5, "vwfi": "native", "arrivals_s": [0, 0.5], "tags": ["x"],
  "scheduler": {"model": "rtds", "budget_us": 2000, "period_us": 5000, "extratime": true},
  "domains": [{"name": "dom0", "vcpus": 2, "affinity": [0, 1]}, {"name": "domU", "affinity": [[2], [2, 3]], "cap_pct": 4}],
  "costs": {"b": {"value": 1}, "a": {"value": 0.5, "range": [0.25, 2]}}
})";

Node some_value(std::mt19937_64& random) {
  constexpr std::string_view kValues[] = {"null",       "true",       "7",        "0.5",        "-3",
                                          "1e3",        "0",          "{}",       "[]",         "[1, 9]",
                                          "[[3], [4]]", "\"native\"", "\"rtds\"", "\"credit2\""};
  Problems problems;
  return *json::parse(kValues[random() % std::size(kValues)], "value", problems);
}

void collect(Node& node, std::vector<Node*>& nodes) {
  nodes.push_back(&node);
  for (Node& item : node.items) collect(item, nodes);
  for (json::Member& member : node.members) collect(member.value, nodes);
}

/// Replaces, removes or adds one value somewhere.
void change(Node& root, std::mt19937_64& random) {
  constexpr std::string_view kKeys[] = {"model", "budget_us", "ratelimit_us", "name", "x", "value", "vcpus", "cap_pct"};
  std::vector<Node*> nodes;
  collect(root, nodes);
  Node& node = *nodes[random() % nodes.size()];
  const std::uint64_t kind = random() % 4;
  if (kind == 0 && node.kind == Kind::object) {
    node.set(std::string{kKeys[random() % std::size(kKeys)]}, some_value(random));
  } else if (kind == 1 && !node.members.empty()) {
    node.members.erase(node.members.begin() + static_cast<std::ptrdiff_t>(random() % node.members.size()));
  } else if (kind == 2 && node.kind == Kind::array) {
    node.push_back(some_value(random));
  } else {
    node = some_value(random);
  }
}

/// Whether the reader takes the document, rules over several fields apart.
bool readable(const Node& document) {
  Machine machine;
  Problems problems;
  json::read(document, machine, problems);
  return std::all_of(problems.kept().begin(), problems.kept().end(),
                     [](const Problem& problem) { return problem.rule == "rule"; });
}

TEST_CASE("the schema accepts exactly the documents that the reader accepts") {
  const Node schema = json::schema(Machine{}, "Machine");
  Problems problems;
  const Node valid = *json::parse(kValid, "m.json", problems);
  REQUIRE(accepts(schema, valid));
  std::mt19937_64 random{507};
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    Node document = valid;
    for (std::uint64_t changes = 1 + random() % 2; changes > 0; --changes) change(document, random);
    INFO(json::compact(document));
    const bool expected = readable(document);
    REQUIRE(accepts(schema, document) == expected);
    accepted += expected ? 1 : 0;
  }
  CHECK(accepted > 2'000);
  CHECK(accepted < 18'000);
}

TEST_CASE("the schema accepts what is written") {
  CHECK(accepts(json::schema(Machine{}, "Machine"), json::write(Machine{})));
}

TEST_CASE("a schema states type, range, sentence and default in the unit of the key") {
  const Node schema = json::schema(Machine{}, "Machine");
  const auto at = [&](std::string_view pointer) {
    const Node* node = json::find(schema, pointer);
    return node != nullptr ? json::compact(*node) : "nothing";
  };
  CHECK(at("/$schema") == R"("https://json-schema.org/draft/2020-12/schema")");
  CHECK(at("/title") == R"("Machine")");
  CHECK(at("/properties/cycle_ns") ==
        R"({"type": "number", "minimum": 0.001, "description": "of the clock", "default": 0.667})");
  CHECK(at("/properties/vwfi") ==
        R"({"enum": ["trap", "native"], "description": "what a waiting vCPU does", "default": "trap"})");
  CHECK(at("/properties/scheduler/oneOf/0/properties/model/const") == R"("credit2")");
  CHECK(at("/properties/scheduler/oneOf/0/required") == "nothing");
  CHECK(at("/properties/scheduler/oneOf/1/required") == R"(["model"])");
  CHECK(at("/properties/scheduler/oneOf/0/properties/ratelimit_us/anyOf") ==
        R"([{"const": 0}, {"type": "integer", "minimum": 100, "maximum": 500000}])");
  CHECK(at("/properties/domains/items/required") == R"(["name"])");
  CHECK(at("/properties/domains/items/properties/cap_pct/default") == "nothing");
  CHECK(at("/properties/costs/additionalProperties/properties/value/minimum") == "0");
}

struct Pool {
  std::string name;
  Scheduler scheduler;
  void fields(FieldVisitor& visit) {
    visit.text({"name", "with a | and\na line end", true}, name);
    visit.object({"scheduler", "of the pool"}, scheduler);
  }
};

struct Pools {
  std::vector<Pool> pools;
  Scheduler scheduler;
  std::optional<Duration> limit;
  void fields(FieldVisitor& visit) {
    visit.list({"pools", "if there are several"}, pools);
    visit.object({"scheduler", "if there is one"}, scheduler);
    const Field field{"limit_us", "if there is any"};
    visit.optional(field, limit, [&](Duration& value) { visit.duration(field, value, at_least(1us)); });
  }
};

TEST_CASE("the page has a section for each object and alternative, and says nothing twice") {
  CHECK(json::markdown(Pools{}, "Pools") == R"(# Pools

| key | default | range | meaning |
|---|---|---|---|
| `pools` | `[]` | an array of objects | if there are several; see [`pools[]`](#pools-1) |
| `scheduler` | `{}` | an object | if there is one; see [`pools[].scheduler`](#poolsscheduler) |
| `limit_us` | not set | a number of at least 1 | if there is any |

## `pools[]`

| key | default | range | meaning |
|---|---|---|---|
| `name` | required | a string | with a \| and a line end |
| `scheduler` | `{}` | an object | of the pool; see [`pools[].scheduler`](#poolsscheduler) |

## `pools[].scheduler`

| key | default | range | meaning |
|---|---|---|---|
| `model` | `"credit2"` | `credit2`, `rtds` | who decides which vCPU runs<br>[`credit2`](#poolsscheduler-model-credit2): Xen's default<br>[`rtds`](#poolsscheduler-model-rtds): budgets \| periods |

## `pools[].scheduler`, model `credit2`

| key | default | range | meaning |
|---|---|---|---|
| `ratelimit_us` | `1000` | 0 or an integer in [100, 500000] | how long a vCPU may run before it is preempted; 0: no limit |

## `pools[].scheduler`, model `rtds`

| key | default | range | meaning |
|---|---|---|---|
| `budget_us` | `4000` | a number of at least 10 | time in each period |
| `period_us` | `10000` | a number of at least 10 | the period |
| `extratime` | `false` | true or false | whether what is left over may be used |
)");
}

TEST_CASE("the page lists every key of every kind of field") {
  const std::string page = json::markdown(Machine{}, "Machine");
  for (const char* row : {
           "| `trace` | `false` | true or false | whether everything is written down |\n",
           "| `cycle_ns` | `0.667` | a number of at least 0.001 | of the clock |\n",
           "| `vwfi` | `\"trap\"` | `trap`, `native` | what a waiting vCPU does<br>`trap`: Xen is entered when a vCPU "
           "waits<br>`native`: the pCPU waits |\n",
           "| `arrivals_s` | `[]` | an array of numbers in [0, 3600] | when edges come |\n",
           "| `tags` | `[\"a\"]` | an array of strings | for the user's own use |\n",
           "| `costs` | `{}` | an object of objects by name | by name; see [`costs.NAME`](#costsname) |\n",
           "| `range` | `[0, 1]` | an array of numbers of at least 0 | from and to |\n",
           "| `affinity` | `[]` | an array of integers in [0, 7], or an array of such arrays | pCPUs it may run on |\n",
       }) {
    INFO(page);
    CHECK(page.find(row) != std::string::npos);
  }
}

TEST_CASE("an alternative without fields of its own has no section") {
  struct Plain {
    std::size_t model = 0;
    void fields(FieldVisitor& visit) {
      struct Adapter final : Alternatives {
        explicit Adapter(std::size_t& m) : model(m) {}
        std::span<const Option> options() const override { return kSchedulerOptions; }
        std::size_t current() const override { return model; }
        void select(std::size_t option) override { model = option; }
        void fields(FieldVisitor& /*visit*/) override {}
        std::size_t& model;
      } alternatives{model};
      visit.alternatives({"model", "which", true}, alternatives);
    }
  };
  CHECK(json::markdown(Plain{}, "Plain") ==
        "# Plain\n\n| key | default | range | meaning |\n|---|---|---|---|\n"
        "| `model` | required | `credit2`, `rtds` | which<br>`credit2`: Xen's default<br>`rtds`: budgets \\| periods "
        "|\n");
}

}  // namespace
}  // namespace vecusim::test
