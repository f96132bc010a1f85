// Drives a policy through the recorded cases and vectors in tests/golden.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "schedulers/policy.hpp"
#include "source_dir.hpp"
#include "system/golden.hpp"
#include "system/golden_case_replay.hpp"
#include "system/golden_text.hpp"

namespace vecusim::test {

inline std::filesystem::path golden_folder() { return ::source_dir() / "tests" / "golden"; }

/// The pairs whose input's name starts so.
inline std::vector<golden::Pair> golden_pairs(std::string_view prefix) {
  std::vector<golden::Pair> pairs = golden::find_pairs(golden_folder());
  std::erase_if(pairs, [&](const golden::Pair& pair) { return !pair.input.filename().string().starts_with(prefix); });
  return pairs;
}

/// Every line of all `count` traces must be as recorded.
inline void check_golden(std::string_view prefix, std::size_t count) {
  const std::vector<golden::Pair> pairs = golden_pairs(prefix);
  CHECK(pairs.size() == count);
  for (const golden::Pair& pair : pairs) {
    const auto difference = golden::compare(pair);
    if (difference) FAIL_CHECK(golden::to_text(*difference, pair.input));
  }
}

/// One socket and no siblings: such a machine decides the same if it is described as Xen on Arm describes its own, with
/// all core ids 0.
inline bool is_flat(const golden::Case& one) {
  return std::all_of(one.pcpus.begin(), one.pcpus.end(), [&](const PcpuPlace& place) {
    return place.socket == one.pcpus.front().socket && place.siblings.size() == 1;
  });
}

/// The flat ones of the cases, at least `least` of them, on Arm's topology.
inline void check_golden_on_arm(std::string_view prefix, std::size_t least) {
  std::size_t driven = 0;
  for (const golden::Pair& pair : golden_pairs(prefix)) {
    if (!pair.input.filename().string().ends_with(".case.json")) continue;
    golden::Case one = golden::read_case(golden::read_text(pair.input), pair.input.string());
    if (!is_flat(one)) continue;
    one.pcpus = arm_machine(one.pcpus.size(), {}).pcpus;
    const auto difference = golden::compare(*golden::replay_case(std::move(one)), pair.expected);
    if (difference) FAIL_CHECK(golden::to_text(*difference, pair.input));
    ++driven;
  }
  CHECK(driven >= least);
}

}  // namespace vecusim::test
