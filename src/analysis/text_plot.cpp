// Bars and blocks of eighths.
#include "analysis/text_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

constexpr std::size_t kRows = 12;
/// Beyond this share of the samples the tail begins, which would squeeze all others into a row or two.
constexpr double kBody = 0.99;

/// The end of the bin in which the share of samples is reached.
Duration end_of_share(const std::vector<Bin>& bins, std::uint64_t n, double share) {
  std::uint64_t seen = 0;
  for (const Bin& bin : bins) {
    seen += bin.n;
    if (static_cast<double>(seen) >= share * static_cast<double>(n)) return bin.below;
  }
  return bins.back().below;
}

}  // namespace

std::string histogram_plot(const std::vector<Bin>& bins, std::size_t width) {
  constexpr std::size_t kEdge = 9;
  if (bins.empty()) return {};
  const std::uint64_t n = std::accumulate(bins.begin(), bins.end(), std::uint64_t{0},
                                          [](std::uint64_t s, const Bin& b) { return s + b.n; });
  const Duration from = bins.front().from;
  const Duration step = std::max(Duration{1}, (end_of_share(bins, n, kBody) - from) / static_cast<int>(kRows - 1));
  std::array<std::uint64_t, kRows> rows{};
  for (const Bin& bin : bins) {
    const auto row = static_cast<std::size_t>((bin.from + (bin.below - bin.from) / 2 - from) / step);
    rows[std::min(row, kRows - 1)] += bin.n;
  }
  const std::uint64_t most = *std::max_element(rows.begin(), rows.end());
  const std::size_t counts = std::to_string(most).size();
  const std::size_t cells = width - (2 + 2 * kEdge + 3 + 2 + 1 + counts);
  std::string text;
  for (std::size_t i = 0; i < kRows; ++i) {
    const bool last = i + 1 == kRows;
    if (last && rows[i] == 0) break;
    const Duration lo = from + static_cast<int>(i) * step;
    const Duration hi = last ? bins.back().below : lo + step;
    const std::string drawn = bar(static_cast<double>(rows[i]) / static_cast<double>(most), cells);
    text += "  " + flush_right(four_digits(lo), kEdge) + " … " + flush_left(four_digits(hi), kEdge) + "  " + drawn +
            (drawn.empty() ? "" : " ") + std::to_string(rows[i]) + "\n";
  }
  return text;
}

std::string sparkline(const std::vector<std::optional<double>>& values, double lo, double hi, std::size_t width) {
  constexpr std::array<std::string_view, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t cells = std::min(values.size(), width);
  std::string text;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    double sum = 0.0;
    std::size_t n = 0;
    for (std::size_t i = cell * values.size() / cells; i < (cell + 1) * values.size() / cells; ++i) {
      if (!values[i]) continue;
      sum += *values[i];
      ++n;
    }
    const double share = hi > lo && n > 0 ? (sum / static_cast<double>(n) - lo) / (hi - lo) : 0.0;
    text += n == 0 ? " " : kBlocks[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * 7.0))];
  }
  return text;
}

}  // namespace vecusim
