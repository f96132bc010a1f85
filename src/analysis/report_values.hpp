// A sample as plots need it: in bins of one width, and as a curve of few points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/histogram.hpp"
#include "analysis/samples.hpp"

namespace vecusim::report {

/// So many samples of this value.
struct Counted {
  Duration value;
  std::uint64_t n;
};
/// In ascending order.
using Values = std::vector<Counted>;

/// Exact as long as the samples are; of a large sample the middles of its buckets.
Values values_of(const Samples& samples);
Values values_of(const std::vector<Bin>& bins);
std::uint64_t count(const Values& values);

/// The edges of bins that hold all of some samples, one more than there are bins: of one width, or, where the greatest
/// value is far beyond the others, of one ratio.
struct Edges {
  bool logarithmic = false;
  std::vector<Duration> at;
};
/// Bins as fine as so many samples can fill. At least one sample is not empty.
Edges edges_for(const std::vector<const Values*>& samples);
/// How many lie in each bin.
std::vector<std::uint64_t> counts(const Edges& edges, const Values& values);

/// A point of the curve of the shares: `at_most` of the samples are not greater than the value, `beyond` are.
struct Share {
  Duration value;
  double at_most;
  double beyond;
};
/// In ascending order, the first and the last value included; of more than `most` values those that a logarithmic axis
/// of the shares shows best.
std::vector<Share> shares(const Values& values, std::size_t most);

}  // namespace vecusim::report
