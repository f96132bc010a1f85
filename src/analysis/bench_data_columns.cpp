// Names of columns: a stem, and a unit of time behind it.
#include "analysis/bench_data_columns.hpp"

#include <array>

namespace vecusim {
namespace {

struct Unit {
  std::string_view suffix;
  int digits;  ///< powers of ten from a picosecond
};
constexpr std::array<Unit, 4> kUnits = {{{"_ns", 3}, {"_us", 6}, {"_ms", 9}, {"_s", 12}}};

}  // namespace

std::optional<BenchColumn> parse_column(std::string_view name) {
  using Is = BenchColumn::Is;
  const std::string text{name};
  if (name == "seq") return BenchColumn{Is::seq, text};
  if (name == "count") return BenchColumn{Is::count, text};
  if (name == "row") return BenchColumn{Is::row, text};
  if (name == "n") return BenchColumn{Is::n, text};
  if (name == "lost") return BenchColumn{Is::lost, text};
  for (const Unit& unit : kUnits) {
    if (!name.ends_with(unit.suffix)) continue;
    const std::string_view stem = name.substr(0, name.size() - unit.suffix.size());
    if (stem == "latency") return BenchColumn{Is::latency, text, unit.digits};
    if (stem == "t_out") return BenchColumn{Is::t_out, text, unit.digits};
    if (stem == "t_in") return BenchColumn{Is::t_in, text, unit.digits};
    const auto statistic = statistic_named(stem);
    if (statistic && is_latency(*statistic)) return BenchColumn{Is::figure, text, unit.digits, *statistic};
  }
  return std::nullopt;
}

std::vector<std::string> known_columns() {
  std::vector<std::string> names = {"seq", "t_out_us", "t_in_us", "latency_us", "count", "row", "n", "lost"};
  for (std::size_t i = 0; i < kStatistics; ++i) {
    const auto statistic = static_cast<Statistic>(i);
    if (is_latency(statistic)) names.emplace_back(name_of(statistic));
  }
  return names;
}

}  // namespace vecusim
