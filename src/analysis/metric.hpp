// Metrics: the numbers of a result by the names that users give them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/result.hpp"
#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// The path of what a user calls a figure: `p99`, `p99.9` and `mean` are those of the latency of `interrupt`, as is any
/// name without a dot; else it is a path itself, whose end may be as short: `latency.edge.p99`. Empty if there is no
/// telling whose latency is meant.
std::optional<std::string> metric_path(std::string_view figure, const std::optional<std::string>& interrupt);

/// The number at a path of a result's columns, a verdict being 1 or 0; empty if there is none, or nothing to tell.
std::optional<double> number_at(const std::vector<Column>& columns, std::string_view path);

/// The path of a metric's 95 % interval, whose ends are `….lo` and `….hi`; empty for metrics that have none.
std::optional<std::string> interval_path(std::string_view path);

/// Every path that a result of this scenario can have, in the order of its columns.
std::vector<std::string> metric_paths(const Scenario& scenario);

/// That a result has no such number: named by `place` (an option, a pointer), with the nearest of `paths`.
Problem unknown_metric(std::string_view place, const std::string& path, const std::vector<std::string>& paths);

}  // namespace vecusim
