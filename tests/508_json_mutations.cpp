// Twenty thousand damaged documents: none crashes or hangs, and each that is refused says where it is wrong.
#include <random>

#include "catch.hpp"
#include "json_example.hpp"
#include "system/json_print.hpp"

namespace vecusim::test {
namespace {

constexpr std::string_view kValid = R"({
  "trace": true, "title": "br\u00e9ke \"1\"", "seed": 18, "speed": 2.25, "cycle_ns": 0.5, "vwfi": "native",
  "arrivals_s": [0, 0.5, 1e-12], "tags": ["x", "ü"],
  "scheduler": {"model": "rtds", "budget_us": 2000, "period_us": 5000, "extratime": true},
  "domains": [{"name": "dom0", "vcpus": 2, "affinity": [0, 1]}, {"name": "domU", "affinity": [[2], [2, 3]]}],
  "costs": {"b": {"value": 1}, "a": {"value": 0.5, "range": [0.25, 2]}}
}
)";

/// What an editor, a merge or a cosmic ray does to a text.
std::string damaged(std::string text, std::mt19937_64& random) {
  constexpr std::string_view kPieces[] = {"{", "}", "[",  "]",   ",",    ":",    "\"",   "\\", "\\u", "e",    "-",
                                          ".", "0", "1e", "999", "null", "true", "\xFF", "ü",  "\n",  "\r\n", " "};
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  for (std::size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size());
    const std::size_t length = 1 + below(12);
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        std::swap(text[at], text[below(text.size())]);
        break;
    }
  }
  return text;
}

TEST_CASE("a damaged document is read or refused with a located problem") {
  std::mt19937_64 random{508};
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = damaged(std::string{kValid}, random);
    Machine machine;
    Problems problems;
    const auto node = json::parse(text, "m.json", problems);
    if (node) json::read(*node, machine, problems);
    INFO(text << problems.text());
    REQUIRE((node || problems.has_errors()));
    refused += problems.has_errors() ? 1 : 0;
    for (const Problem& problem : problems.kept()) {
      REQUIRE(problem.place.line > 0);
      REQUIRE(problem.place.column > 0);
      REQUIRE(problem.place.file_name() == "m.json");
      REQUIRE_FALSE(problem.expected.empty());
      REQUIRE_FALSE(problem.found.empty());
      REQUIRE_FALSE(problem.rule.empty());
      REQUIRE(to_text(problem).find('\n') == std::string::npos);
    }
    // The problems can be told as JSON whatever bytes they quote.
    Problems none;
    REQUIRE(json::parse(json::compact(problems.to_json()), "p.json", none));
  }
  // Most damage is noticed, and some is not damage (a blank more, another digit).
  CHECK(refused > 15'000);
  CHECK(refused < 20'000);
}

TEST_CASE("what a damaged document is read as is written and read again") {
  std::mt19937_64 random{509};
  for (int i = 0; i < 5'000; ++i) {
    Machine machine;
    Problems problems;
    const auto node = json::parse(damaged(std::string{kValid}, random), "m.json", problems);
    if (node) json::read(*node, machine, problems);
    if (problems.has_errors()) continue;
    const auto [back, again] = read_machine(json::compact(json::write(machine)));
    INFO(again);
    REQUIRE(again.empty());
    REQUIRE(back == machine);
  }
}

}  // namespace
}  // namespace vecusim::test
