// Permutations and resamplings with numbers of their own.
#include "analysis/two_sample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/random.hpp"

namespace vecusim {
namespace {

constexpr std::uint64_t kSeed = 0x74776f2073616d70;

using Sample = std::vector<Duration>;

std::size_t below(RandomStream& stream, std::size_t n) {
  return std::min(n - 1, static_cast<std::size_t>(stream.uniform() * static_cast<double>(n)));
}

Sample sorted(std::span<const Duration> values) {
  Sample result(values.begin(), values.end());
  std::sort(result.begin(), result.end());
  return result;
}

/// As many values drawn from a sorted sample, sorted: how often each is drawn is all that is needed.
Sample resampled(const Sample& values, RandomStream& stream) {
  std::vector<std::uint32_t> times(values.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) ++times[below(stream, values.size())];
  Sample drawn;
  drawn.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) drawn.insert(drawn.end(), times[i], values[i]);
  return drawn;
}

/// The share of lots that put samples of these sizes at least `distance` apart; the observed one counts as a lot.
double permutation_p(Sample joint, std::size_t first, double distance, std::size_t lots) {
  RandomStream stream(kSeed, 1, "permutations");
  std::size_t as_far = 1;
  for (std::size_t lot = 0; lot < lots; ++lot) {
    for (std::size_t i = joint.size() - 1; i > 0; --i) std::swap(joint[i], joint[below(stream, i + 1)]);
    const std::span<const Duration> all{joint};
    as_far += wasserstein_us(sorted(all.first(first)), sorted(all.subspan(first))) >= distance * (1.0 - 1e-12) ? 1 : 0;
  }
  return static_cast<double>(as_far) / static_cast<double>(lots + 1);
}

/// Resampling adds the samples' own scatter to their distance: the interval is that of the basic bootstrap.
Interval bootstrap(const Sample& a, const Sample& b, double distance, std::size_t resamplings) {
  RandomStream stream(kSeed, 2, "resamplings");
  std::vector<double> distances;
  distances.reserve(resamplings);
  for (std::size_t i = 0; i < resamplings; ++i) {
    distances.push_back(wasserstein_us(resampled(a, stream), resampled(b, stream)));
  }
  std::sort(distances.begin(), distances.end());
  const double lo = distances[nearest_rank(resamplings, 0.025) - 1];
  const double hi = distances[nearest_rank(resamplings, 0.975) - 1];
  return {std::max(0.0, 2.0 * distance - hi), std::max(0.0, 2.0 * distance - lo)};
}

}  // namespace

WassersteinDistance wasserstein_distance(std::span<const Duration> a, std::span<const Duration> b,
                                         std::size_t resamplings) {
  const Sample sorted_a = sorted(a);
  const Sample sorted_b = sorted(b);
  const double distance = wasserstein_us(sorted_a, sorted_b);
  return {distance, bootstrap(sorted_a, sorted_b, distance, resamplings)};
}

std::string comparison_refusal(std::size_t a, std::size_t b) {
  const std::size_t least = std::min(a, b);
  if (least >= kLeastToCompare) return {};
  return "distributions are not compared: " + std::to_string(least) + " samples, at least " +
         std::to_string(kLeastToCompare) + " are needed on either side";
}

TwoSampleOutcome compare_distributions(std::span<const Duration> a, std::span<const Duration> b,
                                       std::size_t resamplings) {
  if (std::string refusal = comparison_refusal(a.size(), b.size()); !refusal.empty()) return {{}, std::move(refusal)};
  TwoSampleTest test;
  test.ks = kolmogorov_smirnov(sorted(a), sorted(b));
  const WassersteinDistance distance = wasserstein_distance(a, b, resamplings);
  test.wasserstein_us = distance.us;
  test.wasserstein_interval95 = distance.interval95;
  test.lots = resamplings + 1;
  Sample joint = sorted(a);
  const Sample sorted_b = sorted(b);
  joint.insert(joint.end(), sorted_b.begin(), sorted_b.end());
  test.wasserstein_p_value = permutation_p(std::move(joint), a.size(), test.wasserstein_us, resamplings);
  return {test, {}};
}

}  // namespace vecusim
