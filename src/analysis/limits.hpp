// What the numbers of an experiment may be at most, whoever asks for them: the command line or Python.
#pragma once

#include <cstdint>

namespace vecusim {

// What a scenario's own reader accepts.
inline constexpr std::uint64_t kMostSeed = INT64_MAX;
inline constexpr std::uint64_t kMostReplications = 1'000'000;
inline constexpr std::uint64_t kMostThreads = 1024;

/// Experiments that a calibration simulates at each point.
inline constexpr std::uint64_t kLeastFitRepetitions = 50;
inline constexpr std::uint64_t kMostFitRepetitions = 100'000;
/// Experiments behind an interval of a validation; kRepetitions at least.
inline constexpr std::uint64_t kMostRepetitions = 1'000'000;

}  // namespace vecusim
