// Whose board it is, and threads that serve.
#include "hypervisors/hosted.hpp"

#include <algorithm>

namespace vecusim {

const DomainConfig& host_of(std::span<const DomainConfig> domains) {
  return *std::find_if(domains.begin(), domains.end(), [](const DomainConfig& domain) { return domain.is_host(); });
}

void add_load(Kernel& kernel, const DomainConfig& domain) {
  for (const TaskConfig& task : domain.tasks) {
    if (task.model != TaskModel::interrupt) kernel.add_task(task);
  }
}

Thread* ServingThread::take(Flight& flight) {
  if (busy_ || state != State::blocked) {  // its own timer may have woken it, and it has not run yet
    inbox_.push_back(&flight);
    flight.wait(Wait::thread, party());
    return nullptr;
  }
  busy_ = true;
  wake_at = kNever;  // this turn will see to the timer too
  flight_ = &flight;
  return this;
}

Flight* ServingThread::next() {
  busy_ = true;
  if (inbox_.empty()) return nullptr;
  flight_ = inbox_.front();
  inbox_.pop_front();
  return flight_;
}

void ServingThread::rest(Time until) {
  busy_ = false;
  block(until);
}

}  // namespace vecusim
