// LinuxCpu: one CPU of a Linux kernel: its interrupt handling (linux_irq.cpp) and its run queue (linux_sched.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cpu.hpp"
#include "models/linux_net.hpp"
#include "models/masked_windows.hpp"

namespace vecusim {

class Ksoftirqd;

/// Urgency of works on a Linux CPU.
inline constexpr std::uint8_t kMaskedLevel = 0;
inline constexpr std::uint8_t kIrqLevel = 1;
inline constexpr std::uint8_t kSoftirqLevel = 2;
inline constexpr std::uint8_t kThreadLevel = 3;

class LinuxCpu {
 public:
  LinuxCpu(Linux& kernel, std::size_t index, Cpu& cpu, CostTable& costs);
  ~LinuxCpu();

  /// Its interrupt input is high.
  void interrupt();

  std::size_t index() const { return index_; }
  Cpu& cpu() { return *cpu_; }
  Party irq_party() const { return irq_party_; }
  Flight* timer_flight() const;
  /// Nothing to run; it may still be handling an interrupt.
  bool idle() const { return current_ == nullptr && best() == nullptr; }
  /// Who names no CPU does not run here, and nobody is moved to or from here.
  bool isolated() const { return isolated_; }
  Thread* current() { return current_; }
  /// It is at an interrupt, or about to be.
  bool handling() const { return irq_busy_; }
  /// Nobody waits for what runs here.
  bool alone() const { return queue_.empty(); }

  // What threads and other CPUs ask of it.
  /// A woken thread joins the queue; true if it is to run before what runs now.
  bool enqueue_woken(Thread& thread);
  /// There is a better thread to run; the decision comes at the end of what cannot be preempted.
  void request_decision() { need_resched_ = true; }
  /// A reschedule interrupt is on its way here, on behalf of `flight` (may be null).
  void expect_ipi(Flight* flight);
  /// A thread's own timer has been set or taken back.
  void program_timer();
  /// The running thread's next step is ready, or it has blocked.
  void submit(Thread& thread);
  void blocked(Thread& thread);
  /// The running thread prints on the console, with interrupts off until `done`.
  void print(Thread& thread, std::int64_t chars, Delegate<void()> done);
  /// A driver's poll is to run in softirq here, behind those that are to run already (NAPI).
  void raise_poll(NetJob& poll);
  Linux& kernel() { return kernel_; }
  /// Executes an instruction that nothing can interrupt, for another CPU's thread.
  void stall(Duration time, Party on_behalf_of);
  /// Waiting flights learn for whom they wait.
  void book_waits();

 private:
  friend class Linux;
  using Then = void (LinuxCpu::*)(Flight*);

  // linux_irq.cpp: each function is what follows when the code before it has been executed.
  void step(LinuxCode code, Flight* flight, Then then);
  Duration step_cost();
  void step_done();
  Flight* carried() const;
  void tell_interrupt(IrqId irq);
  void enter(Flight* flight);
  void enter_by_ipi(Flight* flight);
  void catch_up(Flight* flight);
  void acknowledge(Flight* flight);
  void dispatch(Flight* flight);
  void take_edges(Flight* flight);
  void next_edge(Flight* previous);
  void handled(Flight* flight);
  void answered(Flight* flight);
  void wake(Thread* sleeper, Flight* flight);
  void woke(Flight* flight);
  void expired(Flight*);
  Thread* sleeper_due() const;
  void timer_handled(Flight* flight);
  void wake_sleeper(Flight* flight);
  void ticked(Flight*);
  void end();
  void leave();
  void next_signal();
  void run_handler();
  void handler_done(Flight*);
  void mask();
  void printed();

  // linux_softirq.cpp
  friend class Ksoftirqd;
  void raise_softirq(const Distribution& length);
  void softirq_done();
  void defer_softirq(Duration time);
  bool defers_softirqs() const;
  bool in_softirq() const { return softirq_busy_ || polling_; }
  Duration poll_cost();
  void polled();
  bool rotate_polls();

  // linux_sched.cpp
  void decide();
  bool held_off();
  void held_over();
  void choose();
  void set_state(Thread& thread, Thread::State state);
  bool precedes(const Thread& a, const Thread& b) const;
  bool may_run(const Thread& thread) const;
  Thread* best() const;
  void pull();
  void charge();
  void place(Thread& thread);
  void go_idle();
  void switch_to(Thread& next);
  void stop_running();
  void put_back(Thread& thread);
  Duration switch_cost();
  void switched();
  void account_tick();
  bool needs_tick() const;
  void go_on_ticking();
  void start_budget();
  void budget_used();
  void replenish();
  Time next_tick() const;

  Linux& kernel_;
  std::size_t index_;
  Cpu* cpu_;
  Party irq_party_;
  Party tick_party_;
  Party masked_party_;
  Party softirq_party_;
  bool isolated_;
  bool nohz_full_;

  // interrupts
  Work irq_;
  Work softirq_;
  Work masked_;
  Work stall_;
  bool irq_busy_ = false;
  bool softirq_busy_ = false;
  NetJob* handler_ = nullptr;  // of a driver, that runs in the interrupt
  Work poll_;
  std::vector<NetJob*> polls_;  // to run, the first one first; few
  bool polling_ = false;
  std::size_t rounds_ = 0;  // polls that have used up their budget in this softirq
  Time polling_since_{};
  LinuxCode code_{};
  int wheel_levels_ = 0;  // that the catch-up under way goes through
  Flight* flight_ = nullptr;
  Then then_ = nullptr;
  std::uint16_t active_ = 0;  // the interrupt being handled
  std::vector<Flight*> edges_;
  std::size_t next_edge_ = 0;
  Flight* ipi_for_ = nullptr;
  Thread* to_wake_ = nullptr;  // by what is being handled
  MaskedWindows windows_;
  Party printer_ = Party::nobody;  // whoever prints, with interrupts off
  Delegate<void()> printed_;
  RandomStream softirq_stream_;
  Duration softirq_rest_{};  // of what is being done: left to ksoftirqd
  std::unique_ptr<Ksoftirqd> ksoftirqd_;

  // scheduling
  Thread* current_ = nullptr;
  std::vector<Thread*> queue_;  // runnable, not running; small
  Work switch_;
  Duration min_vruntime_{};
  Time charged_{};
  bool need_resched_ = false;
  Time tick_due_ = kNever;  // kNever: stopped
  bool tick_found_idle_ = false;
  bool restarts_tick_ = false;  // the switch under way comes after a stopped tick
  Duration put_away_{};         // what that switch takes for the thread that it leaves
  Duration rt_time_{};          // of real-time threads in their period
  Time rt_period_end_{};        // another one begins with the next of them after this
  bool throttled_ = false;      // they have had their time
  Timer rt_budget_;             // … now
  Timer held_;                  // end of a section in which the running thread cannot be preempted
  RandomStream held_stream_;
};

}  // namespace vecusim
