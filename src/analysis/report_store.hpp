// A sweep's store as a report needs it: every point's values and numbers, and the quartiles of its samples.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/time.hpp"
#include "system/json_node.hpp"

namespace vecusim::report {

/// Of one interrupt's samples at one point.
struct Box {
  Duration min;
  Duration lower;
  Duration median;
  Duration upper;
  Duration max;
};

struct StoredPoint {
  /// By varied pointer: as text, and as a number if it is one.
  std::vector<std::string> texts;
  std::vector<std::optional<double>> values;
  std::uint64_t replications = 0;
  /// Those that there are, by the positions of StoredSweep::paths; the rest is empty.
  std::vector<std::optional<double>> numbers;
  /// By the scenario's interrupts; empty without samples.
  std::vector<std::optional<Box>> boxes;
};

struct StoredSweep {
  std::string program;
  /// With all defaults, without what is varied.
  json::Node scenario;
  json::Node inputs;
  std::vector<std::string> pointers;
  /// Of every number that is a column of its own: `latency.edge.mean_us`.
  std::vector<std::string> paths;
  /// In the order in which they were kept.
  std::vector<StoredPoint> points;

  std::optional<std::size_t> column(std::string_view path) const;
  std::optional<double> number(const StoredPoint& point, std::string_view path) const;
  /// NAME of each `PREFIX.NAME.ENDING`, in the order of the columns.
  std::vector<std::string> names(std::string_view prefix, std::string_view ending) const;
};

/// Whether the file's content is an SQLite database's.
bool is_database(std::string_view content);
/// Throws InvalidInput if it is no sweep's store of this form.
StoredSweep read_stored_sweep(const std::filesystem::path& path);

}  // namespace vecusim::report
