// Loads: hogs, periodic, sporadic and recorded tasks, some of which print, notify or call the hypervisor.
#include <algorithm>

#include "models/linux_tasks.hpp"

namespace vecusim {

LoadTask::LoadTask(Linux& kernel, const TaskConfig& task)
    : Thread(kernel, task.name, task.policy, task.priority, task.cpus),
      config_(task),
      stream_(kernel.simulation_->stream(kernel.domain_ + " " + task.name)),
      stall_stream_(kernel.simulation_->stream(kernel.domain_ + " " + task.name + "#stall")),
      exponential_(Distribution::gamma(kernel.simulation_->tables, 1.0, task.period)),
      stalls_(task.stall && (task.stall->model == StallModel::cli || kernel.platform_->owns_machine())),
      stall_(stalls_ ? kernel.length_of(*task.stall) : Distribution::constant({})) {
  notifies = task.notify;
  memory_mbps = task.memory_mbps;
}

void LoadTask::start() {
  if (config_.model == TaskModel::hog || config_.model == TaskModel::recorded) {
    rise();
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
    called();
  }
}

void LoadTask::call() {
  kernel_.platform_->hypercall(cpu->index(), *config_.hypercall);
  compute(Duration::zero(), Delegate<void()>::to<&LoadTask::called>(*this));  // once that has returned
}

void LoadTask::called() {
  if (stalls_) {
    stall();
  } else {
    finished();
  }
}

void LoadTask::stall() {
  const Duration length = stall_.quantile(stall_stream_.uniform());
  if (config_.stall->model == StallModel::wbinvd) kernel_.empty_caches(*this, length);
  hold(length, Delegate<void()>::to<&LoadTask::finished>(*this));
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
