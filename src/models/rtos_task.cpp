// The steps of a real-time kernel's tasks.
#include "models/rtos_task.hpp"

#include <utility>

namespace vecusim {

RtosTask::RtosTask(Rtos& kernel, RtosCpu& cpu, const TaskConfig& config, RtosRoute* route)
    : kernel_(kernel),
      cpu_(cpu),
      config_(config),
      route_(route),
      stream_(kernel.simulation_->stream(kernel.domain_ + " " + config.name)),
      exponential_(Distribution::gamma(kernel.simulation_->tables, 1.0, config.period)) {
  work_.level = rtos_task_level(config.priority);
  work_.inflicts = Wait::thread;
  work_.party = kernel.simulation_->party(kernel.domain_ + " " + config.name);
  work_.done = Delegate<void()>::to<&RtosTask::done>(*this);
}

void RtosTask::start() {
  switch (config_.model) {
    case TaskModel::interrupt:
    case TaskModel::cyclictest:  // not under an rtos
      return;
    case TaskModel::hog:
    case TaskModel::recorded:
      activate(nullptr);
      return;
    case TaskModel::periodic:
    case TaskModel::sporadic:
      planned_ = kStart + Distribution::uniform({}, config_.period).quantile(stream_.uniform());
      due_ = planned_;
  }
}

bool RtosTask::activate(Flight* flight) {
  due_ = kNever;
  if (active_) {
    if (kept_ != nullptr) return false;
    kept_ = flight;
    flight->wait(Wait::thread, work_.party);
    return true;
  }
  active_ = true;
  flight_ = flight;
  step(RtosCode::dispatch, &RtosTask::dispatched);
  return true;
}

void RtosTask::step(RtosCode code, Then then) {
  code_ = code;
  then_ = then;
  kernel_.enter(flight_, code);
  work_.begin = Delegate<Duration()>::to<&RtosTask::begin>(*this);
  work_.served = {};
  work_.context = Context::kernel;
  work_.account = flight_ == nullptr ? nullptr : &flight_->account();
  if (code == RtosCode::dispatch) {
    cpu_.cpu().submit(work_);
  } else {
    cpu_.cpu().go_on(work_);
  }
}

void RtosTask::compute(Duration time, Then then) {
  then_ = then;
  work_.begin = {};
  if (config_.memory_mbps > 0) work_.served = Delegate<void(bool)>::to<&RtosTask::streams>(*this);
  work_.demand = time;
  work_.context = Context::user;
  work_.account = flight_ == nullptr ? nullptr : &flight_->account();
  cpu_.cpu().go_on(work_);
}

void RtosTask::streams(bool now) {
  if (now) streams_on_ = &kernel_.platform_->core(cpu_.index());
  streams_on_->stream(now ? config_.memory_mbps : -config_.memory_mbps, kernel_.platform_->colors());
}

void RtosTask::dispatched() {
  constexpr Duration kEndless = 1000s;
  switch (config_.model) {
    case TaskModel::interrupt:
      step(RtosCode::task, &RtosTask::computed);
      break;
    case TaskModel::hog:
      compute(kEndless, &RtosTask::dispatched);
      break;
    case TaskModel::recorded:
      compute(config_.runs[piece_], &RtosTask::worked);
      break;
    case TaskModel::periodic:
    case TaskModel::sporadic:
      compute(config_.work, &RtosTask::worked);
      break;
    case TaskModel::cyclictest:
      break;
  }
}

void RtosTask::call(Then then) {
  if (!config_.hypercall) {
    (this->*then)();
    return;
  }
  kernel_.platform_->hypercall(cpu_.index(), *config_.hypercall);
  compute(Duration::zero(), then);  // once that has returned
}

void RtosTask::computed() { call(&RtosTask::read_clock); }

void RtosTask::read_clock() {
  flight_->pass(Point::user);
  step(RtosCode::answer, &RtosTask::answered);
}

void RtosTask::answered() {
  kernel_.answer(*flight_);
  flight_ = std::exchange(kept_, nullptr);
  if (flight_ != nullptr) {
    dispatched();
  } else {
    step(RtosCode::block, &RtosTask::blocked);
  }
}

void RtosTask::worked() { call(&RtosTask::finished); }

void RtosTask::finished() {
  if (config_.model == TaskModel::recorded) {
    planned_ = kernel_.simulation_->now() + config_.sleeps[piece_];
    piece_ = (piece_ + 1) % config_.runs.size();
  } else {
    planned_ += interval();
  }
  if (behind()) {
    dispatched();
  } else {
    step(RtosCode::block, &RtosTask::blocked);
  }
}

void RtosTask::blocked() {
  active_ = false;
  if (kept_ != nullptr || behind()) {
    activate(std::exchange(kept_, nullptr));
  } else if (route_ == nullptr) {
    due_ = planned_;
  }
  cpu_.task_blocked();
}

bool RtosTask::behind() const { return route_ == nullptr && planned_ <= kernel_.simulation_->now(); }

Duration RtosTask::interval() {
  return config_.model == TaskModel::sporadic ? exponential_.quantile(stream_.uniform()) : config_.period;
}

}  // namespace vecusim
