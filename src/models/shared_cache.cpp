// What is left in a cache.
#include "models/shared_cache.hpp"

#include <algorithm>

#include "engine/exponential.hpp"

namespace vecusim {

double evicted_share(double lines, double capacity) {
  constexpr double kFew = 0.01;
  constexpr double kAllGone = 40.0;
  const double x = lines / capacity;
  if (x > kAllGone) return 1.0;
  if (x > kFew) return 1.0 - exponential(-x);
  // Mostly a path has run not long ago. The rest of the series of 1 - e^-x is below 1e-17 for such x.
  const double x2 = x * x;
  return x * ((1.0 - x * (1.0 / 2)) + x2 * ((1.0 / 6 - x * (1.0 / 24)) + x2 * (1.0 / 120 - x * (1.0 / 720))));
}

SharedCache::SharedCache(double lines, std::size_t colors, double background_per_s)
    : lines_(lines), colors_(colors), background_per_s_(background_per_s) {}

std::size_t SharedCache::count(Colors colors) const {
  std::size_t sum = 0;
  for (std::size_t color = 0; color < colors_; ++color) sum += has(colors, color) ? 1 : 0;
  return sum;
}

void SharedCache::add_code_path(Colors colors) {
  paths_.push_back({colors, std::max<std::size_t>(count(colors), 1), kNeverRan, {}});
}

double SharedCache::streamed(std::size_t color, Time now) const {
  return total_[color] + to_s(now - since_) * rate_[color];
}

double SharedCache::gone(CodePath path, Time now) const {
  const Path& which = paths_[static_cast<std::size_t>(path)];
  if (which.last == kNeverRan) return 1.0;
  const double background = to_s(std::max(now - which.last, Duration::zero())) * background_per_s_;
  const auto share = static_cast<double>(which.share);
  // Its own system's background falls into its own colours.
  const double own = which.share == colors_ ? lines_ : lines_ * share / static_cast<double>(colors_);
  if (rate_.empty()) return evicted_share(background, own);
  const double of_color = lines_ / static_cast<double>(colors_);
  double sum = 0.0;
  for (std::size_t color = 0; color < colors_; ++color) {
    if (!has(which.colors, color)) continue;
    const double before = which.before.empty() ? 0.0 : which.before[color];
    const double foreign = std::max(streamed(color, now) - before, 0.0);
    sum += evicted_share(background / own + foreign / of_color, 1.0);
  }
  return sum / share;
}

void SharedCache::ran(CodePath path, Time until) {
  Path& which = paths_[static_cast<std::size_t>(path)];
  which.last = until;
  if (rate_.empty()) return;
  which.before.resize(colors_);
  for (std::size_t color = 0; color < colors_; ++color) which.before[color] = streamed(color, until);
}

void SharedCache::stream(Time now, double lines_per_s, Colors colors) {
  rate_.resize(colors_);
  total_.resize(colors_);
  const std::size_t used = count(colors);
  if (used == 0) return;
  for (std::size_t color = 0; color < colors_; ++color) {
    total_[color] = streamed(color, now);
    if (has(colors, color)) rate_[color] += lines_per_s / static_cast<double>(used);
  }
  since_ = now;
}

void SharedCache::empty() {
  for (Path& path : paths_) path.last = kNeverRan;
}

}  // namespace vecusim
