// Distribution: laws of durations, sampled by inversion with one uniform per draw, so that a larger uniform never gives
// less.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "engine/time.hpp"

namespace vecusim {

/// A tabulated quantile function of scale one, monotone, linear between its knots: 32 knots per binary octave of u
/// towards 0 and of 1 - u towards 1, so both tails are as fine as the middle. Relative error below 1e-3 for every u of
/// a lognormal law with sigma up to 3, a gamma law with shape from 0.5 and a bounded Pareto law with alpha from 0.5.
/// Its entries are rounded to 40 bits: a C library whose last bit differs gives the same table.
class QuantileTable {
 public:
  /// `quantile(u)` and `upper(v)` = quantile(1 - v), which keeps its precision where v is tiny; both for arguments up
  /// to 1/2.
  template <class Lower, class Upper>
  QuantileTable(Lower quantile, Upper upper) {
    for (std::size_t i = 0; i < kKnots; ++i) {
      lower_.push_back(rounded(quantile(knot(i))));
      upper_.push_back(rounded(upper(knot(i))));
    }
    make_monotone();
  }

  /// What is left, at a random moment, of a length with this law, whose values must not be negative: the density of the
  /// rest is P(length > x) / mean. Exact for the tabulated law, up to the longest length.
  QuantileTable residual_life() const;

  /// u in (0, 1).
  double operator()(double u) const { return u < 0.5 ? look_up(lower_, u) : look_up(upper_, 1.0 - u); }

 private:
  static constexpr std::size_t kPerOctave = 32;
  static constexpr std::size_t kOctaves = 53;
  static constexpr std::size_t kKnots = kPerOctave * kOctaves + 1;  // the last one is 1/2

  static double knot(std::size_t index);
  static double rounded(double value);
  static double look_up(const std::vector<double>& table, double u);
  void make_monotone();

  std::vector<double> lower_;
  std::vector<double> upper_;
};

/// Makes each table once and shares it between the points and replications of an experiment; safe to use from several
/// threads.
class QuantileTables {
 public:
  /// Lognormal with median 1 and standard deviation `sigma` of the logarithm.
  std::shared_ptr<const QuantileTable> lognormal(double sigma);
  /// Standard normal.
  std::shared_ptr<const QuantileTable> normal();
  /// Gamma of scale 1; shape 1 is the exponential law.
  std::shared_ptr<const QuantileTable> gamma(double shape);
  /// Density proportional to x^-(alpha + 1) between 1 and `ratio`.
  std::shared_ptr<const QuantileTable> bounded_pareto(double ratio, double alpha);
  /// Between `share` and 1.
  std::shared_ptr<const QuantileTable> uniform(double share);
  /// Values in ps, linear between the sorted ones.
  std::shared_ptr<const QuantileTable> empirical(const std::vector<Duration>& sorted);
  /// See QuantileTable::residual_life().
  std::shared_ptr<const QuantileTable> residual_life(const std::shared_ptr<const QuantileTable>& length);

 private:
  enum class Family : std::uint8_t { normal, lognormal, gamma, bounded_pareto, uniform };
  std::mutex mutex_;
  std::map<std::vector<Duration>, std::shared_ptr<const QuantileTable>> empirical_;
  std::map<std::shared_ptr<const QuantileTable>, std::shared_ptr<const QuantileTable>> residual_lives_;
  std::map<std::tuple<Family, double, double>, std::shared_ptr<const QuantileTable>> tables_;
};

/// A law of durations; made without a law it is always zero.
class Distribution {
 public:
  /// Always `value`.
  static Distribution constant(Duration value);
  /// Between `lo` and `hi`, which may be equal.
  static Distribution uniform(Duration lo, Duration hi);
  /// median >= 0; sigma >= 0, the standard deviation of the logarithm.
  static Distribution lognormal(QuantileTables& tables, Duration median, double sigma);
  /// mean = shape * scale; shape > 0, scale >= 0.
  static Distribution gamma(QuantileTables& tables, double shape, Duration scale);
  /// Density proportional to x^-(alpha + 1) between `lo` > 0 and `hi`; alpha > 0.
  static Distribution bounded_pareto(QuantileTables& tables, Duration lo, Duration hi, double alpha);
  /// The values themselves (at least one), linear between the sorted ones.
  static Distribution empirical(std::vector<Duration> values);

  /// What is left, at a random moment, of a length with this law.
  Distribution residual_life(QuantileTables& tables) const;

  /// The only way to sample: one uniform in (0, 1), one duration. Never decreases in u.
  Duration quantile(double u) const;
  /// The least and the most that RandomStream::uniform() can draw: what a bound over all draws may count on.
  Duration least() const { return quantile(0x1p-53); }
  Duration most() const { return quantile(1.0 - 0x1p-53); }

 private:
  enum class Law : std::uint8_t { linear, tabulated, empirical };

  static Distribution tabulated(std::shared_ptr<const QuantileTable> table, double scale);

  Law law_ = Law::linear;
  Duration base_{};     // linear: the value at u = 0
  double scale_ = 0.0;  // ps; linear: hi - lo; tabulated: the unit
  std::shared_ptr<const QuantileTable> table_;
  std::vector<Duration> values_;
};

}  // namespace vecusim
