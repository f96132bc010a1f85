// Result documents and bench data, read for a comparison.
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>

#include "analysis/bench_data.hpp"
#include "analysis/compare.hpp"
#include "analysis/data_forms.hpp"
#include "analysis/summary.hpp"
#include "system/data_files.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

using json::Node;

Duration time_of(double us) { return from_ps(us * 1e6); }

/// Reads as much of a result document as is compared. What is not as a result has it is a problem: a figure that is
/// silently missing would be one that a gate does not judge.
class ResultReader {
 public:
  ResultReader(std::string path, const Node& document) : side_{std::move(path), {}, {}, {}, {}}, document_(document) {}

  Side read() {
    const std::string schema = text(document_, "", "schema");
    if (schema != "vecusim/result/1") {
      throw InvalidInput(Problem{document_.place, "/schema", "\"vecusim/result/1\", a result", json::quoted(schema)});
    }
    side_.replications = count(document_, "", "replications");
    each("latency", [&](const Node& node, const std::string& at) { side_.latency.push_back(latency(node, at)); });
    each("load", [&](const Node& node, const std::string& at) {
      LoadResult& load = side_.load.emplace_back();
      load.name = text(node, at, "name");
      load.pcpu_pct = number(node, at, "pcpu_pct").value_or(0.0);
    });
    if (document_.find("network") != nullptr) {
      each("network", [&](const Node& node, const std::string& at) { side_.network.push_back(flow(node, at)); });
    }
    problems_.throw_if_errors();
    return std::move(side_);
  }

 private:
  void refuse(const Node& node, std::string pointer, std::string expected, const Node* found) {
    problems_.add({found == nullptr ? node.place : found->place, std::move(pointer), std::move(expected),
                   found == nullptr ? "nothing" : json::shown(*found)});
  }

  template <class Read>
  void each(const char* key, Read read) {
    const Node* list = document_.find(key);
    if (list == nullptr || list->kind != json::Kind::array) {
      refuse(document_, json::child("", key), "an array, as in a result", list);
      return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) read(list->items[i], json::child(json::child("", key), i));
  }

  std::string text(const Node& node, const std::string& at, std::string_view key) {
    const Node* found = node.find(key);
    if (found != nullptr && found->kind == json::Kind::string) return found->text;
    refuse(node, json::child(at, key), "a string", found);
    return {};
  }

  std::uint64_t count(const Node& node, const std::string& at, std::string_view key) {
    const Node* found = node.find(key);
    const auto value = found != nullptr && found->kind == json::Kind::integer ? found->as_uint64() : std::nullopt;
    if (!value) refuse(node, json::child(at, key), "a whole number", found);
    return value.value_or(0);
  }

  /// Null where there is nothing to tell.
  std::optional<double> number(const Node& node, const std::string& at, std::string_view key) {
    const Node* found = node.find(key);
    if (found != nullptr && found->is_number()) return found->as_double();
    if (found == nullptr || found->kind != json::Kind::null)
      refuse(node, json::child(at, key), "a number or null", found);
    return std::nullopt;
  }

  std::optional<Duration> time(const Node& node, const std::string& at, std::string_view key) {
    const auto us = number(node, at, key);
    return us ? std::optional(time_of(*us)) : std::nullopt;
  }

  std::optional<Interval> interval(const Node& node, const std::string& at, std::string_view key) {
    const Node* all = node.find("ci95");
    const Node* found = all == nullptr ? nullptr : all->find(key);
    if (found != nullptr && found->kind == json::Kind::null) return std::nullopt;
    if (found != nullptr && found->items.size() == 2 && found->items[0].is_number() && found->items[1].is_number()) {
      return Interval{found->items[0].as_double(), found->items[1].as_double()};
    }
    refuse(node, json::child(json::child(at, "ci95"), key), "an array of two numbers, or null", found);
    return std::nullopt;
  }

  std::optional<RequirementResult> requirement(const Node& node, const std::string& at) {
    const Node* found = node.find("requirement");
    if (found == nullptr) return std::nullopt;
    RequirementResult result;
    const Node* met = found->find("met");
    if (met != nullptr && met->kind == json::Kind::boolean) {
      result.met = met->truth;
    } else if (met == nullptr || met->kind != json::Kind::null) {
      refuse(*found, json::child(json::child(at, "requirement"), "met"), "true, false or null", met);
    }
    return result;
  }

  std::vector<Bin> histogram(const Node& node, const std::string& at) {
    std::vector<Bin> result;
    const Node* bins = node.find("histogram");
    if (bins == nullptr || bins->kind != json::Kind::array) {
      refuse(node, json::child(at, "histogram"), "an array", bins);
      return result;
    }
    for (const Node& bin : bins->items) {
      const bool numbers = std::all_of(bin.items.begin(), bin.items.end(), [](const Node& n) { return n.is_number(); });
      const auto n = bin.items.size() == 3 && numbers ? bin.items[2].as_uint64() : std::nullopt;
      if (!n) {
        refuse(node, json::child(at, "histogram"), "arrays of two times and a count", &bin);
        return result;
      }
      result.push_back({time_of(bin.items[0].as_double()), time_of(bin.items[1].as_double()), *n});
    }
    return result;
  }

  LatencyResult latency(const Node& node, const std::string& at) {
    LatencyResult result;
    result.name = text(node, at, "name");
    result.n = count(node, at, "n");
    result.mean_us = number(node, at, "mean_us");
    result.mean_ci95 = interval(node, at, "mean_us");
    result.min = time(node, at, "min_us");
    result.max = time(node, at, "max_us");
    for (std::size_t i = 0; i < kLevels; ++i) {
      result.quantiles[i].value = time(node, at, kLevelList[i].key);
      const auto limits = interval(node, at, kLevelList[i].key);
      if (limits) result.quantiles[i].ci95 = DurationInterval{time_of(limits->lo), time_of(limits->hi)};
    }
    result.requirement = requirement(node, at);
    result.histogram = histogram(node, at);
    return result;
  }

  FlowResult flow(const Node& node, const std::string& at) {
    FlowResult result;
    result.name = text(node, at, "name");
    result.goodput_mbps = number(node, at, "goodput_mbps").value_or(0.0);
    result.dropped_pps = number(node, at, "dropped_pps").value_or(0.0);
    const Node* latency = node.find("latency");
    if (latency == nullptr || latency->kind != json::Kind::object) {
      refuse(node, json::child(at, "latency"), "an object", latency);
      return result;
    }
    const std::string below = json::child(at, "latency");
    result.mean_us = number(*latency, below, "mean_us");
    result.max = time(*latency, below, "max_us");
    for (std::size_t i = 0; i < kLevels; ++i) result.quantiles[i] = time(*latency, below, kLevelList[i].key);
    return result;
  }

  Side side_;
  const Node& document_;
  Problems problems_;
};

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

InvalidInput refusal(const std::string& name, const char* found) {
  return InvalidInput(
      Problem{{std::make_shared<const std::string>(name), 1, 1}, "", "a result document or bench data", found});
}

}  // namespace

Side read_side(const std::string& name, const Node& result) { return ResultReader(name, result).read(); }

Side read_side_text(const std::string& content, const std::string& name) {
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw refusal(name, name == "-" ? "nothing on standard input" : "an empty file");
  const DataFormEntry* form = data_form_of(content);
  if (content[first] == '{' && !(form != nullptr && has_latencies(form->form))) {
    Problems problems;
    const auto document = json::parse(content, name, problems);
    problems.throw_if_errors();
    return read_side(name, *document);
  }
  std::istringstream in(content);
  const BenchData data = read_bench_data(in, name);
  Side side{name, {}, {}, {}, {}};
  if (const auto* samples = std::get_if<BenchSamples>(&data.content)) {
    side.latency.push_back(of_samples(name, *samples));
  } else {
    for (const BenchRow& row : std::get<std::vector<BenchRow>>(data.content)) side.latency.push_back(of_row(row));
  }
  return side;
}

Side read_side(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw refusal(path, "a folder");
  const auto content = path == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : file_content(path);
  if (!content) throw refusal(path, "a file that cannot be read");
  return read_side_text(*content, path);
}

}  // namespace vecusim
