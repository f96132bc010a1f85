// Curves of one scale for each figure.
#include "analysis/sweep_plot.hpp"

#include <algorithm>

#include "analysis/sweep_table.hpp"
#include "analysis/text_layout.hpp"
#include "analysis/text_plot.hpp"
#include "system/utf8.hpp"

namespace vecusim {

namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kMostCurves = 12;
constexpr std::size_t kMostLabel = 32;
constexpr std::size_t kCells = 24;  // so that label and scale fit beside them

/// "cpus=0, [1]"
std::string named(const std::vector<std::string>& names, const std::vector<std::string>& texts, std::size_t from,
                  std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) text += (text.empty() ? "" : ", ") + names[i] + "=" + texts[i];
  return text;
}

std::string label(const std::string& figure, const std::string& at) {
  return utf8_cut(figure + (at.empty() ? "" : " " + at), kMostLabel);
}

}  // namespace

SweepPlot::SweepPlot(const Sweep& sweep, std::size_t fastest)
    : sweep_(sweep), slower_(sweep.pointers.size() - fastest) {}

void SweepPlot::add(const std::string& name, const std::string& at, std::optional<double> value) {
  auto figure = std::find_if(figures_.begin(), figures_.end(), [&](const Figure& f) { return f.name == name; });
  if (figure == figures_.end()) figure = figures_.insert(figures_.end(), Figure{name, {}});
  if (figure->curves.empty() || figure->curves.back().at != at) figure->curves.push_back({at, {}});
  figure->curves.back().values.push_back(value);
}

void SweepPlot::add(const SweepRow& row) {
  const std::vector<std::string> names = short_names(sweep_.pointers);
  const std::string at = named(names, row.point.texts, 0, slower_);
  last_ = named(names, row.point.texts, slower_, names.size());
  if (first_.empty()) first_ = last_;
  const auto us = [](const std::optional<Duration>& time) { return time ? std::optional(to_us(*time)) : std::nullopt; };
  for (const LatencyResult& latency : row.result.latency) {
    add(latency.name + " mean_us", at, latency.mean_us);
    add(latency.name + " p99_us", at, us(latency.quantiles[2].value));
  }
  for (const FlowResult& flow : row.result.network) {
    add(flow.name + " mean_us", at, flow.mean_us);
    add(flow.name + " p99_us", at, us(flow.quantiles[2]));
  }
}

std::string SweepPlot::text() const {
  std::string text;
  std::size_t labels = 0;
  for (const Figure& figure : figures_) {
    for (const Curve& curve : figure.curves) labels = std::max(labels, utf8_characters(label(figure.name, curve.at)));
  }
  for (const Figure& figure : figures_) {
    double lo = 0.0;
    double hi = 0.0;
    std::size_t known = 0;
    for (const Curve& curve : figure.curves) {
      for (const std::optional<double>& value : curve.values) {
        if (!value) continue;
        lo = known == 0 ? *value : std::min(lo, *value);
        hi = known == 0 ? *value : std::max(hi, *value);
        ++known;
      }
    }
    if (known < 3 || figure.curves.front().values.size() < 3) continue;
    for (std::size_t i = 0; i < std::min(figure.curves.size(), kMostCurves); ++i) {
      const Curve& curve = figure.curves[i];
      text += "  " + flush_left(label(figure.name, curve.at), labels) + "  " +
              flush_left(sparkline(curve.values, lo, hi, kCells), std::min(kCells, curve.values.size())) + "  " +
              four_digits(lo) + " … " + four_digits(hi) + "\n";
    }
    if (figure.curves.size() > kMostCurves) {
      text += "  … and " + std::to_string(figure.curves.size() - kMostCurves) + " more\n";
    }
  }
  if (text.empty()) return "";
  return "\n" + wrapped("from " + first_ + " to " + last_ + ", all on the scale at the right", kWidth, 0) + "\n" + text;
}

}  // namespace vecusim
