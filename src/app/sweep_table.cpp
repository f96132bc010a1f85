// Rows of a sweep as text.
#include "app/sweep_table.hpp"

#include <array>
#include <cstdio>
#include <optional>

#include "app/table.hpp"

namespace vecusim {

namespace {

std::string fixed(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string microseconds(std::optional<double> value) { return value ? fixed(*value, 2) : ""; }
std::string microseconds(std::optional<Duration> value) { return value ? fixed(to_us(*value), 2) : ""; }

std::vector<std::string> heading(const Sweep& sweep) {
  std::vector<std::string> names;
  for (const json::Variation& variation : sweep.variations) names.push_back(variation.pointer);
  for (const char* name : {"interrupt", "n", "lost", "min_us", "mean_us", "p50_us", "p99_us", "max_us", "miss_ppm"}) {
    names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> fields(const LatencyResult& latency) {
  return {latency.name,
          std::to_string(latency.n),
          std::to_string(latency.lost),
          microseconds(latency.min),
          microseconds(latency.mean_us),
          microseconds(latency.quantiles[0].value),
          microseconds(latency.quantiles[2].value),
          microseconds(latency.max),
          latency.requirement ? fixed(latency.requirement->miss_ppm, 0) : ""};
}

}  // namespace

void SweepTable::add(const Sweep& sweep, const SweepRow& row) {
  if (rows_.empty()) rows_.push_back(heading(sweep));
  for (const LatencyResult& latency : row.result.latency) {
    std::vector<std::string> line = row.point.texts;
    for (std::string& field : fields(latency)) line.push_back(std::move(field));
    rows_.push_back(std::move(line));
    requirements_ = requirements_ || latency.requirement;
  }
}

std::string SweepTable::text() const {
  auto rows = rows_;
  if (!requirements_) {
    for (auto& row : rows) row.pop_back();
  }
  return table(rows);
}

}  // namespace vecusim
