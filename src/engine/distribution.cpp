// The laws behind Distribution; the only file that needs quantile functions of a mathematical library.
#include "engine/distribution.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace vecusim {

namespace {

/// ps, at the share `u` of the way through sorted values.
double between(const std::vector<Duration>& sorted, double u) {
  const double place = u * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const auto lo = static_cast<double>(sorted[below].count());
  const auto hi = static_cast<double>(sorted[above].count());
  return lo + (place - static_cast<double>(below)) * (hi - lo);
}

}  // namespace

// The knots are the doubles from 2^-54 to 1/2 whose mantissa is zero behind the first five bits.
double QuantileTable::knot(std::size_t index) {
  const std::size_t octave = index / kPerOctave;
  const double within = 1.0 + static_cast<double>(index % kPerOctave) / kPerOctave;
  return std::ldexp(within, static_cast<int>(octave) - static_cast<int>(kOctaves) - 1);
}

double QuantileTable::rounded(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::round(mantissa * 0x1p40), exponent - 40);
}

double QuantileTable::look_up(const std::vector<double>& table, double u) {
  constexpr int kMantissaBits = 52;
  constexpr int kKnotBits = 5;
  constexpr std::uint64_t kBias = 1023;
  if (u < 0x1p-54) return table.front();
  const auto bits = std::bit_cast<std::uint64_t>(u);
  const std::uint64_t first = (kBias - kOctaves - 1) << kKnotBits;
  const std::size_t index = static_cast<std::size_t>((bits >> (kMantissaBits - kKnotBits)) - first);
  if (index + 1 >= table.size()) return table.back();
  constexpr std::uint64_t kRest = (std::uint64_t{1} << (kMantissaBits - kKnotBits)) - 1;
  const double between = static_cast<double>(bits & kRest) * 0x1p-47;
  return table[index] + between * (table[index + 1] - table[index]);
}

void QuantileTable::make_monotone() {
  for (std::size_t i = 1; i < kKnots; ++i) lower_[i] = std::max(lower_[i], lower_[i - 1]);
  upper_.back() = lower_.back();
  for (std::size_t i = kKnots - 1; i-- > 0;) upper_[i] = std::max(upper_[i], upper_[i + 1]);
}

QuantileTable QuantileTable::residual_life() const {
  // From the longest length to the shortest, each with the probability of a longer one and with E[(L - length)+].
  std::vector<double> length = upper_;
  std::vector<double> longer;
  for (std::size_t i = 0; i < kKnots; ++i) longer.push_back(knot(i));
  for (std::size_t i = kKnots - 1; i-- > 0;) {
    length.push_back(lower_[i]);
    longer.push_back(1.0 - knot(i));
  }
  std::vector<double> excess = {0.0};
  for (std::size_t i = 1; i < length.size(); ++i) {
    excess.push_back(excess.back() + 0.5 * (longer[i - 1] + longer[i]) * (length[i - 1] - length[i]));
  }
  const double shortest = length.back();
  const double mean = shortest + excess.back();
  // Between two knots `longer` is linear in the length and the excess quadratic.
  const auto upper = [&](double v) {
    const double wanted = v * mean;
    if (wanted >= excess.back()) return std::max(0.0, mean - wanted);
    const auto i = static_cast<std::size_t>(std::upper_bound(excess.begin(), excess.end(), wanted) - excess.begin());
    const double slope = (longer[i] - longer[i - 1]) / (length[i - 1] - length[i]);
    const double missing = wanted - excess[i - 1];
    return length[i - 1] -
           2.0 * missing / (longer[i - 1] + std::sqrt(longer[i - 1] * longer[i - 1] + 2.0 * slope * missing));
  };
  return {[&](double u) { return u * mean <= shortest ? u * mean : upper(1.0 - u); }, upper};
}

std::shared_ptr<const QuantileTable> QuantileTables::lognormal(double sigma) {
  const std::lock_guard guard(mutex_);
  auto& table = tables_[{Family::lognormal, sigma, 0.0}];
  if (!table) {
    const double root2 = std::sqrt(2.0);
    const auto upper = [=](double v) { return std::exp(sigma * root2 * boost::math::erfc_inv(2.0 * v)); };
    table = std::make_shared<const QuantileTable>([=](double u) { return 1.0 / upper(u); }, upper);
  }
  return table;
}

std::shared_ptr<const QuantileTable> QuantileTables::normal() {
  const std::lock_guard guard(mutex_);
  auto& table = tables_[{Family::normal, 0.0, 0.0}];
  if (!table) {
    const double root2 = std::sqrt(2.0);
    const auto upper = [=](double v) { return root2 * boost::math::erfc_inv(2.0 * v); };
    table = std::make_shared<const QuantileTable>([=](double u) { return -upper(u); }, upper);
  }
  return table;
}

std::shared_ptr<const QuantileTable> QuantileTables::gamma(double shape) {
  const std::lock_guard guard(mutex_);
  auto& table = tables_[{Family::gamma, shape, 0.0}];
  if (!table) {
    table = std::make_shared<const QuantileTable>([=](double u) { return boost::math::gamma_p_inv(shape, u); },
                                                  [=](double v) { return boost::math::gamma_q_inv(shape, v); });
  }
  return table;
}

std::shared_ptr<const QuantileTable> QuantileTables::bounded_pareto(double ratio, double alpha) {
  const std::lock_guard guard(mutex_);
  auto& table = tables_[{Family::bounded_pareto, ratio, alpha}];
  if (!table) {
    // Of the unbounded law, the part beyond `ratio` is cut off and the rest is spread over (0, 1).
    const double cut = std::pow(ratio, -alpha);
    const auto at = [=](double survival) { return std::pow(survival, -1.0 / alpha); };
    table = std::make_shared<const QuantileTable>([=](double u) { return at(1.0 - u * (1.0 - cut)); },
                                                  [=](double v) { return at(cut + v * (1.0 - cut)); });
  }
  return table;
}

std::shared_ptr<const QuantileTable> QuantileTables::uniform(double share) {
  const std::lock_guard guard(mutex_);
  auto& table = tables_[{Family::uniform, share, 0.0}];
  if (!table) {
    table = std::make_shared<const QuantileTable>([=](double u) { return share + u * (1.0 - share); },
                                                  [=](double v) { return 1.0 - v * (1.0 - share); });
  }
  return table;
}

std::shared_ptr<const QuantileTable> QuantileTables::empirical(const std::vector<Duration>& sorted) {
  const std::lock_guard guard(mutex_);
  auto& table = empirical_[sorted];
  if (!table) {
    const auto at = [&](double u) { return between(sorted, u); };
    table = std::make_shared<const QuantileTable>(at, [&](double v) { return at(1.0 - v); });
  }
  return table;
}

std::shared_ptr<const QuantileTable> QuantileTables::residual_life(const std::shared_ptr<const QuantileTable>& length) {
  const std::lock_guard guard(mutex_);
  auto& table = residual_lives_[length];
  if (!table) table = std::make_shared<const QuantileTable>(length->residual_life());
  return table;
}

Distribution Distribution::constant(Duration value) { return uniform(value, value); }

Distribution Distribution::uniform(Duration lo, Duration hi) {
  assert(lo <= hi);
  Distribution result;
  result.base_ = lo;
  result.scale_ = static_cast<double>((hi - lo).count());
  return result;
}

Distribution Distribution::lognormal(QuantileTables& tables, Duration median, double sigma) {
  assert(median >= Duration::zero() && sigma >= 0.0);
  if (sigma == 0.0) return constant(median);
  return tabulated(tables.lognormal(sigma), static_cast<double>(median.count()));
}

Distribution Distribution::gamma(QuantileTables& tables, double shape, Duration scale) {
  assert(shape > 0.0 && scale >= Duration::zero());
  return tabulated(tables.gamma(shape), static_cast<double>(scale.count()));
}

Distribution Distribution::bounded_pareto(QuantileTables& tables, Duration lo, Duration hi, double alpha) {
  assert(lo > Duration::zero() && lo <= hi && alpha > 0.0);
  if (lo == hi) return constant(lo);
  const auto unit = static_cast<double>(lo.count());
  return tabulated(tables.bounded_pareto(static_cast<double>(hi.count()) / unit, alpha), unit);
}

Distribution Distribution::tabulated(std::shared_ptr<const QuantileTable> table, double scale) {
  Distribution result;
  result.law_ = Law::tabulated;
  result.scale_ = scale;
  result.table_ = std::move(table);
  return result;
}

Distribution Distribution::empirical(std::vector<Duration> values) {
  assert(!values.empty());
  Distribution result;
  result.law_ = Law::empirical;
  result.values_ = std::move(values);
  std::sort(result.values_.begin(), result.values_.end());
  return result;
}

Distribution Distribution::residual_life(QuantileTables& tables) const {
  if (law_ == Law::tabulated) return tabulated(tables.residual_life(table_), scale_);
  if (least() == most()) return uniform({}, most());
  if (law_ == Law::empirical) return tabulated(tables.residual_life(tables.empirical(values_)), 1.0);
  const double longest = static_cast<double>(base_.count()) + scale_;
  return tabulated(tables.residual_life(tables.uniform(static_cast<double>(base_.count()) / longest)), longest);
}

Duration Distribution::quantile(double u) const {
  switch (law_) {
    case Law::linear:
      return base_ + from_ps(u * scale_);
    case Law::tabulated:
      return from_ps(scale_ * (*table_)(u));
    case Law::empirical:
      break;
  }
  return from_ps(between(values_, u));
}

}  // namespace vecusim
