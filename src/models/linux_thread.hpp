// Thread: what Linux schedules; what it does between two decisions is in its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/cpu.hpp"
#include "models/core.hpp"
#include "models/flight.hpp"
#include "models/linux_config.hpp"

namespace vecusim {

class Linux;
class LinuxCpu;
enum class LinuxCode : std::uint8_t;

class Thread {
 public:
  enum class State : std::uint8_t { blocked, runnable, running };

  Thread(Linux& kernel, std::string_view name, TaskPolicy policy, std::int64_t priority,
         std::vector<std::int64_t> allowed);
  virtual ~Thread() = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// Once, when the kernel starts.
  virtual void start() = 0;
  /// It runs for the first time since it was woken: the first step is to be set up.
  virtual void woken() = 0;
  /// Whether a flight that it works for waits with it.
  Flight* flight() const { return flight_; }
  /// The flight that begins with its timer, if there is one and it has begun.
  virtual Flight* timed_flight() const { return nullptr; }
  Party party() const { return party_; }
  /// The time that it has set has come, on behalf of a flight (may be null). Whether it is to be woken.
  virtual bool timer_expired(Flight* /*flight*/) { return true; }
  /// The processor that makes no progress while the thread waits for a CPU; null: none.
  virtual Cpu* carried() { return work.carries; }
  /// The CPU has been taken from it. Returns what that takes beyond the switch.
  virtual Duration put_away() { return {}; }

  // The scheduler's view; linux_sched.cpp keeps it.
  State state = State::blocked;
  TaskPolicy policy;
  std::int64_t priority;
  std::vector<std::int64_t> allowed;  ///< CPUs, sorted; empty: all
  LinuxCpu* cpu = nullptr;            ///< where it runs, waits or last ran
  Duration vruntime{};
  Duration turn{};           ///< CPU time since it was last chosen
  Time wake_at = kNever;     ///< of its own timer
  Duration slack;            ///< how much later its timer may come, if nothing wakes its CPU before
  bool turn_over = false;    ///< rr: its turn has ended
  bool fresh = false;        ///< woken and not yet run
  bool free_switch = false;  ///< the cost of switching to it is part of its first step
  Work work;
  std::string notifies;            ///< the interrupt to which it sends an event when its work is done; empty: none
  std::size_t channel = 0;         ///< by which it does so
  std::optional<CpuId> vcpu = {};  ///< the vCPU that it is to observers
  std::int64_t memory_mbps = 0;    ///< what it streams through memory while it computes

  bool may_run_on(std::size_t index) const;

 protected:
  /// The next piece of code, on behalf of `flight` (may be null); `done` follows when it has been executed.
  void step(LinuxCode code, Context context, Delegate<void()> done);
  /// A piece of code that is none of the kernel's; on behalf of flight(), which is in its stage already.
  void run(const PathCost& cost, CodePath path, Context context, Delegate<void()> done);
  /// Emulates a processor until something else is done.
  void carry(Cpu& carried);
  /// Stops what it is doing, from outside of its `done`; something else must follow.
  void interrupt_work();
  /// CPU time of the thread's own.
  void compute(Duration time, Delegate<void()> done, Context context = Context::user);
  /// For so long nothing can preempt it, not even an interrupt.
  void hold(Duration time, Delegate<void()> done);
  /// A line on the kernel's console, the newline included in `chars`.
  void print(std::int64_t chars, Delegate<void()> done);
  /// Sends its event, if it has one to send, then calls `done`.
  void notify(Delegate<void()> done);
  /// Waits to be woken, by its timer at `until` if that is not kNever.
  void block(Time until = kNever);
  /// Blocked, it becomes runnable by its own doing: at its kernel's start, or by code on its CPU.
  void rise();
  /// A blocked thread of the same kernel becomes runnable, if there is one, and flight() goes with it; then `done`.
  void wake(Thread* sleeper, Delegate<void()> done);

  Linux& kernel_;
  Flight* flight_ = nullptr;

 private:
  Duration begin();
  void carried_on();
  void streams(bool now);
  void held();
  void send();
  void woke();

  Party party_;
  const PathCost* cost_ = nullptr;
  CodePath path_{};
  Core* streams_on_ = nullptr;
  Delegate<void()> notified_;
  Delegate<void()> held_;
  Thread* sleeper_ = nullptr;  // whom it wakes …
  Delegate<void()> woke_;      // … and what follows
};

}  // namespace vecusim
