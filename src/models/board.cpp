// How a board is described and built.
#include "models/board.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>

#include "models/bus.hpp"

namespace vecusim {

namespace {

constexpr std::array kTriggers = {Option{"level", "high until the handler has seen to the device"},
                                  Option{"edge", "a rising edge, noted until it is acknowledged"}};

}  // namespace

void BoardSpec::Cluster::fields(FieldVisitor& visit) {
  visit.integer({"cores", "cores that share this L2 cache", true}, cores, {1, 64});
  visit.integer({"l1_lines", "lines of a core's L1 caches, instructions and data together"}, l1_lines, {1, 1 << 24});
  visit.integer({"l2_lines", "lines of the cluster's L2 cache"}, l2_lines, {1, 1 << 24});
  visit.integer({"l2_colors", "page colours of the L2 cache: its size over its ways, over the size of a page"},
                l2_colors, {1, 64});
  visit.number({"min_clock_mhz", "lowest clock"}, min_clock_mhz, {1.0, 10000.0});
  visit.number({"max_clock_mhz", "highest clock"}, max_clock_mhz, {1.0, 10000.0});
  visit.number({"default_clock_mhz", "clock if the scenario names none"}, default_clock_mhz, {1.0, 10000.0});
  visit.require(min_clock_mhz <= max_clock_mhz, "max_clock_mhz", "at least min_clock_mhz");
  visit.require(min_clock_mhz <= default_clock_mhz && default_clock_mhz <= max_clock_mhz, "default_clock_mhz",
                "between min_clock_mhz and max_clock_mhz");
}

void BoardSpec::Line::fields(FieldVisitor& visit) {
  visit.text({"name", "how an interrupt's source names it", true}, name);
  visit.integer({"spi", "its interrupt, counted from the first SPI", true}, spi, {0, 987});
  visit.choice({"trigger", "what of its line the interrupt controller looks at"}, trigger, kTriggers);
}

void BoardSpec::fields(FieldVisitor& visit) {
  visit.list({"clusters", "cores by the L2 cache they share", true}, clusters);
  visit.number({"gpio_clock_mhz", "clock of the pin synchroniser"}, gpio_clock_mhz, {1.0, 10000.0});
  visit.integer({"gpio_pins", "pins"}, gpio_pins, {0, 1024});
  visit.integer({"gpio_spi", "the shared interrupt of all pins, counted from the first SPI"}, gpio_spi, {0, 987});
  visit.integer({"spis", "shared interrupts of the controller; under Xen the first domain has them all"}, spis,
                {1, 988});
  visit.list({"lines", "devices with an interrupt of their own"}, lines);
  visit.number({"counter_mhz", "frequency of the counter that software reads"}, counter_mhz, {0.001, 10000.0});
  visit.integer({"list_registers", "of the interrupt controller's virtual interface"}, list_registers, {1, 64});
  constexpr std::int64_t kMostCores = 64;  // as many as the schedulers know
  visit.require(cores() >= 1 && cores() <= kMostCores, "clusters", "1 to 64 cores in all");
  std::set<std::string_view> names;
  for (const Line& line : lines) {
    visit.require(!line.name.empty() && names.insert(line.name).second, "lines", "a name of its own for each line");
  }
}

std::int64_t BoardSpec::cores() const {
  std::int64_t sum = 0;
  for (const Cluster& cluster : clusters) sum += cluster.cores;
  return sum;
}

void BoardSpec::keep_cores(std::int64_t count) {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (count <= 0) {
      clusters.resize(c);
      return;
    }
    clusters[c].cores = std::min(clusters[c].cores, count);
    count -= clusters[c].cores;
  }
}

namespace {

IrqId spi(std::int64_t number) { return IrqId{static_cast<std::uint16_t>(32 + number)}; }

std::size_t spis(const BoardSpec& spec) {
  std::int64_t last = spec.gpio_spi;
  for (const BoardSpec::Line& line : spec.lines) last = std::max(last, line.spi);
  return static_cast<std::size_t>(last) + 1;
}

}  // namespace

Board::Board(Simulation& simulation, BoardSpec spec, const BoardChoice& choice, CostTable& costs)
    : spec_(std::move(spec)),
      gic_(simulation, static_cast<std::size_t>(spec_.cores()), spis(spec_) + kNetworkQueues,
           costs.duration("gic.forward")),
      gpio_(simulation, gic_, spi(spec_.gpio_spi), spec_.gpio_clock_mhz, static_cast<std::size_t>(spec_.gpio_pins)) {
  if (spec_.gpio_pins > 0) devices_.push_back(&gpio_);
  for (const BoardSpec::Line& line : spec_.lines) {
    lines_.push_back(std::make_unique<DeviceLine>(gic_, spi(line.spi), line.trigger));
    devices_.push_back(lines_.back().get());
  }
  const CoreCosts core_costs = CoreCosts::from(costs);
  for (std::size_t c = 0; c < spec_.clusters.size(); ++c) {
    const BoardSpec::Cluster& cluster = spec_.clusters[c];
    clusters_.push_back(std::make_unique<SharedCache>(static_cast<double>(cluster.l2_lines),
                                                      static_cast<std::size_t>(cluster.l2_colors),
                                                      core_costs.evictions_per_s));
    const auto l1_lines = static_cast<double>(cluster.l1_lines);
    for (std::int64_t i = 0; i < cluster.cores; ++i) {
      const std::string name = "pcpu" + std::to_string(cores_.size());
      cores_.push_back(std::make_unique<Core>(simulation, name, choice.clock_mhz(c), l1_lines, core_costs,
                                              *clusters_.back(), memory_));
    }
  }
}

CodePath Board::add_code_path(Colors colors) {
  for (auto& cluster : clusters_) cluster->add_code_path(colors);
  for (auto& core : cores_) core->add_code_path();
  return CodePath{code_paths_++};
}

void Board::empty_caches() {
  for (auto& cluster : clusters_) cluster->empty();
  for (auto& core : cores_) core->empty_caches();
}

InterruptDevice* Board::device(IrqId irq) const {
  for (InterruptDevice* device : devices_) {
    if (device->irq() == irq) return device;
  }
  return nullptr;
}

IrqId Board::network_irq(std::size_t queue) const { return spi(static_cast<std::int64_t>(spis(spec_) + queue)); }

IrqId Board::irq_of(InterruptSource source) const {
  switch (source.kind) {
    case InterruptSource::Kind::pin:
      return gpio_.irq();
    case InterruptSource::Kind::line:
      return lines_[source.index]->irq();
    case InterruptSource::Kind::event:
    case InterruptSource::Kind::timer:
      break;
  }
  return kTimerIrq;
}

void Board::attach(InterruptSource source, MeasuredInterrupt& interrupt, PathBuilder& path) {
  if (interrupt.ingress != nullptr) interrupt.ingress->add_stages(path);
  if (source.kind == InterruptSource::Kind::pin) {
    gpio_.attach(source.index, interrupt, path);
  } else if (source.kind == InterruptSource::Kind::line) {
    lines_[source.index]->attach(interrupt, path);
  } else {
    path.then({"timer_forward", Where::hardware, gic_.forward(), gic_.forward()});
  }
}

void Board::edge(InterruptSource source, Flight& flight) {
  if (source.kind == InterruptSource::Kind::pin) {
    gpio_.edge(source.index, flight);
  } else if (source.kind == InterruptSource::Kind::line) {
    lines_[source.index]->edge(flight);
  }
}

namespace {

std::optional<std::size_t> pin_of(const BoardSpec& spec, std::string_view name) {
  constexpr std::string_view kPrefix = "gpio";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  std::size_t pin = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, pin);
  if (error != std::errc{} || stop != end || pin >= static_cast<std::size_t>(spec.gpio_pins)) return std::nullopt;
  return pin;
}

}  // namespace

std::optional<InterruptSource> source_of(const BoardSpec& spec, std::string_view name) {
  if (name == kTimerSource) return InterruptSource{InterruptSource::Kind::timer, 0};
  if (const auto pin = pin_of(spec, name)) return InterruptSource{InterruptSource::Kind::pin, *pin};
  if (name == kEventSource) return InterruptSource{InterruptSource::Kind::event, 0};
  for (std::size_t i = 0; i < spec.lines.size(); ++i) {
    if (spec.lines[i].name == name) return InterruptSource{InterruptSource::Kind::line, i};
  }
  return std::nullopt;
}

}  // namespace vecusim
