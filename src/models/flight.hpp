// Flight: one interrupt under way; it walks its path and books every picosecond to a stage, as service or as a wait.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/account.hpp"
#include "engine/simulation.hpp"
#include "models/interrupt_path.hpp"
#include "models/measure.hpp"

namespace vecusim {

class Ingress;
class MeasuredInterrupt;
class Stimulus;

class Flight {
 public:
  Flight(Simulation& simulation, MeasuredInterrupt& interrupt);

  /// Leaves its stage and begins another one, as service. The path must lead there.
  void enter(StageId stage);
  /// Enters a stage that takes a fixed time and uses no CPU, then calls `then`.
  void delay(StageId stage, Duration duration, Delegate<void(Flight&)> then);
  void serve() { account_.serve(simulation_->now()); }
  void wait(Wait kind, Party for_whom) { account_.wait(simulation_->now(), kind, for_whom); }
  /// It has reached a point between two stages that may begin or end what is measured.
  void pass(Point point);
  /// Its stimulus gets no answer of its own, because it met another one (merged) or was lost.
  void drop(Fate fate);
  /// It has no further use; the flight must not be touched afterwards.
  void release();

  /// A path may lead through the same kind of stages more than once (a hypervisor's, for the interrupt and for the IPI
  /// that follow it); whose turn it is counts here. 0 at the stimulus.
  std::uint16_t leg = 0;

  Account& account() { return account_; }
  MeasuredInterrupt& interrupt() const { return *interrupt_; }
  std::uint64_t number() const { return number_; }
  /// The stage it is in, or ended in.
  StageId stage() const { return stage_; }
  bool began_before(const Flight& other) const { return began_ < other.began_; }

 private:
  friend class MeasuredInterrupt;
  void begin(std::uint64_t number);
  void leave_stage();
  void delayed();

  Simulation* simulation_;
  MeasuredInterrupt* interrupt_;
  Timer timer_;
  Delegate<void(Flight&)> then_;
  Account account_;
  std::vector<StageTime> stages_;
  StageTime before_;  // takes what passes between the stimulus and the first stage: nothing
  std::uint64_t number_ = 0;
  Time began_{};
  Time stage_began_{};
  StageId stage_{};
  bool in_stage_ = false;
  bool measured_ = false;  // between the points that are measured
};

/// A flight that somebody holds on to and that may go on without him, or even end and begin anew as another one.
class KeptFlight {
 public:
  KeptFlight() = default;
  explicit KeptFlight(Flight* flight) : flight_(flight), number_(flight == nullptr ? 0 : flight->number()) {}

  /// Null if there is none, or it is another one by now.
  Flight* get() const { return flight_ != nullptr && flight_->number() == number_ ? flight_ : nullptr; }
  /// … or if it has left that stage.
  Flight* in(StageId stage) const {
    Flight* const flight = get();
    return flight != nullptr && flight->stage() == stage ? flight : nullptr;
  }

 private:
  Flight* flight_ = nullptr;
  std::uint64_t number_ = 0;
};

/// An interrupt of the scenario: its path, what of it is measured, and its flights.
class MeasuredInterrupt {
 public:
  MeasuredInterrupt(Simulation& simulation, InterruptId id, const MeasureConfig& measure)
      : simulation_(&simulation), id_(id), measure_(measure) {}
  MeasuredInterrupt(const MeasuredInterrupt&) = delete;
  MeasuredInterrupt& operator=(const MeasuredInterrupt&) = delete;

  /// Completed by the board, the hypervisor and the operating system before the first flight.
  InterruptPath path;
  /// The CPU of its domain that it is routed to.
  std::size_t cpu = 0;
  /// Of a guest's interrupt that another kernel takes first: the CPU of that one.
  std::size_t host_cpu = 0;
  /// Of a task that sleeps on its kernel's timer: what tells it when to wake up.
  Stimulus* wakes = nullptr;
  /// Of an interrupt that comes with a frame: its way on the bus.
  Ingress* ingress = nullptr;
  const MeasureConfig& measure() const { return measure_; }
  InterruptId id() const { return id_; }

  /// A stimulus: a new flight, before its first stage.
  Flight& take_off();
  /// Flights under way: stimuli whose fate is not known yet.
  std::uint64_t under_way() const { return under_way_; }

 private:
  friend class Flight;
  Simulation* simulation_;
  InterruptId id_;
  MeasureConfig measure_;
  std::vector<std::unique_ptr<Flight>> pool_;
  std::vector<Flight*> free_;
  std::uint64_t flights_ = 0;
  std::uint64_t under_way_ = 0;
};

}  // namespace vecusim
