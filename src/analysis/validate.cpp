// From cases and data to judged rows.
#include "analysis/validate.hpp"

#include <algorithm>

#include "analysis/validate_measurement.hpp"
#include "analysis/validate_row.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"

namespace vecusim {
namespace {

[[noreturn]] void refuse(const LoadedCase& loaded, const std::string& pointer, std::string expected, std::string found,
                         std::string suggestion = {}) {
  const json::Node* node = json::find(loaded.document, pointer);
  Problems problems;
  problems.add({node != nullptr ? node->place : loaded.document.place, pointer, std::move(expected), std::move(found),
                std::move(suggestion)});
  throw InvalidInput{problems};
}

std::string row_pointer(std::size_t index) { return "/rows/" + std::to_string(index); }

Measurement find_measurement(const LoadedCase& loaded, std::size_t index, const BenchData& data) {
  const CaseRow& row = loaded.content.rows[index];
  if (const auto* samples = std::get_if<BenchSamples>(&data.content)) return measurement_of(*samples, row.resolution);
  const auto& rows = std::get<std::vector<BenchRow>>(data.content);
  const std::string& name = row.measured ? *row.measured : row.name;
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const BenchRow& r) { return r.name == name; });
  if (at != rows.end()) return measurement_of(*at, row.resolution);
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const BenchRow& r : rows) names.push_back(r.name);
  refuse(loaded, row_pointer(index) + (row.measured ? "/measured" : "/name"), "a row of " + data.name,
         json::quoted(name), nearest(name, names));
}

/// Why a sample's distribution is not compared; empty if it can be. Its experiment must be one that can be repeated.
std::string distribution_refusal(const BenchSamples& samples) {
  const auto edges = static_cast<std::int64_t>(samples.latencies.size()) + samples.missed;
  if (edges > kMostRepeated) {
    return "distributions are not compared: " + std::to_string(edges) + " edges, at most " +
           std::to_string(kMostRepeated) + " can be simulated often enough";
  }
  return comparison_refusal(samples.latencies.size(), samples.latencies.size());
}

bool has(const Measurement& measurement, Statistic statistic) {
  if (statistic != Statistic::ks_distance) return measurement.values[static_cast<std::size_t>(statistic)].has_value();
  return measurement.samples != nullptr && distribution_refusal(*measurement.samples).empty();
}

void require_statistics(const LoadedCase& loaded, std::size_t index, const Measurement& measurement,
                        const std::string& data) {
  for (std::size_t i = 0; i < kStatistics; ++i) {
    const auto statistic = static_cast<Statistic>(i);
    if (!loaded.content.rows[index].statistics.each[i] || has(measurement, statistic)) continue;
    refuse(loaded, row_pointer(index) + "/statistics/" + std::string{name_of(statistic)},
           statistic == Statistic::ks_distance ? std::to_string(kLeastToCompare) + " samples or more, of at most " +
                                                     std::to_string(kMostRepeated) + " edges, in " + data
                                               : "a statistic that " + data + " has",
           "none");
  }
}

std::size_t count(const std::vector<JudgedRow>& rows, bool as_expected) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const JudgedRow& row) {
    return row.verdict && (*row.verdict == row.expect) == as_expected;
  }));
}

CaseRow bench_row(std::string name, const std::string& scenario, const std::vector<std::string>& set) {
  CaseRow row;
  row.name = std::move(name);
  row.scenario = scenario;
  row.set = set;
  return row;
}

}  // namespace

std::size_t Validation::passed() const { return count(rows, true); }
std::size_t Validation::failed() const { return count(rows, false); }

std::vector<JudgedRow> judge(const LoadedCase& loaded, const Simulator& simulator, const ValidationOptions& options) {
  if (loaded.content.rows.empty()) return {};
  return judge(loaded, read_bench_file(loaded.data_path), simulator, options);
}

std::vector<JudgedRow> judge(const LoadedCase& loaded, const BenchData& data, const Simulator& simulator,
                             const ValidationOptions& options) {
  std::vector<Measurement> measurements;
  for (std::size_t i = 0; i < loaded.content.rows.size(); ++i) {
    measurements.push_back(find_measurement(loaded, i, data));
    require_statistics(loaded, i, measurements.back(), data.name);
  }
  std::vector<JudgedRow> judged;
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    judged.push_back(judge_row(loaded.content.rows[i], measurements[i], simulator, options));
    judged.back().case_name = loaded.name;
  }
  return judged;
}

LoadedCase bench_case(const std::string& scenario, const std::vector<std::string>& set, const BenchData& data) {
  LoadedCase loaded;
  loaded.name = data.name;
  loaded.data_path = data.name;
  if (const auto* samples = std::get_if<BenchSamples>(&data.content)) {
    CaseRow row = bench_row("samples", scenario, set);
    for (const Statistic statistic :
         {Statistic::min, Statistic::mean, Statistic::p50, Statistic::max, Statistic::lost, Statistic::ks_distance}) {
      row.statistics.each[static_cast<std::size_t>(statistic)] = Judge{};
    }
    row.note = distribution_refusal(*samples);
    if (!row.note.empty()) row.statistics.each[static_cast<std::size_t>(Statistic::ks_distance)].reset();
    loaded.content.rows.push_back(std::move(row));
    return loaded;
  }
  for (const BenchRow& measured : std::get<std::vector<BenchRow>>(data.content)) {
    CaseRow row = bench_row(measured.name, scenario, set);
    for (const auto& [statistic, figure] : measured.figures) {
      row.statistics.each[static_cast<std::size_t>(statistic)] = Judge{};
    }
    if (measured.lost) row.statistics.each[static_cast<std::size_t>(Statistic::lost)] = Judge{};
    loaded.content.rows.push_back(std::move(row));
  }
  return loaded;
}

}  // namespace vecusim
