// How a board is described and built.
#include "models/board.hpp"

#include <charconv>

namespace vecusim {

void BoardSpec::Cluster::fields(FieldVisitor& visit) {
  visit.integer({"cores", "cores that share this L2 cache", true}, cores, {1, 64});
  visit.integer({"l1_lines", "lines of a core's L1 caches, instructions and data together"}, l1_lines, {1, 1 << 24});
  visit.integer({"l2_lines", "lines of the cluster's L2 cache"}, l2_lines, {1, 1 << 24});
  visit.number({"min_clock_mhz", "lowest clock"}, min_clock_mhz, {1.0, 10000.0});
  visit.number({"max_clock_mhz", "highest clock"}, max_clock_mhz, {1.0, 10000.0});
  visit.number({"default_clock_mhz", "clock if the scenario names none"}, default_clock_mhz, {1.0, 10000.0});
}

void BoardSpec::fields(FieldVisitor& visit) {
  visit.list({"clusters", "cores by the L2 cache they share", true}, clusters);
  visit.number({"gpio_clock_mhz", "clock of the pin synchroniser"}, gpio_clock_mhz, {1.0, 10000.0});
  visit.integer({"gpio_pins", "pins"}, gpio_pins, {0, 1024});
  visit.integer({"gpio_spi", "the shared interrupt of all pins, counted from the first SPI"}, gpio_spi, {0, 987});
  visit.number({"counter_mhz", "frequency of the counter that software reads"}, counter_mhz, {0.001, 10000.0});
  visit.integer({"list_registers", "of the interrupt controller's virtual interface"}, list_registers, {1, 64});
}

std::int64_t BoardSpec::cores() const {
  std::int64_t sum = 0;
  for (const Cluster& cluster : clusters) sum += cluster.cores;
  return sum;
}

namespace {

IrqId spi(std::int64_t number) { return IrqId{static_cast<std::uint16_t>(32 + number)}; }

}  // namespace

Board::Board(Simulation& simulation, const BoardChoice& choice, CostTable& costs)
    : spec_(choice.spec()),
      gic_(simulation, static_cast<std::size_t>(spec_.cores()), static_cast<std::size_t>(spec_.gpio_spi) + 1,
           costs.duration("gic.forward")),
      gpio_(simulation, gic_, spi(spec_.gpio_spi), spec_.gpio_clock_mhz, static_cast<std::size_t>(spec_.gpio_pins)) {
  const CoreCosts core_costs = CoreCosts::from(costs);
  for (std::size_t c = 0; c < spec_.clusters.size(); ++c) {
    const BoardSpec::Cluster& cluster = spec_.clusters[c];
    clusters_.push_back(std::make_unique<ClusterWarmth>());
    const Core::Caches caches{static_cast<double>(cluster.l1_lines), static_cast<double>(cluster.l2_lines)};
    for (std::int64_t i = 0; i < cluster.cores; ++i) {
      const std::string name = "pcpu" + std::to_string(cores_.size());
      cores_.push_back(
          std::make_unique<Core>(simulation, name, choice.clock_mhz(c), caches, core_costs, *clusters_.back()));
    }
  }
}

CodePath Board::add_code_path() {
  for (auto& cluster : clusters_) cluster->push_back(kNeverRan);
  for (auto& core : cores_) core->add_code_path();
  return CodePath{code_paths_++};
}

std::optional<std::size_t> pin_of(const BoardSpec& spec, std::string_view source) {
  constexpr std::string_view kPrefix = "gpio";
  if (!source.starts_with(kPrefix)) return std::nullopt;
  std::size_t pin = 0;
  const char* const end = source.data() + source.size();
  const auto [stop, error] = std::from_chars(source.data() + kPrefix.size(), end, pin);
  if (error != std::errc{} || stop != end || pin >= static_cast<std::size_t>(spec.gpio_pins)) return std::nullopt;
  return pin;
}

}  // namespace vecusim
