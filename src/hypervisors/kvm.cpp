// KVM: the host's Linux has the board, and guests' vCPUs are threads of its scheduler.
//
// kvm_vcpu.cpp is such a thread, kvm_guest.cpp the machine that a guest finds, kvm_path.cpp what of both an interrupt
// meets. Specification of the mechanisms, section 4.1.
#include <algorithm>

#include "hypervisors/catalogue.hpp"
#include "hypervisors/kvm_config.hpp"
#include "hypervisors/kvm_guest.hpp"
#include "hypervisors/kvm_machine.hpp"

namespace vecusim {

namespace {

class Kvm final : public Hypervisor {
 public:
  Kvm(Simulation& simulation, const KvmConfig& config, Board& board, std::span<const DomainConfig> domains,
      CostTable& costs)
      : board_(board),
        host_name_(host_of(domains).name),
        machine_(simulation, board),
        host_(simulation, host_name_, host_of(domains).os.linux, machine_, machine_.cpus(), board, costs),
        kvm_{.simulation = simulation,
             .board = board,
             .costs = KvmCosts(costs, board),
             .machine = machine_,
             .kernel = host_,
             .halt_poll = {},
             .party = simulation.party("KVM")} {
    kvm_.halt_poll = config.halt_poll.value_or(kvm_.costs.halt_poll);
    machine_.boot(host_);
    add_load(host_, host_of(domains));
    std::size_t cpu = board.pcpus();
    for (const DomainConfig& domain : domains) {
      if (domain.is_host()) continue;
      guests_.push_back(std::make_unique<KvmGuest>(kvm_, domain, cpu, costs));
      cpu += guests_.back()->vcpus().size();
    }
  }

  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                     const TaskConfig& task) override {
    PathBuilder path(interrupt.path);
    board_.attach(source, interrupt, path);
    kvm_.routes.resize(std::max(kvm_.routes.size(), static_cast<std::size_t>(interrupt.id()) + 1));
    if (domain.is_host()) {
      board_.gic().set_target(board_.irq_of(source), PcpuIndex{static_cast<std::uint16_t>(interrupt.cpu)});
      host_.add_interrupt(source, interrupt, task, path);
      return;
    }
    const auto guest =
        std::find_if(guests_.begin(), guests_.end(), [&](const auto& each) { return each->name() == domain.name; });
    (*guest)->add_interrupt(source, interrupt, task, path);
  }

  void start() override {
    host_.start();
    for (auto& guest : guests_) guest->kernel().start();
  }

  std::vector<CpuName> cpus() const override {
    std::vector<CpuName> names;
    for (std::size_t i = 0; i < board_.pcpus(); ++i) names.push_back({BareMachine::name_of_cpu(i), host_name_, true});
    for (const auto& guest : guests_) {
      for (const KvmVcpu* vcpu : guest->vcpus()) names.push_back({vcpu->name(), guest->name(), false});
    }
    return names;
  }

 private:
  Board& board_;
  std::string host_name_;
  KvmMachine machine_;
  Linux host_;
  KvmHost kvm_;
  std::vector<std::unique_ptr<KvmGuest>> guests_;
};

}  // namespace

HypervisorEntry hypervisor_kvm() {
  return {{"kvm", "KVM: guests' vCPUs are threads of the Linux that has the board"},
          [] { return std::unique_ptr<Config>(std::make_unique<KvmConfig>()); },
          [](Simulation& simulation, const Config& config, Board& board, std::span<const DomainConfig> domains,
             CostTable& costs) {
            return std::unique_ptr<Hypervisor>(
                std::make_unique<Kvm>(simulation, static_cast<const KvmConfig&>(config), board, domains, costs));
          }};
}

}  // namespace vecusim
