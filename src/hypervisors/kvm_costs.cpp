// KVM's costs by their names in the table.
#include "hypervisors/kvm_costs.hpp"

namespace vecusim {

KvmCosts::KvmCosts(CostTable& costs, Board& board)
    : inject(PathCost::from(costs, "kvm.inject")),
      halt(PathCost::from(costs, "kvm.halt")),
      ipi(PathCost::from(costs, "kvm.ipi")),
      eoi(PathCost::from(costs, "kvm.eoi")),
      timer(PathCost::from(costs, "kvm.timer")),
      irqfd(PathCost::from(costs, "kvm.irqfd")),
      ioeventfd(PathCost::from(costs, "kvm.ioeventfd")),
      halt_poll(costs.duration("kvm.halt_poll")) {
  const auto code = [&](const char* name) { return HostCode::from(costs, board, name); };
  exit = code("kvm.exit");
  enter = code("kvm.enter");
  load = code("kvm.load");
  put = code("kvm.put");
  vhost = code("kvm.vhost");
  main_loop = code("kvm.main_loop");
  device = code("kvm.device");
  user_exit = code("kvm.user_exit");
}

}  // namespace vecusim
