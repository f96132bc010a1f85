// Tasks and handler threads that an interrupt, or a timer of their own, wakes.
#include "models/linux_tasks.hpp"

#include <utility>

#include "models/stimulus.hpp"

namespace vecusim {

bool Inbox::push(Flight& flight) {
  if (size_ == flights_.size()) return false;
  flights_[(first_ + size_++) % flights_.size()] = &flight;
  return true;
}

Flight* Inbox::pop() {
  Flight* flight = flights_[first_];
  first_ = (first_ + 1) % flights_.size();
  --size_;
  return flight;
}

namespace {
// poll() on a value file tells only that there was an edge; a gpiochip's event queue holds 16 (Linux 5.10).
constexpr std::size_t kSysfsEvents = 1;
constexpr std::size_t kCdevEvents = 16;
std::size_t capacity(Interface interface) { return interface == Interface::cdev ? kCdevEvents : kSysfsEvents; }
}  // namespace

Receiver::Receiver(Linux& kernel, std::string_view name, const TaskConfig& task, std::vector<std::int64_t> cpus)
    : Thread(kernel, name, task.policy, task.priority, std::move(cpus)), inbox_(capacity(task.interface)) {}

Thread* Receiver::take(Flight& flight) {
  if (!inbox_.push(flight)) {
    flight.drop(Fate::merged);
    return nullptr;
  }
  if (busy_) {
    flight.wait(Wait::thread, party());
    return nullptr;
  }
  busy_ = true;
  flight_ = inbox_.pop();
  return this;
}

void Receiver::sleep() { step(LinuxCode::sleep, Context::kernel, Delegate<void()>::to<&Receiver::asleep>(*this)); }

void Receiver::asleep() {
  if (inbox_.empty()) {
    busy_ = false;
    block();
    return;
  }
  flight_ = inbox_.pop();
  woken();
}

InterruptTask::InterruptTask(Linux& kernel, LinuxRoute& route)
    : Receiver(kernel, route.task.name, route.task, route.task.cpus), route_(route), codes_(program_of(route)) {
  notifies = route.task.notify;
}

void InterruptTask::woken() {
  at_ = 0;
  next_code();
}

void InterruptTask::next_code() {
  if (codes_[at_] == LinuxCode::page_faults && activated_) ++at_;
  const LinuxCode code = codes_[at_];
  const auto done = Delegate<void()>::to<&InterruptTask::code_done>(*this);
  if (code == LinuxCode::logic_c || code == LinuxCode::logic_python) {
    kernel_.enter(flight_, code);
    run(route_.logic, kernel_.path_of(code), Context::user, done);
    return;
  }
  if (code == LinuxCode::clock_read && route_.task.hypercall) {
    kernel_.platform_->hypercall(cpu->index(), *route_.task.hypercall);
  }
  step(code, code == LinuxCode::clock_read ? Context::user : Context::kernel, done);
}

void InterruptTask::code_done() {
  if (codes_[at_] == LinuxCode::clock_read) flight_->pass(Point::user);
  if (codes_[at_] == LinuxCode::record && route_.task.record == Record::console) {
    print(route_.task.line(), Delegate<void()>::to<&InterruptTask::advance>(*this));
  } else {
    advance();
  }
}

void InterruptTask::advance() {
  if (++at_ < codes_.size()) {
    next_code();
    return;
  }
  activated_ = true;
  wake(kernel_.answer(*flight_, cpu->index()), Delegate<void()>::to<&InterruptTask::go_to_sleep>(*this));
}

void InterruptTask::go_to_sleep() { notify(Delegate<void()>::to<&InterruptTask::notified>(*this)); }

void InterruptTask::notified() { sleep(); }

HopThread::HopThread(Linux& kernel, LinuxRoute& route, std::size_t number, Receiver& next)
    : Receiver(kernel, route.task.name + " hop " + std::to_string(number), route.task, route.task.hop_cpus),
      route_(route),
      next_(next) {}

void HopThread::woken() {
  flight_->enter(route_.hop);
  execute(LinuxCode::poll_return, Context::kernel, Delegate<void()>::to<&HopThread::returned>(*this));
}

// Within the stage that the flight is in.
void HopThread::execute(LinuxCode code, Context context, Delegate<void()> done) {
  run(kernel_.cost(code), kernel_.path_of(code), context, done);
}

void HopThread::returned() {
  execute(logic_of(route_.task), Context::user, Delegate<void()>::to<&HopThread::understood>(*this));
}

void HopThread::understood() { compute(route_.task.hop_work, Delegate<void()>::to<&HopThread::hand_on>(*this)); }

void HopThread::hand_on() { wake(next_.take(*flight_), Delegate<void()>::to<&HopThread::handed_on>(*this)); }

void HopThread::handed_on() { compute(route_.task.hop_more, Delegate<void()>::to<&HopThread::sleep>(*this)); }

TimedTask::TimedTask(Linux& kernel, LinuxRoute& route)
    : Thread(kernel, route.task.name, route.task.policy, route.task.priority, route.task.cpus),
      route_(route),
      due_(kernel.simulation_->queue, Delegate<void()>::to<&TimedTask::due>(*this)),
      last_(kernel.simulation_->queue, Delegate<void()>::to<&TimedTask::due_at_last>(*this)) {}

void TimedTask::start() {
  arm();
  wake_at = next_;
  cpu->program_timer();
}

// The program asks for the first time that is still to come.
void TimedTask::arm() {
  next_ = route_.measured->wakes->next_after(kernel_.simulation_->now());
  if (next_ != kNever) due_.arm_at(next_);
}

// It is time to wake up; the task may still be on its way to sleep.
void TimedTask::due() {
  flight_ = &route_.measured->take_off();
  flight_->enter(route_.measured->path.first());
  if (state != State::blocked) {
    flight_->wait(Wait::thread, party());
  } else if (slack > Duration::zero()) {
    flight_->wait(Wait::moderation, party());
    last_.arm_in(slack);
  } else {
    kernel_.platform_->timer_due(cpu->index(), *flight_);
  }
}

void TimedTask::due_at_last() {
  const StageId first = route_.measured->path.first();
  if (state != State::blocked || flight_->stage() != first) return;  // another interrupt has taken it along
  flight_->enter(first);
  kernel_.platform_->timer_due(cpu->index(), *flight_);
}

void TimedTask::woken() {
  step(LinuxCode::timer_return, Context::kernel, Delegate<void()>::to<&TimedTask::returned>(*this));
}

void TimedTask::returned() {
  step(LinuxCode::clock_read, Context::user, Delegate<void()>::to<&TimedTask::noted>(*this));
}

void TimedTask::noted() {
  flight_->pass(Point::user);
  flight_->release();
  flight_ = nullptr;
  last_.disarm();
  arm();
  step(LinuxCode::sleep, Context::kernel, Delegate<void()>::to<&TimedTask::asleep>(*this));
}

void TimedTask::asleep() { block(next_); }

IrqThread::IrqThread(Linux& kernel, LinuxRoute& route)
    : Thread(kernel, "irq/" + route.task.interrupt, TaskPolicy::fifo, kIrqThreadPriority,
             {static_cast<std::int64_t>(route.measured->cpu)}),
      route_(route),
      inbox_(kCdevEvents) {
  free_switch = true;  // the cost of irq_thread includes waking it and switching to it
}

Thread* IrqThread::take(Flight& flight) {
  if (!inbox_.push(flight)) {
    flight.drop(Fate::merged);
    return nullptr;
  }
  if (std::exchange(busy_, true)) return nullptr;
  flight_ = inbox_.pop();
  return this;
}

void IrqThread::woken() { next(); }

void IrqThread::next() {
  step(LinuxCode::irq_thread, Context::kernel, Delegate<void()>::to<&IrqThread::handled>(*this));
}

void IrqThread::handled() { wake(route_.first->take(*flight_), Delegate<void()>::to<&IrqThread::rest>(*this)); }

void IrqThread::rest() {
  if (inbox_.empty()) {
    busy_ = false;
    block();
    return;
  }
  flight_ = inbox_.pop();
  next();
}

}  // namespace vecusim
