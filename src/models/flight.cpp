// How a flight books its time.
#include "models/flight.hpp"

#include <algorithm>
#include <cassert>

namespace vecusim {

Flight::Flight(Simulation& simulation, MeasuredInterrupt& interrupt)
    : simulation_(&simulation),
      interrupt_(&interrupt),
      timer_(simulation.queue, Delegate<void()>::to<&Flight::delayed>(*this)),
      stages_(interrupt.path.size()) {}

void Flight::begin(std::uint64_t number) {
  number_ = number;
  leg = 0;
  began_ = simulation_->now();
  in_stage_ = false;
  measured_ = interrupt_->measure().from == (interrupt_->ingress == nullptr ? Point::edge : Point::producer);
  std::fill(stages_.begin(), stages_.end(), StageTime{});
  account_.open(began_, before_);
}

void Flight::enter(StageId stage) {
  if (in_stage_ && stage == stage_) {  // taken up again
    serve();
    return;
  }
  assert(!in_stage_ ? stage == interrupt_->path.first() : interrupt_->path.leads(stage_, stage));
  leave_stage();
  stage_ = stage;
  stage_began_ = simulation_->now();
  in_stage_ = true;
  account_.turn_to(stage_began_, stages_[static_cast<std::size_t>(stage)]);
}

void Flight::leave_stage() {
  if (!in_stage_ || !measured_ || stage_began_ == simulation_->now()) return;
  simulation_->trace.emit(
      StageDone{stage_began_, simulation_->now(), interrupt_->id(), number_, static_cast<std::uint16_t>(stage_)});
}

void Flight::delay(StageId stage, Duration duration, Delegate<void(Flight&)> then) {
  enter(stage);
  then_ = then;
  timer_.arm_in(duration);
}

void Flight::delayed() { then_(*this); }

void Flight::pass(Point point) {
  const Time now = simulation_->now();
  if (point == interrupt_->measure().from) {
    // What came before is not measured: the account begins anew, and so does the stage that follows.
    measured_ = true;
    began_ = now;
    account_.close(now);
    std::fill(stages_.begin(), stages_.end(), StageTime{});
    stage_began_ = now;
    return;
  }
  if (point != interrupt_->measure().to || !measured_) return;
  account_.close(now);
  leave_stage();
  measured_ = false;
  simulation_->trace.emit(FlightDone{began_, now, interrupt_->id(), number_, stages_});
  --interrupt_->under_way_;
}

void Flight::drop(Fate fate) {
  simulation_->trace.emit(Dropped{simulation_->now(), interrupt_->id(), number_, fate});
  --interrupt_->under_way_;
  release();
}

void Flight::release() {
  timer_.disarm();
  interrupt_->free_.push_back(this);
}

Flight& MeasuredInterrupt::take_off() {
  if (free_.empty()) {
    pool_.push_back(std::make_unique<Flight>(*simulation_, *this));
    free_.reserve(pool_.size());
    free_.push_back(pool_.back().get());
  }
  Flight& flight = *free_.back();
  free_.pop_back();
  flight.begin(flights_++);
  ++under_way_;
  simulation_->trace.emit(Stimulated{simulation_->now(), id_, flight.number()});
  return flight;
}

}  // namespace vecusim
