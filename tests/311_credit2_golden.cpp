// Credit2's golden traces: every decision of Xen 4.14.6 that was recorded, and traces derived from those.
#include <utility>

#include "golden_files.hpp"
#include "system/json_fields.hpp"

namespace vecusim::test {
namespace {

/// The recorded cases, with the arrangement of each.
std::vector<std::pair<golden::Case, golden::Pair>> cases_of(std::string_view arrangement) {
  std::vector<std::pair<golden::Case, golden::Pair>> cases;
  for (const golden::Pair& pair : golden_pairs("c2_")) {
    golden::Case one = golden::read_case(golden::read_text(pair.input), pair.input.string());
    json::PartOf<Config> part{*one.config};
    if (json::write(static_cast<Part&>(part)).find("runqueue")->text == arrangement) {
      cases.emplace_back(std::move(one), pair);
    }
  }
  return cases;
}

void arrange(golden::Case& one, std::string_view arrangement) {
  json::PartOf<Config> part{*one.config};
  Problems problems;
  json::Node parameters = json::Node::object();
  parameters.set("runqueue", json::Node::string(std::string(arrangement)));
  json::read(parameters, part, problems);
  REQUIRE(problems.empty());
}

void check_same(golden::Case one, const golden::Pair& recorded) {
  const auto difference = golden::compare(*golden::replay_case(std::move(one)), recorded.expected);
  if (difference) FAIL_CHECK(golden::to_text(*difference, recorded.input));
}

TEST_CASE("Credit2 makes every recorded decision") {
  check_golden("c2_", 105);
  check_golden("credit2-", 12);
}

TEST_CASE("Credit2 decides the same on the topology that Arm describes, unless each core has a runqueue") {
  std::size_t driven = 0;
  for (const std::string_view arrangement : {"cpu", "socket", "all"}) {
    for (auto& [one, recorded] : cases_of(arrangement)) {
      if (!is_flat(one)) continue;
      one.pcpus = arm_machine(one.pcpus.size(), {}).pcpus;
      check_same(std::move(one), recorded);
      ++driven;
    }
  }
  CHECK(driven == 80);
}

TEST_CASE("Credit2: on Arm, arrangements core, node and all are arrangement socket") {
  std::size_t driven = 0;
  for (const std::string_view arrangement : {"core", "node", "all"}) {
    for (auto& [one, recorded] : cases_of("socket")) {
      if (!is_flat(one)) continue;
      one.pcpus = arm_machine(one.pcpus.size(), {}).pcpus;
      arrange(one, arrangement);
      check_same(std::move(one), recorded);
      ++driven;
    }
  }
  CHECK(driven == 3 * 77);
}

TEST_CASE("Credit2: with one node, arrangement node is arrangement all, whatever the sockets") {
  std::size_t driven = 0;
  for (auto& [one, recorded] : cases_of("all")) {
    arrange(one, "node");
    check_same(std::move(one), recorded);
    ++driven;
  }
  CHECK(driven == 3);
}

}  // namespace
}  // namespace vecusim::test
