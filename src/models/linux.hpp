// Linux: a kernel instance on N CPUs, pCPUs or vCPUs alike: hard interrupts over softirqs over FIFO/RR threads over the
// fair class.
//
// linux.cpp assembles it and its part of interrupt paths; a CPU's interrupt handling is in linux_irq.cpp and its
// decisions are in linux_sched.cpp; linux_tasks.cpp is what threads do. What the machine under it does differently
// (where an IPI goes, what idling means) is behind KernelPlatform.
//
// Source of stages, costs and constants: specification of the mechanisms, section 1.
#pragma once

#include <array>
#include <cstdint>
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
#include "models/kernel.hpp"
#include "models/linux_config.hpp"
#include "models/linux_cpu.hpp"
#include "models/linux_path.hpp"
#include "models/linux_thread.hpp"
#include "models/path_builder.hpp"

namespace vecusim {

/// The pieces of kernel and user code that threads and handlers execute. Each has a cost, linux.NAME.cycles and .lines;
/// those on an interrupt's way are stages of its path. N numbers are the specification's.
enum class LinuxCode : std::uint8_t {
  wfi_exit,       // N3
  irq_entry,      // N5; N4, the wait for enabled interrupts, is a wait of this stage
  tick_catch_up,  // ticks were missed while it was stopped
  wheel_level,    // each further level of timers that a catch-up goes through; part of tick_catch_up
  tick_restart,   // a stopped tick goes on; part of N10
  irq_ack,        // N6
  gpio_demux,     // N7
  irq_handler,    // N8
  irq_thread,     // N8b
  wake,           // N9
  ipi_wfi_exit,   // N10
  ipi_entry,      // N10
  schedule,       // N10
  poll_return,    // N11
  timer_return,   // the same from clock_nanosleep()
  page_faults,    // of the task's first activation
  read_sysfs,     // N12
  read_cdev,      // N12
  logic_c,        // N13
  logic_python,   // N13
  clock_read,     // N14
  record,         // N15
  answer_sysfs,   // N16
  answer_mmap,    // N16
  sleep,          // back into poll(); of no latency
  timer,          // expiry of a high-resolution timer
  tick,
  event_upcall,    // of Xen's guests: which event channels are pending
  event_send,      // of Xen's guests: the hypercall's own side
  guest_exit,      // of KVM's hosts: an interrupt takes the CPU out of guest mode
  ipi_guest_exit,  // of KVM's hosts: so does an IPI
};
inline constexpr std::size_t kLinuxCodes = 31;
inline constexpr std::size_t index_of(LinuxCode code) { return static_cast<std::size_t>(code); }

/// Takes over what a program hands on.
class Outlet {
 public:
  virtual ~Outlet() = default;
  /// The flight is its own from now on; it comes from that CPU of the program's kernel. Returns the thread of that
  /// kernel that has to be woken for it, or null.
  virtual Thread* take(Flight& flight, std::size_t cpu) = 0;
};

/// How a kernel hands an interrupt on instead of answering it: the code's cost and its stage's name.
struct HandingOn {
  PathCost cost;
  std::string stage;
};

/// How an interrupt gets from hardware to its answer in this kernel.
struct LinuxRoute {
  MeasuredInterrupt* measured;
  TaskConfig task;
  /// Stages by leg of the flight: a kernel that hands a flight on from thread to thread passes the same code
  /// repeatedly.
  std::vector<std::array<StageId, kLinuxCodes>> legs;
  PathCost logic;  ///< the program's own code
  StageId capture;
  StageId hop;
  Outlet* outlet = nullptr;  ///< where the flight goes when the program is done with it; null: the answer is captured
  bool relays = false;       ///< the program is no answer's: it hands on what it is told
  std::string relay_stage;   ///< what that is called
  class Receiver* first = nullptr;    ///< the task, or the first of its hops; null: the handler answers
  class IrqThread* thread = nullptr;  ///< null: the hard handler wakes the first itself
};

class Linux final : public Kernel {
 public:
  /// The platform and the CPUs must outlive it. `domain` is the name of its domain.
  Linux(Simulation& simulation, std::string domain, const LinuxConfig& config, KernelPlatform& platform,
        const std::vector<Cpu*>& cpus, Board& board, CostTable& costs);
  ~Linux() override;

  // Kernel
  void add_task(const TaskConfig& task) override;
  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                     PathBuilder& path) override;
  void start() override;
  void interrupt(std::size_t cpu) override { cpus_[cpu]->interrupt(); }
  Flight* timer_flight(std::size_t cpu) const override { return cpus_[cpu]->timer_flight(); }

  /// At assembly: as add_interrupt(); the answer goes to `outlet`, where the path goes on.
  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task, PathBuilder& path,
                     Outlet& outlet);
  /// At assembly: a program that waits for the interrupt and hands it on to `outlet`, where the path goes on.
  void add_relay(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                 const HandingOn& handing_on, PathBuilder& path, Outlet& outlet);
  /// At assembly: the handler itself hands the interrupt on to `outlet`, where the path goes on; the device is left as
  /// it is found if it is somebody else's (`passed_through`). Returns the first leg of the interrupt's path.
  LinuxPath add_passage(InterruptSource source, MeasuredInterrupt& interrupt, const HandingOn& handing_on,
                        PathBuilder& path, Outlet& outlet, bool passed_through);
  /// At assembly: one more leg of an interrupt's path through this kernel.
  LinuxPath add_leg(MeasuredInterrupt& interrupt, PathBuilder& path, std::string prefix);
  /// At assembly: a thread that somebody else has made.
  template <class T>
  T& add_thread(std::unique_ptr<T> thread) {
    T& added = *thread;
    threads_.push_back(std::move(thread));
    return added;
  }
  Linux* as_linux() override { return this; }
  KernelPlatform& platform() { return *platform_; }

  /// The flight's answer is on its way to the stimulus generator.
  void capture(Flight& flight);
  /// The program on that CPU is done with the flight: its answer is captured, or it goes on. Returns the thread that
  /// has to be woken for it, or null.
  Thread* answer(Flight& flight, std::size_t cpu);
  /// The first tick of this kernel at `time` or later: when a timer that is kept in ticks expires.
  Time tick_from(Time time) const;
  Duration tick_period() const { return tick_period_; }
  /// Wakes a thread from an interrupt that is not simulated but for its end, on behalf of a flight (may be null).
  void wake_by_interrupt(Thread& thread, Flight* flight);

 private:
  friend class Thread;
  friend class LinuxCpu;
  friend class Receiver;
  friend class InterruptTask;
  friend class HopThread;
  friend class TimedTask;
  friend class IrqThread;
  friend class LoadTask;
  friend class NetThread;
  friend class LinuxPath;

  const PathCost& cost(LinuxCode code) const { return costs_[index_of(code)]; }
  Duration execute(std::size_t cpu, LinuxCode code) {
    return platform_->execute(cpu, cost(code), paths_[index_of(code)]);
  }
  LinuxRoute& add_route(MeasuredInterrupt& interrupt, const TaskConfig& task);
  LinuxRoute& add_relaying_route(MeasuredInterrupt& interrupt, const TaskConfig& task, const HandingOn& handing_on,
                                 Outlet& outlet);
  void add_stages(InterruptSource source, LinuxRoute& route, PathBuilder& path);
  void add_threads(LinuxRoute& route);
  bool threaded(const TaskConfig& task) const;
  LinuxRoute& route_of(const MeasuredInterrupt& interrupt);
  LinuxRoute& route_of(Flight& flight) { return route_of(flight.interrupt()); }
  CodePath path_of(LinuxCode code) const { return paths_[index_of(code)]; }
  /// What is given as a time on the board's own cores.
  Duration stretched(Duration time) const {
    const double slowdown = platform_->slowdown();
    return slowdown == 1.0 ? time : from_ps(static_cast<double>(time.count()) * slowdown);
  }
  /// How the handler of a shared interrupt finds out which sources it is about.
  static LinuxCode demux_of(IrqId irq) { return irq == kEventIrq ? LinuxCode::event_upcall : LinuxCode::gpio_demux; }
  /// At assembly: how long it takes.
  Distribution length_of(const StallConfig& stall) const;
  /// A thread makes the other CPUs write back their caches, for so long, and does so itself.
  void empty_caches(const Thread& thread, Duration length);
  /// At assembly: this kernel is at an end of an event channel.
  void use_events();
  /// Ticks since the start.
  Duration::rep ticks() const;
  /// Ticks that no CPU has accounted for yet.
  Duration::rep missed_ticks() const { return ticks() - accounted_ticks_; }
  void enter(Flight* flight, LinuxCode code);
  LinuxCpu& select_cpu(const Thread& thread) const;
  LinuxCpu& first_cpu(const Thread& thread, std::size_t& turn) const;
  /// Makes a blocked thread runnable, on behalf of a flight that goes with it; `from` is the CPU that wakes it.
  void wake(Thread& thread, LinuxCpu& from, Flight* flight);
  void captured(Flight& flight);
  Party party(std::string_view what) { return simulation_->party(domain_ + " " + std::string(what)); }

  Simulation* simulation_;
  std::string domain_;
  LinuxConfig config_;
  KernelPlatform* platform_;
  Board* board_;
  CostTable* cost_table_;
  std::array<PathCost, kLinuxCodes> costs_;
  std::array<CodePath, kLinuxCodes> paths_;
  std::vector<std::int64_t> housekeeping_;  // where who names no CPU may run; empty: everywhere
  std::vector<std::unique_ptr<LinuxCpu>> cpus_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<std::unique_ptr<LinuxRoute>> routes_;
  Duration tick_period_;
  Duration tick_phase_;
  Duration::rep accounted_ticks_ = 0;
  bool catches_up_ = false;  // missed ticks cost something of their own
  Distribution tick_softirq_;
  Distribution catch_up_softirq_;            // after ticks were missed
  std::array<Distribution, 4> preempt_off_;  // by Preempt: what is left of a section that cannot be preempted
  std::array<double, 4> preempt_off_share_;  // by Preempt: of the time in the kernel
  Distribution capture_;
  RandomStream capture_stream_;
};

}  // namespace vecusim
