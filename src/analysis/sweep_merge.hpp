// Joins the files of a sweep's shards.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace vecusim {

struct Merged {
  std::size_t files = 0;
  /// In the joint file afterwards.
  std::size_t points = 0;
};

/// Puts the points of `files` into `target`, which may have some already; of a point that several have, the one with
/// the most replications. All must be of one sweep: program, scenario, inputs and varied pointers. Throws InvalidInput
/// if they are not, before anything is written.
Merged merge_sweeps(const std::filesystem::path& target, const std::vector<std::filesystem::path>& files);

}  // namespace vecusim
