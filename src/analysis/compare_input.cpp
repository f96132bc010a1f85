// Result documents and bench data, read for a comparison.
#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <sstream>

#include "analysis/bench_data.hpp"
#include "analysis/compare.hpp"
#include "analysis/summary.hpp"
#include "system/data_files.hpp"
#include "system/json_parse.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

using json::Node;

std::optional<double> number(const Node& node, std::string_view key) {
  const Node* found = node.find(key);
  return found != nullptr && found->is_number() ? std::optional(found->as_double()) : std::nullopt;
}

Duration time_of(double us) { return from_ps(us * 1e6); }

std::optional<Duration> time(const Node& node, std::string_view key) {
  const auto us = number(node, key);
  return us ? std::optional(time_of(*us)) : std::nullopt;
}

std::optional<Interval> interval(const Node& node, std::string_view key) {
  const Node* all = node.find("ci95");
  const Node* found = all == nullptr ? nullptr : all->find(key);
  if (found == nullptr || found->items.size() != 2) return std::nullopt;
  return Interval{found->items[0].as_double(), found->items[1].as_double()};
}

std::uint64_t count(const Node& node, std::string_view key) {
  return static_cast<std::uint64_t>(std::max(0.0, number(node, key).value_or(0.0)));
}

std::string text(const Node& node, std::string_view key) {
  const Node* found = node.find(key);
  return found == nullptr ? std::string{} : found->text;
}

std::optional<RequirementResult> requirement(const Node& node) {
  const Node* found = node.find("requirement");
  if (found == nullptr) return std::nullopt;
  RequirementResult result;
  const Node* met = found->find("met");
  if (met != nullptr && met->kind == json::Kind::boolean) result.met = met->truth;
  return result;
}

/// As much of a latency as is compared.
LatencyResult latency(const Node& node) {
  LatencyResult result;
  result.name = text(node, "name");
  result.n = count(node, "n");
  result.mean_us = number(node, "mean_us");
  result.mean_ci95 = interval(node, "mean_us");
  result.min = time(node, "min_us");
  result.max = time(node, "max_us");
  for (std::size_t i = 0; i < kLevels; ++i) {
    result.quantiles[i].value = time(node, kLevelList[i].key);
    const auto limits = interval(node, kLevelList[i].key);
    if (limits) result.quantiles[i].ci95 = DurationInterval{time_of(limits->lo), time_of(limits->hi)};
  }
  result.requirement = requirement(node);
  const Node* bins = node.find("histogram");
  for (const Node& bin : bins == nullptr ? std::vector<Node>{} : bins->items) {
    if (bin.items.size() != 3) continue;
    result.histogram.push_back(
        {time_of(bin.items[0].as_double()), time_of(bin.items[1].as_double()), bin.items[2].as_uint64().value_or(0)});
  }
  return result;
}

Side of_document(const std::string& path, const Node& document) {
  const std::string schema = text(document, "schema");
  if (schema != "vecusim/result/1") {
    throw InvalidInput(Problem{document.place, "/schema", "\"vecusim/result/1\", a result", json::quoted(schema)});
  }
  Side side{path, {}, {}};
  const Node* latencies = document.find("latency");
  for (const Node& node : latencies == nullptr ? std::vector<Node>{} : latencies->items) {
    side.latency.push_back(latency(node));
  }
  const Node* loads = document.find("load");
  for (const Node& node : loads == nullptr ? std::vector<Node>{} : loads->items) {
    LoadResult load;
    load.name = text(node, "name");
    load.pcpu_pct = number(node, "pcpu_pct").value_or(0.0);
    side.load.push_back(std::move(load));
  }
  return side;
}

LatencyResult of_samples(const std::string& name, const BenchSamples& samples) {
  LatencyTally tally;
  for (const Duration sample : samples.latencies) {
    tally.samples.add(sample);
    tally.batches.add(sample);
  }
  SystemView::InterruptView view;
  view.name = name;
  return summarize(view, tally, {}, false);
}

/// Figures without intervals: a table prints none.
LatencyResult of_row(const BenchRow& row) {
  LatencyResult result;
  result.name = row.name;
  result.n = static_cast<std::uint64_t>(row.n);
  const auto figure = [&](Statistic statistic) -> std::optional<Duration> {
    const auto found = row.figures.find(statistic);
    return found == row.figures.end() ? std::nullopt : std::optional(found->second.value);
  };
  const auto mean = figure(Statistic::mean);
  if (mean) result.mean_us = to_us(*mean);
  result.min = figure(Statistic::min);
  result.max = figure(Statistic::max);
  const std::array<Statistic, kLevels> levels = {Statistic::p50, Statistic::p90, Statistic::p99, Statistic::p99_9,
                                                 Statistic::p99_99};
  for (std::size_t i = 0; i < kLevels; ++i) result.quantiles[i].value = figure(levels[i]);
  return result;
}

}  // namespace

Side read_side(const std::string& path) {
  const auto content = file_content(path);
  if (!content) {
    throw InvalidInput(Problem{{std::make_shared<const std::string>(path), 1, 1},
                               "",
                               "a result document or bench data",
                               "a file that cannot be read"});
  }
  const std::size_t first = content->find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (*content)[first] == '{') {
    Problems problems;
    const auto document = json::parse(*content, path, problems);
    problems.throw_if_errors();
    return of_document(path, *document);
  }
  std::istringstream in(*content);
  const BenchData data = read_bench_data(in, path);
  Side side{path, {}, {}};
  if (const auto* samples = std::get_if<BenchSamples>(&data.content)) {
    side.latency.push_back(of_samples(path, *samples));
  } else {
    for (const BenchRow& row : std::get<std::vector<BenchRow>>(data.content)) side.latency.push_back(of_row(row));
  }
  return side;
}

}  // namespace vecusim
