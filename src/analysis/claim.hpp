// Claims that a bench or a run is to support: `p99.99`, `p99_us ± 2%`, `mean ± 1%`, `miss_ppm < 10`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "system/problem.hpp"

namespace vecusim {

/// A figure of a latency: its mean, or a percentile.
struct ClaimedFigure {
  /// As a result document calls it: "mean_us", "p99_9_us".
  std::string name;
  /// Empty: the mean.
  std::optional<double> level;
};

/// "p99.9", "p99_9_us", "mean"; empty for anything else.
std::optional<ClaimedFigure> parse_figure(std::string_view words);

struct Claim {
  enum class Kind {
    bounded,     ///< the percentile lies below some sample, with 95 % confidence
    precise,     ///< the 95 % interval reaches no further than a share of the figure to either side
    rare_misses  ///< the one-sided 95 % limit of the misses is below so many in a million
  };
  Kind kind = Kind::bounded;
  /// As it was given.
  std::string text;
  ClaimedFigure figure;
  /// Of `precise`: 0.02 for ± 2 %. Of `rare_misses`: a probability.
  double limit = 0.0;
};

/// `option` is what problems name. Empty after a problem.
std::optional<Claim> parse_claim(std::string_view text, Problems& problems, std::string_view option);

}  // namespace vecusim
