// Which kernel an operating system has.
#include "models/kernel.hpp"

#include "models/linux.hpp"
#include "models/rtos.hpp"

namespace vecusim {

std::unique_ptr<Kernel> make_kernel(Simulation& simulation, const std::string& domain, const OsConfig& os,
                                    const std::vector<TaskConfig>& tasks, KernelPlatform& platform,
                                    const std::vector<Cpu*>& cpus, Board& board, CostTable& costs) {
  std::unique_ptr<Kernel> kernel;
  switch (os.model) {
    case OsModel::linux:
      kernel = std::make_unique<Linux>(simulation, domain, os.linux, platform, cpus, board, costs);
      break;
    case OsModel::rtos:
      kernel = std::make_unique<Rtos>(simulation, domain, os.rtos, platform, cpus, board, costs);
  }
  for (const TaskConfig& task : tasks) {
    if (task.model != TaskModel::interrupt) kernel->add_task(task);
  }
  return kernel;
}

}  // namespace vecusim
