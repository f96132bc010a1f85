// What a scenario may say in short, written out: a cyclictest is a task and an interrupt for each of its threads.
#include "system/scenario.hpp"

namespace vecusim {

namespace {

TaskConfig thread_of(const TaskConfig& cyclictest, std::int64_t number, const std::string& name) {
  TaskConfig task;
  task.name = name;
  task.model = TaskModel::interrupt;
  task.policy = cyclictest.policy;
  task.priority = cyclictest.priority;
  task.interrupt = name;
  const auto cpus = static_cast<std::int64_t>(cyclictest.cpus.size());
  if (cpus > 0) task.cpus = {cyclictest.cpus[static_cast<std::size_t>(number % cpus)]};
  return task;
}

InterruptConfig wake_up_of(const TaskConfig& cyclictest, std::int64_t number, const DomainConfig& domain,
                           const std::string& name) {
  InterruptConfig interrupt;
  interrupt.name = name;
  interrupt.source = kTimerSource;
  interrupt.target = domain.name;
  interrupt.stimulus.period = cyclictest.interval + number * cyclictest.distance;
  interrupt.stimulus.clock_error_ppm = 0.0;  // it is the kernel's own clock
  interrupt.stimulus.count = cyclictest.loops;
  interrupt.measure.to = Point::user;
  interrupt.measure.clock = MeasureClock::target;
  interrupt.requirement = cyclictest.requirement;
  return interrupt;
}

}  // namespace

// The first thread takes the task's place and the others follow at the end, so that pointers to other tasks hold.
void Scenario::write_out() {
  for (DomainConfig& domain : domains) {
    if (!domain.exists_under(hypervisor.model.name())) continue;
    const std::size_t tasks = domain.tasks.size();
    for (std::size_t t = 0; t < tasks; ++t) {
      if (domain.tasks[t].model != TaskModel::cyclictest) continue;
      const TaskConfig cyclictest = domain.tasks[t];
      for (std::int64_t number = 0; number < cyclictest.threads; ++number) {
        const std::string name =
            cyclictest.threads == 1 ? cyclictest.name : cyclictest.name + "/" + std::to_string(number);
        const TaskConfig thread = thread_of(cyclictest, number, name);
        if (number == 0) {
          domain.tasks[t] = thread;
        } else {
          domain.tasks.push_back(thread);
        }
        interrupts.push_back(wake_up_of(cyclictest, number, domain, name));
      }
    }
  }
}

}  // namespace vecusim
