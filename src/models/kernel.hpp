// Kernel: an operating system on N CPUs, pCPUs or vCPUs alike; KernelPlatform: the machine that it finds under it.
//
// Kernels are built in kernel.cpp from what a scenario says of a domain's operating system; whoever builds a machine
// (hypervisors) knows no kernel by name.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cpu.hpp"
#include "engine/simulation.hpp"
#include "models/board.hpp"
#include "models/core.hpp"
#include "models/flight.hpp"
#include "models/gic.hpp"
#include "models/linux_config.hpp"
#include "models/path_builder.hpp"

namespace vecusim {

/// A line for the kernel's console, and who prints it, on behalf of `flight` (may be null).
struct ConsoleLine {
  std::int64_t chars = 0;  ///< the newline included
  Party party = Party::nobody;
  Flight* flight = nullptr;
  Delegate<void()> done = {};
};

/// How a domain sends events to others; it finds those for itself behind kEventIrq.
class EventPort {
 public:
  virtual ~EventPort() = default;
  /// The channel that leads to the interrupt of that name, in whichever domain.
  virtual std::size_t channel_to(std::string_view interrupt) = 0;
  /// A task on this CPU notifies.
  virtual void send(std::size_t cpu, std::size_t channel) = 0;
  /// At assembly: a channel that ends in this domain, at a driver's handler. Any domain may send to it.
  virtual std::size_t bind(class NetJob& handler) = 0;
};

/// What a kernel finds under it: hardware, or a hypervisor that plays hardware.
class KernelPlatform {
 public:
  virtual ~KernelPlatform() = default;
  /// The core that executes the CPU's code at this moment.
  virtual Core& core(std::size_t cpu) = 0;
  /// What a piece of code takes that begins now; with every cache cold; and how many times as long as on the board's
  /// own cores what is given as a time takes.
  virtual Duration execute(std::size_t cpu, const PathCost& cost, CodePath path) {
    return core(cpu).execute(cost, path);
  }
  virtual Duration cold(const PathCost& cost) { return core(0).cold(cost); }
  virtual double slowdown() const { return 1.0; }
  /// The page colours of the domain's memory.
  virtual Colors colors() const { return kAllColors; }
  /// Whether instructions that reach beyond the CPU do so. In a guest they are the hypervisor's to emulate.
  virtual bool owns_machine() const { return false; }
  /// The device that an interrupt comes from; null for the interrupts of CPUs.
  virtual InterruptDevice* device(IrqId irq) = 0;
  /// The interrupt that an acknowledgement would give; kSpurious if none.
  virtual IrqId pending(std::size_t cpu) = 0;
  virtual IrqId acknowledge(std::size_t cpu) = 0;
  virtual void end_of_interrupt(std::size_t cpu, IrqId irq) = 0;
  /// At assembly: the stages from sending an IPI to the other CPU's interrupt input, once for each leg of the path
  /// whose stages' names begin with `prefix`; returns the last one.
  virtual StageId add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string& prefix) = 0;
  /// `flight`, which may be null, goes with it through those stages.
  virtual void send_ipi(std::size_t from, std::size_t to, Flight* flight) = 0;
  /// One-shot per-CPU timer; replaces an earlier setting. kNever: off. At once if `due` is over.
  virtual void set_timer(std::size_t cpu, Time due) = 0;
  /// The timer has been set to now on behalf of `flight`, which begins here: it waits if the CPU's timer is not the
  /// hardware's at this moment.
  virtual void timer_due(std::size_t /*cpu*/, Flight& /*flight*/) {}
  /// The CPU waits for an interrupt.
  virtual void idle(std::size_t cpu) = 0;
  /// Whether an idle CPU halts in the guest's own context, and pays for leaving that state.
  virtual bool halts() = 0;
  /// Whether guests are threads of its kernel, which interrupts take out of guest mode.
  virtual bool runs_guests() const { return false; }
  /// The CPU executes a guest at this moment.
  virtual bool in_guest(std::size_t /*cpu*/) const { return false; }
  /// It is taken out of it.
  virtual void leave_guest(std::size_t /*cpu*/) {}
  /// At assembly: the stages of printing a line, beyond the kernel's own. A console that copies the line to memory has
  /// none.
  virtual void add_console(MeasuredInterrupt&, PathBuilder&, std::int64_t /*chars*/) {}
  /// Prints a line; the CPU, its interrupts off, does nothing else until `done`.
  virtual void print(std::size_t /*cpu*/, const ConsoleLine& line) { line.done(); }
  /// Where there are other domains to exchange events with; else null.
  virtual EventPort* events() { return nullptr; }
  /// What executes on the CPU asks the hypervisor, and goes on when that returns. A machine that is none has nothing to
  /// do.
  virtual void hypercall(std::size_t /*cpu*/, const HypercallConfig& /*hypercall*/) {}
  /// The same for what takes the hypervisor this long.
  virtual void hypercall(std::size_t /*cpu*/, Duration /*time*/) {}
};

class Kernel {
 public:
  Kernel() = default;
  virtual ~Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// At assembly: a task that no interrupt wakes.
  virtual void add_task(const TaskConfig& task) = 0;
  /// At assembly: the kernel's and the task's stages join the interrupt's path, at the one end that it has.
  virtual void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                             PathBuilder& path) = 0;
  virtual void start() = 0;
  /// A CPU's interrupt input is high.
  virtual void interrupt(std::size_t cpu) = 0;
  /// The kernel itself if it is Linux, whose network drivers need more than a kernel's interface; else null.
  virtual class Linux* as_linux() { return nullptr; }
  /// The flight of the task whose sleep on this CPU's timer is over and was so first; null if there is none.
  virtual Flight* timer_flight(std::size_t /*cpu*/) const { return nullptr; }
};

/// The kernel that `os` describes, with those of `tasks` that no interrupt wakes. The platform and the CPUs must
/// outlive it. `domain` is the name of its domain.
std::unique_ptr<Kernel> make_kernel(Simulation& simulation, const std::string& domain, const OsConfig& os,
                                    const std::vector<TaskConfig>& tasks, KernelPlatform& platform,
                                    const std::vector<Cpu*>& cpus, Board& board, CostTable& costs);

}  // namespace vecusim
