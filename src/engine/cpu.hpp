// Cpu: executes Works preemptibly, the most urgent level first; a pCPU, a vCPU or any other processor is one of these.
#pragma once

#include <cstdint>

#include "engine/account.hpp"
#include "engine/delegate.hpp"
#include "engine/event_queue.hpp"
#include "engine/trace.hpp"

namespace vecusim {

/// A demand for CPU time. Intrusive: the submitter owns it and fills in the first part; a Cpu links it while it is
/// submitted.
struct Work {
  /// CPU time still needed. If `begin` is set it is asked when the work is first served, where the cost depends on the
  /// state of the CPU at that moment (its caches, its clock); it computes and must not touch the Cpu.
  Duration demand{};
  Delegate<Duration()> begin = {};
  Delegate<void()> done = {};
  /// 0 is the most urgent. A more urgent work preempts a less urgent one; equals are served in order of submission.
  std::uint8_t level = 0;
  Context context = Context::kernel;
  /// What others wait for, and for whom, while this one is served.
  Wait inflicts = Wait::queue;
  Party party = Party::nobody;
  /// Where its time is booked; may be null.
  Account* account = nullptr;
  /// A processor that makes progress only while this work is served, as a vCPU that a thread emulates: it is resumed
  /// and halted with the work, and who waits there waits for what the work waits for. Such a work has the context
  /// `idle`, for what is done meanwhile is the carried processor's to tell. May be null.
  class Cpu* carries = nullptr;
  /// Told when it begins to be served and when it no longer is, for what depends on who runs at this moment; it must
  /// not touch the Cpu.
  Delegate<void(bool)> served = {};

  // The Cpu's.
  bool submitted = false;
  bool begun = false;
  Work* next = nullptr;
};

class Cpu {
 public:
  Cpu(EventQueue& queue, const Trace& trace, CpuId id);

  /// Behind the works of its level. The work must not be submitted already.
  void submit(Work& work);
  /// In front of the works of its level that wait: the next step of a sequence that runs to completion.
  void go_on(Work& work);
  /// Takes a work away at any moment, also within a `done`; its demand is then what is left, and its account is the
  /// owner's again. Submitted again it goes on from there; to start anew, assign a new Work. No effect if not
  /// submitted.
  void withdraw(Work& work);

  /// Stops all progress, as when a vCPU is descheduled; whoever waits here waits for `kind`. A second call changes the
  /// kind.
  void halt(Wait kind, Party for_whom);
  void resume();

  bool halted() const { return halted_; }
  bool idle() const { return served_ == nullptr && first_ == nullptr; }
  /// The work being served, null while halted or idle.
  const Work* served() const { return served_; }
  CpuId id() const { return id_; }

 private:
  void insert(Work& work, bool front);
  void dispatch();
  void serve(Work& work);
  void preempt();
  static void put_down(Work& work);
  void finish();
  void book_waits();
  void announce();

  EventQueue* queue_;
  const Trace* trace_;
  CpuId id_;
  Timer end_;
  Work* served_ = nullptr;  // not in the list
  Work* first_ = nullptr;   // by level, then in order of service
  bool halted_ = false;
  bool settling_ = false;  // within `done`: whoever is served next is decided afterwards
  Wait halt_kind_ = Wait::runqueue;
  Party halt_for_ = Party::nobody;
  Context announced_context_ = Context::idle;
  Party announced_party_ = Party::nobody;
};

}  // namespace vecusim
