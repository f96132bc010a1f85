// Board: which cores, caches, interrupt controller and pins there are: described as data, and built from that.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fields.hpp"
#include "engine/simulation.hpp"
#include "models/core.hpp"
#include "models/costs.hpp"
#include "models/device_line.hpp"
#include "models/gic.hpp"
#include "models/gpio.hpp"

namespace vecusim {

/// Queues of a network device that may interrupt.
inline constexpr std::size_t kNetworkQueues = 8;

/// What a board is made of. A cluster's cores share its L2 cache.
struct BoardSpec {
  struct Cluster {
    std::int64_t cores = 1;
    /// Cache capacity in lines of 64 bytes: L1 (instructions and data) of a core, L2 of the cluster.
    std::int64_t l1_lines = 1280;
    std::int64_t l2_lines = 16384;
    /// Page colours that divide the L2 cache: its size over its ways, over the size of a page.
    std::int64_t l2_colors = 16;
    /// The clock's range; `clock_mhz` of a scenario must be in it.
    double min_clock_mhz = 100;
    double max_clock_mhz = 3000;
    double default_clock_mhz = 1000;
    void fields(FieldVisitor& visit);
  };
  /// A device with an interrupt of its own.
  struct Line {
    std::string name;
    std::int64_t spi = 0;
    Trigger trigger = Trigger::level;
    void fields(FieldVisitor& visit);
  };
  std::vector<Cluster> clusters;
  /// Clock of the pin synchroniser.
  double gpio_clock_mhz = 500;
  std::int64_t gpio_pins = 0;
  /// The interrupt (SPI) that all pins share.
  std::int64_t gpio_spi = 0;
  /// Shared interrupts that the controller has.
  std::int64_t spis = 224;
  /// Other devices that may interrupt.
  std::vector<Line> lines;
  /// Frequency of the counter that software reads.
  double counter_mhz = 54;
  /// List registers of the interrupt controller's virtual interface.
  std::int64_t list_registers = 4;
  void fields(FieldVisitor& visit);

  std::int64_t cores() const;
  /// Leaves the first `count` cores; the others are switched off.
  void keep_cores(std::int64_t count);
};

/// What an interrupt of a scenario comes from: an input pin, a device with a line of its own, an event channel of the
/// hypervisor, or the timer of a core, on which a kernel lets its tasks sleep.
struct InterruptSource {
  enum class Kind : std::uint8_t { pin, line, event, timer };
  Kind kind = Kind::pin;
  /// The pin's number, or the line's place in the board's list.
  std::size_t index = 0;
};

/// The word for an event channel as a source: whoever notifies its interrupt is at the other end.
inline constexpr std::string_view kEventSource = "event";

/// The word for the timer on which a kernel lets a task sleep.
inline constexpr std::string_view kTimerSource = "timer";

/// The source that a scenario calls "gpio17", "tmu0", "event" or "timer"; nothing if the board has none of that name.
std::optional<InterruptSource> source_of(const BoardSpec& spec, std::string_view name);

/// What a scenario says of its board: the base of every board's configuration.
class BoardChoice : public Config {
 public:
  virtual BoardSpec spec() const = 0;
  /// The clock of all cores of a cluster, as chosen.
  virtual double clock_mhz(std::size_t cluster) const = 0;
};

struct BoardEntry {
  Option option;
  std::unique_ptr<Config> (*config)();
};

/// The hardware of one replication.
class Board {
 public:
  /// `choice` gives the clocks of the clusters of `spec`.
  Board(Simulation& simulation, BoardSpec spec, const BoardChoice& choice, CostTable& costs);

  const BoardSpec& spec() const { return spec_; }
  std::size_t pcpus() const { return cores_.size(); }
  Core& core(PcpuIndex pcpu) { return *cores_[static_cast<std::size_t>(pcpu)]; }
  Gic& gic() { return gic_; }
  /// The device that an interrupt comes from; null for the interrupts of cores.
  InterruptDevice* device(IrqId irq) const;
  /// The interrupt of a network queue, by its number; they follow the board's own lines.
  IrqId network_irq(std::size_t queue) const;
  /// At assembly: one more device, which must outlive the board's use.
  void add_device(InterruptDevice& device) { devices_.push_back(&device); }
  IrqId irq_of(InterruptSource source) const;
  /// At assembly: uses a source, and adds the stages that its edges pass in hardware to the interrupt's path.
  void attach(InterruptSource source, MeasuredInterrupt& interrupt, PathBuilder& path);
  /// An edge of a pin or line, which must have been attached, on which this flight goes. A timer has its own.
  void edge(InterruptSource source, Flight& flight);

  /// Nothing is warm any more.
  void empty_caches();

  /// At assembly: a code path of its own for something that runs on the cores, in memory of these page colours.
  CodePath add_code_path(Colors colors = kAllColors);
  /// At assembly: some tasks stream through memory.
  void share_memory(CostTable& costs) { memory_.use(costs); }

 private:
  BoardSpec spec_;
  Gic gic_;
  Gpio gpio_;
  std::vector<std::unique_ptr<DeviceLine>> lines_;
  std::vector<InterruptDevice*> devices_;
  Memory memory_;
  std::vector<std::unique_ptr<SharedCache>> clusters_;
  std::vector<std::unique_ptr<Core>> cores_;
  std::uint16_t code_paths_ = 0;
};

/// The boards there are, one line each in boards.cpp.
std::span<const BoardEntry> boards();

}  // namespace vecusim
