// The steps of Linux threads.
#include "models/linux_tasks.hpp"

#include <algorithm>

namespace vecusim {

Thread::Thread(Linux& kernel, std::string_view name, TaskPolicy its_policy, std::int64_t its_priority,
               std::vector<std::int64_t> its_cpus)
    : policy(its_policy),
      priority(its_priority),
      allowed(std::move(its_cpus)),
      kernel_(kernel),
      party_(kernel.party(name)) {
  work.level = kThreadLevel;
  work.inflicts = Wait::thread;
  work.party = party_;
  std::sort(allowed.begin(), allowed.end());
}

bool Thread::may_run_on(std::size_t index) const {
  return allowed.empty() || std::binary_search(allowed.begin(), allowed.end(), static_cast<std::int64_t>(index));
}

Duration Thread::begin() { return kernel_.platform_->execute(cpu->index(), *cost_, path_); }

void Thread::step(LinuxCode code, Context context, Delegate<void()> done) {
  kernel_.enter(flight_, code);
  run(kernel_.cost(code), kernel_.path_of(code), context, done);
}

void Thread::run(const PathCost& cost, CodePath path, Context context, Delegate<void()> done) {
  cost_ = &cost;
  path_ = path;
  work.carries = nullptr;
  work.begin = Delegate<Duration()>::to<&Thread::begin>(*this);
  work.done = done;
  work.context = context;
  work.account = flight_ == nullptr ? nullptr : &flight_->account();
  cpu->submit(*this);
}

void Thread::compute(Duration time, Delegate<void()> done) {
  work.carries = nullptr;
  work.begin = {};
  work.demand = kernel_.stretched(time);
  work.done = done;
  work.context = Context::user;
  work.account = flight_ == nullptr ? nullptr : &flight_->account();
  cpu->submit(*this);
}

void Thread::print(std::int64_t chars, Delegate<void()> done) { cpu->print(*this, chars, done); }

void Thread::carry(Cpu& carried) {
  constexpr Duration kEndless = 1000s;
  work.carries = &carried;
  work.begin = {};
  work.demand = kEndless;
  work.done = Delegate<void()>::to<&Thread::carried_on>(*this);
  work.context = Context::idle;
  work.account = nullptr;
  cpu->submit(*this);
}

void Thread::carried_on() { carry(*work.carries); }

void Thread::interrupt_work() {
  cpu->cpu().withdraw(work);
  work.begun = false;
}

void Thread::wake(Thread& sleeper, Flight* flight) { kernel_.wake(sleeper, *cpu, flight); }

void Thread::notify(Delegate<void()> done) {
  if (notifies.empty()) {
    done();
    return;
  }
  notified_ = done;
  step(LinuxCode::event_send, Context::kernel, Delegate<void()>::to<&Thread::send>(*this));
}

void Thread::send() {
  kernel_.platform_->events()->send(cpu->index(), channel);
  notified_();
}

void Thread::block(Time until) {
  wake_at = until;
  cpu->blocked(*this);
}

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

Receiver::Taken Receiver::take(Flight& flight) {
  if (!inbox_.push(flight)) return Taken::merged;
  if (busy_) {
    flight.wait(Wait::thread, party());
    return Taken::later;
  }
  busy_ = true;
  flight_ = inbox_.pop();
  return Taken::wake;
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
  if (route_.outlet == nullptr) {
    kernel_.capture(*flight_);
  } else if ((sleeper_ = route_.outlet->take(*flight_)) != nullptr) {
    step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&InterruptTask::woke_sleeper>(*this));
    return;
  }
  go_to_sleep();
}

void InterruptTask::woke_sleeper() {
  wake(*sleeper_, flight_);
  go_to_sleep();
}

void InterruptTask::go_to_sleep() {
  flight_ = nullptr;
  notify(Delegate<void()>::to<&InterruptTask::notified>(*this));
}

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

void HopThread::hand_on() {
  switch (next_.take(*flight_)) {
    case Taken::wake:
      step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&HopThread::woke_next>(*this));
      return;
    case Taken::merged:
      flight_->drop(Fate::merged);
      break;
    case Taken::later:
      break;
  }
  handed_on();
}

void HopThread::woke_next() {
  kernel_.wake(next_, *cpu, flight_);
  handed_on();
}

void HopThread::handed_on() {
  flight_ = nullptr;
  compute(route_.task.hop_more, Delegate<void()>::to<&HopThread::sleep>(*this));
}

IrqThread::IrqThread(Linux& kernel, LinuxRoute& route)
    : Thread(kernel, "irq/" + route.task.interrupt, TaskPolicy::fifo, 50,
             {static_cast<std::int64_t>(route.measured->cpu)}),
      route_(route),
      inbox_(kCdevEvents) {
  free_switch = true;  // the cost of irq_thread includes waking it and switching to it
}

bool IrqThread::take(Flight& flight) {
  if (!inbox_.push(flight)) {
    flight.drop(Fate::merged);
    return false;
  }
  const bool was_busy = busy_;
  busy_ = true;
  if (!was_busy) flight_ = inbox_.pop();
  return !was_busy;
}

void IrqThread::woken() { next(); }

void IrqThread::next() {
  step(LinuxCode::irq_thread, Context::kernel, Delegate<void()>::to<&IrqThread::handled>(*this));
}

void IrqThread::handled() {
  switch (route_.first->take(*flight_)) {
    case Receiver::Taken::wake:
      step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&IrqThread::woke_receiver>(*this));
      return;
    case Receiver::Taken::merged:
      flight_->drop(Fate::merged);
      break;
    case Receiver::Taken::later:
      break;
  }
  flight_ = nullptr;
  if (inbox_.empty()) {
    busy_ = false;
    block();
    return;
  }
  flight_ = inbox_.pop();
  next();
}

void IrqThread::woke_receiver() {
  Flight* flight = flight_;
  flight_ = nullptr;
  kernel_.wake(*route_.first, *cpu, flight);
  if (inbox_.empty()) {
    busy_ = false;
    block();
    return;
  }
  flight_ = inbox_.pop();
  next();
}

LoadTask::LoadTask(Linux& kernel, const TaskConfig& task)
    : Thread(kernel, task.name, task.policy, task.priority, task.cpus),
      config_(task),
      stream_(kernel.simulation_->stream(kernel.domain_ + " " + task.name)),
      exponential_(Distribution::gamma(kernel.simulation_->tables, 1.0, task.period)) {
  notifies = task.notify;
}

void LoadTask::start() {
  if (config_.model == TaskModel::hog || config_.model == TaskModel::recorded) {
    kernel_.wake(*this, *cpu, nullptr);
    return;
  }
  due_ = kStart + Distribution::uniform({}, config_.period).quantile(stream_.uniform());
  wake_at = due_;
  cpu->program_timer();
}

void LoadTask::woken() {
  constexpr Duration kEndless = 1000s;
  Duration time = config_.work;
  if (config_.model == TaskModel::hog) time = kEndless;
  if (config_.model == TaskModel::recorded) time = config_.runs[piece_];
  compute(time, config_.print_chars > 0 ? Delegate<void()>::to<&LoadTask::print_line>(*this)
                                        : Delegate<void()>::to<&LoadTask::worked>(*this));
}

void LoadTask::print_line() { print(config_.print_chars, Delegate<void()>::to<&LoadTask::worked>(*this)); }

void LoadTask::worked() {
  if (config_.hypercall) {
    compute(Duration::zero(), Delegate<void()>::to<&LoadTask::call>(*this));  // once it is back from printing
  } else {
    finished();
  }
}

void LoadTask::call() {
  kernel_.platform_->hypercall(cpu->index(), *config_.hypercall);
  compute(Duration::zero(), Delegate<void()>::to<&LoadTask::finished>(*this));  // once that has returned
}

void LoadTask::finished() {
  if (config_.model == TaskModel::hog) {
    woken();
    return;
  }
  if (config_.model == TaskModel::recorded) {
    const Duration sleep = config_.sleeps[piece_];
    piece_ = (piece_ + 1) % config_.runs.size();
    block(kernel_.simulation_->now() + sleep);
    return;
  }
  notify(Delegate<void()>::to<&LoadTask::done>(*this));
}

void LoadTask::done() {
  const Time now = kernel_.simulation_->now();
  due_ += interval();
  if (due_ <= now) {  // behind its own period: the next activation begins at once
    woken();
    return;
  }
  block(due_);
}

Duration LoadTask::interval() {
  return config_.model == TaskModel::sporadic ? exponential_.quantile(stream_.uniform()) : config_.period;
}

}  // namespace vecusim
