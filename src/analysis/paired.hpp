// Paired differences: by how much a point of a sweep differs from a base point, when both have met the same randomness.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/statistics.hpp"
#include "analysis/sweep.hpp"

namespace vecusim {

/// Of one number of the result, in its unit.
struct PairedDifference {
  std::string path;
  /// The point's number less the base's.
  double change = 0.0;
  /// 95 %; empty if there is no telling: one replication, or not as many as the base has.
  std::optional<Interval> interval95;
};

/// Replication by replication a point differs from the base by its values alone, so that what both share drops out:
/// means and rates get the interval of the paired differences (Student's t, of a mean its ratio estimator), with what
/// so many replications may not have seen; a percentile that of both intervals and of how alike the shares of samples
/// below it are from replication to replication. Source: G. Y. Zou, Psychological Methods 12 (2007) 399, for the
/// interval from two intervals and a correlation.
class PairedBase {
 public:
  explicit PairedBase(const SweepRow& row);

  /// Of the numbers that both results have and that can have such an interval, in the order of the result.
  std::vector<PairedDifference> differences(const SweepRow& row) const;

 private:
  Tally tally_;
  std::map<std::string, double, std::less<>> numbers_;
  std::vector<std::string> rates_;  // the paths of Tally::figures
  std::map<std::string, std::size_t, std::less<>> interrupts_;
  std::vector<std::array<QuantileResult, kLevels>> quantiles_;  // by interrupt
};

/// Fewer replications than this say too little of how alike two percentiles scatter: they count as independent.
inline constexpr std::size_t kLeastToCorrelate = 10;

/// The interval of b - a from their own, and how alike they scatter, from -1 to 1.
Interval correlated_interval(double a, const Interval& of_a, double b, const Interval& of_b, double correlation);

/// `difference.PATH`, `.lo` and `.hi`: the columns of a sweep's rows.
std::vector<Column> to_columns(const std::vector<PairedDifference>& differences);

/// A sweep's memory that knows one more point, the base, which has been computed beforehand.
class WithBase final : public SweepMemory {
 public:
  /// `inner` may be null.
  WithBase(SweepMemory* inner, const SweepRow& base) : inner_(inner), index_(base.point.index), base_(base.tally) {}

  std::uint64_t replications(const SweepPoint& point) override;
  Tally tally(const SweepPoint& point) override;
  void keep(const SweepRow& row, Tally& tally) override;

 private:
  SweepMemory* inner_;
  std::size_t index_;
  Tally base_;
};

/// The point of a sweep that is meant: `N`, counted from 1, or by PTR=VALUE texts those that it has. Throws
/// InvalidInput if none or several are, naming `option`.
PlannedPoint named_point(const Sweep& sweep, const std::vector<std::string>& texts, std::string_view option);

}  // namespace vecusim
