// The test of printed figures, in integers of half a picosecond.
#include "analysis/feasibility.hpp"

#include <algorithm>
#include <cmath>

#include "system/json_decimal.hpp"

namespace vecusim {
namespace {

/// The least and the greatest true value of a printed figure, in half picoseconds, in which half a step is whole.
std::int64_t least(const Figure& figure, bool rounded) {
  return 2 * figure.value.count() - (rounded ? figure.step.count() : 0);
}
std::int64_t most(const Figure& figure, bool rounded) {
  return 2 * figure.value.count() + (rounded ? figure.step.count() : 0);
}

bool may_ascend(const std::optional<Figure>& a, const std::optional<Figure>& b, bool rounded) {
  return !a || !b || least(*a, rounded) <= most(*b, rounded);
}

/// The least n >= 1 with n * gain >= need, for need >= 0; empty if there is none.
std::optional<std::int64_t> least_n(std::int64_t need, std::int64_t gain) {
  if (need <= 0) return 1;
  if (gain <= 0) return std::nullopt;
  return (need - 1) / gain + 1;
}

struct Test {
  Contradiction contradiction = Contradiction::none;
  std::optional<std::int64_t> smallest_n;
};

/// (n-1) min + max <= n mean says n (mean - min) >= max - min; the other inequality is its mirror image. Each is tried
/// at the corner of the roundings that is kindest to it: for n > 1, if both hold at their corners, then both hold
/// together somewhere between these. One sample alone has one value.
Test test(const PrintedRow& row, bool rounded) {
  const bool ordered = may_ascend(row.min, row.mean, rounded) && may_ascend(row.mean, row.max, rounded) &&
                       may_ascend(row.min, row.max, rounded);
  if (!ordered) return {Contradiction::order, std::nullopt};
  const bool single = may_ascend(row.max, row.min, rounded) && may_ascend(row.max, row.mean, rounded) &&
                      may_ascend(row.mean, row.min, rounded);
  Test result{Contradiction::none, single ? 1 : 2};
  if (row.min && row.mean && row.max) {
    const auto from_below = least_n(least(*row.max, rounded) - least(*row.min, rounded),
                                    most(*row.mean, rounded) - least(*row.min, rounded));
    const auto from_above =
        least_n(most(*row.max, rounded) - most(*row.min, rounded), most(*row.max, rounded) - least(*row.mean, rounded));
    if (!from_below || *from_below > row.n) {
      result.contradiction = Contradiction::mean_too_low;
    } else if (!from_above || *from_above > row.n) {
      result.contradiction = Contradiction::mean_too_high;
    }
    if (!from_below || !from_above) {
      result.smallest_n.reset();
      return result;
    }
    result.smallest_n = std::max({*result.smallest_n, *from_below, *from_above});
  }
  if (result.contradiction == Contradiction::none && row.n < *result.smallest_n) {
    result.contradiction = Contradiction::order;
  }
  return result;
}

/// Whether the figures fit without one of them.
bool fits_without(const PrintedRow& row, std::optional<Figure> PrintedRow::*figure) {
  PrintedRow rest = row;
  (rest.*figure).reset();
  return row.*figure && test(rest, true).contradiction == Contradiction::none;
}

/// A mean that is too high for the one small sample speaks against that; else the greatest is the one to be doubted
/// first.
Reading reading_of(const PrintedRow& row, Contradiction contradiction) {
  if (contradiction == Contradiction::none) return Reading::printed;
  const bool without_min = fits_without(row, &PrintedRow::min);
  if (contradiction == Contradiction::mean_too_high && without_min) return Reading::min_apart;
  if (fits_without(row, &PrintedRow::max)) return Reading::max_apart;
  return without_min ? Reading::min_apart : Reading::none;
}

std::string us(double value) { return json::print_decimal(std::llround(value * 1e3), -3) + " us"; }
std::string us(const Figure& figure) { return us(to_us(figure.value)); }

/// The bound that the mean violates, at the kindest rounding.
double bound_us(const PrintedRow& row, Contradiction contradiction) {
  const double n = static_cast<double>(row.n);
  const double min = to_us(row.min->value);
  const double max = to_us(row.max->value);
  const double half_min = 0.5 * to_us(row.min->step);
  const double half_max = 0.5 * to_us(row.max->step);
  if (contradiction == Contradiction::mean_too_low) {
    return ((n - 1.0) * (min - half_min) + (max - half_max)) / n;
  }
  return ((min + half_min) + (n - 1.0) * (max + half_max)) / n;
}

}  // namespace

Feasibility feasibility(const PrintedRow& row) {
  const Test rounded = test(row, true);
  Feasibility result;
  result.contradiction = rounded.contradiction;
  result.reading = reading_of(row, rounded.contradiction);
  result.smallest_n = rounded.smallest_n;
  result.smallest_n_unrounded = test(row, false).smallest_n;
  return result;
}

std::string explain(const Feasibility& feasibility, const PrintedRow& row) {
  std::string text;
  switch (feasibility.contradiction) {
    case Contradiction::none:
      return text;
    case Contradiction::order:
      text = "no " + std::to_string(row.n) + (row.n == 1 ? " sample has" : " samples have") +
             " such figures: min <= mean <= max, and all the same if there is one sample";
      break;
    case Contradiction::mean_too_low:
      text = "with min " + us(*row.min) + " and max " + us(*row.max) + " the mean of " + std::to_string(row.n) +
             " samples is at least " + us(bound_us(row, feasibility.contradiction)) + ", printed is " + us(*row.mean);
      break;
    case Contradiction::mean_too_high:
      text = "with min " + us(*row.min) + " and max " + us(*row.max) + " the mean of " + std::to_string(row.n) +
             " samples is at most " + us(bound_us(row, feasibility.contradiction)) + ", printed is " + us(*row.mean);
      break;
  }
  if (feasibility.smallest_n) text += "; it would take n >= " + std::to_string(*feasibility.smallest_n);
  switch (feasibility.reading) {
    case Reading::max_apart:
      return text + "; read with max as no sample of the mean, like a late answer to a lost edge";
    case Reading::min_apart:
      return text + "; read with min as no sample of the mean";
    case Reading::printed:
    case Reading::none:
      return text + "; no figure can be left out to repair it";
  }
  return text;
}

}  // namespace vecusim
