// Each cell is a change and its interval.
#include "analysis/difference_table.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "analysis/sweep_table.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim {

namespace {

constexpr std::array<std::string_view, 2> kOfLatency = {"mean_us", "p99_us"};
constexpr std::array<std::string_view, 2> kOfFlow = {"goodput_mbps", "latency.mean_us"};

std::string signed_digits(double value) { return (value > 0.0 ? "+" : "") + four_digits(value); }

std::string cell(const std::vector<PairedDifference>& differences, const std::string& path) {
  const auto found =
      std::find_if(differences.begin(), differences.end(), [&](const PairedDifference& d) { return d.path == path; });
  if (found == differences.end()) return "";
  std::string text = signed_digits(found->change);
  if (const auto& interval = found->interval95) {
    text += " (" + signed_digits(interval->lo) + " … " + signed_digits(interval->hi) + ")";
  }
  return text;
}

}  // namespace

DifferenceTable::DifferenceTable(const Sweep& sweep, const SweepPoint& base) : sweep_(sweep) {
  const std::vector<std::string> names = short_names(sweep.pointers);
  for (std::size_t i = 0; i < names.size(); ++i) title_ += (i > 0 ? ", " : "") + names[i] + "=" + base.texts[i];
  title_ = "paired differences from " + title_ + ", and their 95 % intervals";
}

void DifferenceTable::add(const SweepRow& row, const std::vector<PairedDifference>& differences) {
  const Result& result = row.result;
  const bool flows = result.latency.empty() && !result.network.empty();
  const std::size_t items = flows ? result.network.size() : result.latency.size();
  if (table_.empty()) {
    std::vector<std::string> names = short_names(sweep_.pointers);
    if (items > 1) names.emplace_back(flows ? "flow" : "interrupt");
    for (const std::string_view name : flows ? kOfFlow : kOfLatency) names.emplace_back(name);
    table_.head(std::move(names));
  }
  for (std::size_t i = 0; i < items; ++i) {
    std::vector<std::string> line = row.point.texts;
    const std::string& name = flows ? result.network[i].name : result.latency[i].name;
    if (items > 1) line.push_back(name);
    const std::string prefix = (flows ? "network." : "latency.") + name + ".";
    for (const std::string_view figure : flows ? kOfFlow : kOfLatency) {
      line.push_back(cell(differences, prefix + std::string(figure)));
    }
    table_.add(std::move(line));
  }
}

void DifferenceTable::write(Pieces& out) {
  out.add(wrapped(title_, 80, 0) + "\n");
  table_.write(out);
}

}  // namespace vecusim
