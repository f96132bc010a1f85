// Rows of a sweep as text.
#include "analysis/sweep_table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "analysis/load_sink.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim {

namespace {

std::string fixed(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string microseconds(std::optional<double> value) { return value ? fixed(*value, 2) : ""; }
std::string microseconds(std::optional<Duration> value) { return value ? fixed(to_us(*value), 2) : ""; }

/// The end of a JSON pointer, from the last '/' that leaves it different from those of the others.
std::string short_name(const std::string& pointer, const std::vector<std::string>& pointers) {
  std::size_t slash = pointer.size();
  while (slash != 0) {
    slash = pointer.rfind('/', slash - 1);
    const std::string tail = pointer.substr(slash);
    const auto same = std::count_if(pointers.begin(), pointers.end(),
                                    [&](const std::string& other) { return other.ends_with(tail); });
    if (same == 1) return tail.substr(1);
  }
  return pointer;
}

/// What the hypervisor takes in all, for itself and for domains, in percent of one pCPU; nothing without one.
std::optional<double> hypervisor_pct(const Result& result) {
  double sum = 0.0;
  bool found = false;
  for (const LoadResult& load : result.load) {
    found = found || load.name == kHypervisorParty;
    sum += load.contexts_pct[static_cast<std::size_t>(Context::hypervisor)];
  }
  return found ? std::optional(sum) : std::nullopt;
}

bool is_domain(const LoadResult& load) { return load.name != kHypervisorParty && load.name != kIdleParty; }

bool has_requirement(const Result& result) {
  return std::any_of(result.latency.begin(), result.latency.end(),
                     [](const LatencyResult& latency) { return latency.requirement.has_value(); });
}

/// A point has a row for each interrupt; where none is measured, for each flow of its network.
enum class Rows : std::uint8_t { interrupts, flows };
Rows rows_of(const Result& result) {
  return result.latency.empty() && !result.network.empty() ? Rows::flows : Rows::interrupts;
}

std::vector<std::string> heading(const Sweep& sweep, const Result& result) {
  std::vector<std::string> names = short_names(sweep.pointers);
  if (rows_of(result) == Rows::flows) {
    if (result.network.size() > 1) names.emplace_back("flow");
    for (const char* name : {"Mb/s", "dropped/s", "batch", "mean_us", "p99_us"}) names.emplace_back(name);
    for (const LoadResult& load : result.load) {
      if (is_domain(load)) names.push_back(load.name + "_%");
    }
    if (hypervisor_pct(result)) names.emplace_back("hypervisor_%");
    return names;
  }
  if (result.latency.size() > 1) names.emplace_back("interrupt");
  for (const char* name : {"n", "lost", "min_us", "mean_us", "p99_us", "max_us"}) names.emplace_back(name);
  if (has_requirement(result)) names.emplace_back("miss_ppm");
  if (hypervisor_pct(result)) {
    names.emplace_back("switches/s");
    names.emplace_back("hypervisor_%");
  }
  return names;
}

std::vector<std::string> fields(const Result& result, const LatencyResult& latency) {
  std::vector<std::string> line;
  if (result.latency.size() > 1) line.push_back(latency.name);
  line.push_back(std::to_string(latency.n));
  line.push_back(std::to_string(latency.lost));
  line.push_back(microseconds(latency.min));
  line.push_back(microseconds(latency.mean_us));
  line.push_back(microseconds(latency.quantiles[2].value));
  line.push_back(microseconds(latency.max));
  if (has_requirement(result)) line.push_back(latency.requirement ? fixed(latency.requirement->miss_ppm, 0) : "");
  if (const auto hypervisor = hypervisor_pct(result)) {
    line.push_back(fixed(result.counters.context_switches_per_s, 1));
    line.push_back(fixed(*hypervisor, 3));
  }
  return line;
}

std::vector<std::string> fields(const Result& result, const FlowResult& flow) {
  std::vector<std::string> line;
  if (result.network.size() > 1) line.push_back(flow.name);
  line.push_back(fixed(flow.goodput_mbps, 1));
  line.push_back(fixed(flow.dropped_pps, 0));
  line.push_back(microseconds(flow.batch_mean));
  line.push_back(microseconds(flow.mean_us));
  line.push_back(microseconds(flow.quantiles[2]));
  for (const LoadResult& load : result.load) {
    if (is_domain(load)) line.push_back(fixed(load.pcpu_pct, 2));
  }
  if (const auto hypervisor = hypervisor_pct(result)) line.push_back(fixed(*hypervisor, 2));
  return line;
}

}  // namespace

std::vector<std::string> short_names(const std::vector<std::string>& pointers) {
  std::vector<std::string> names;
  names.reserve(pointers.size());
  for (const std::string& pointer : pointers) names.push_back(short_name(pointer, pointers));
  return names;
}

void SweepTable::add(const Sweep& sweep, const SweepRow& row) {
  if (table_.empty()) table_.head(heading(sweep, row.result));
  const auto add_line = [&](std::vector<std::string> values) {
    std::vector<std::string> line = row.point.texts;
    for (std::string& value : values) line.push_back(std::move(value));
    table_.add(std::move(line), added_);
  };
  for (const LatencyResult& latency : row.result.latency) add_line(fields(row.result, latency));
  if (rows_of(row.result) == Rows::flows) {
    for (const FlowResult& flow : row.result.network) add_line(fields(row.result, flow));
  }
  ++added_;
}

void SweepTable::add_column(const std::string& name, std::function<std::string(std::size_t)> field) {
  if (!table_.empty()) table_.add_column(name, std::move(field));
}

void SweepTable::write(Pieces& out, std::optional<std::size_t> width) {
  // From the one that is missed least on.
  constexpr std::array<const char*, 5> kSpare = {"lost", "min_us", "n", "hypervisor_%", "switches/s"};
  std::string gone;
  for (const char* name : kSpare) {
    if (!width || table_.width() <= *width) break;
    if (table_.leave_out(name)) gone += (gone.empty() ? "" : ", ") + std::string(name);
  }
  table_.write(out);
  if (!gone.empty()) out.add(wrapped("no room for " + gone + " (--csv has all)", *width, 0) + "\n");
}

}  // namespace vecusim
