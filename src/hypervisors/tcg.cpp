// QEMU without KVM: a guest whose code is translated, on a Linux that has the board; edges are relayed to it.
//
// QEMU 5.2 has no Raspberry Pi 4, and its model of the earlier chips' pins detects no edges: an edge of the board can
// reach a guest only through a program on the host. Specification of the mechanisms, section 3.2, stages Q1 to Q11.
#include <algorithm>

#include "hypervisors/bare_machine.hpp"
#include "hypervisors/catalogue.hpp"
#include "hypervisors/tcg_config.hpp"
#include "hypervisors/tcg_guest.hpp"

namespace vecusim {

namespace {

const DomainConfig& guest_of(std::span<const DomainConfig> domains) {
  return *std::find_if(domains.begin(), domains.end(), [](const auto& domain) { return !domain.is_host(); });
}

class Tcg final : public Hypervisor {
 public:
  Tcg(Simulation& simulation, const TcgConfig& config, Board& board, std::span<const DomainConfig> domains,
      CostTable& costs);

  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                     const TaskConfig& task) override;
  void start() override;
  std::vector<CpuName> cpus() const override;

 private:
  void relay_to_guest(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task, PathBuilder& path);
  StageId to_vcpu(MeasuredInterrupt& interrupt, PathBuilder& path, TcgStages& stages);

  Board& board_;
  std::string host_name_;
  std::string guest_name_;
  BareMachine machine_;
  Linux host_;
  Qemu qemu_;
  RelayLink link_;
  TcgGuest guest_;
};

Tcg::Tcg(Simulation& simulation, const TcgConfig& config, Board& board, std::span<const DomainConfig> domains,
         CostTable& costs)
    : board_(board),
      host_name_(host_of(domains).name),
      guest_name_(guest_of(domains).name),
      machine_(simulation, board),
      host_(simulation, host_name_, host_of(domains).os.linux, machine_, machine_.cpus(), board, costs),
      qemu_{.simulation = simulation, .costs = TcgCosts(costs, board, config.relay), .host = host_},
      link_(qemu_, config.relay),
      guest_(qemu_, board, guest_of(domains), CpuId{static_cast<std::uint16_t>(board.pcpus())}, config.pulse, costs) {
  const auto& affinity = guest_of(domains).affinity;
  const std::vector<std::int64_t> allowed = affinity.empty() ? std::vector<std::int64_t>{} : affinity.front();
  machine_.boot(host_);
  add_load(host_, host_of(domains));
  qemu_.guest = &guest_;
  qemu_.main_loop = &host_.add_thread(std::make_unique<MainLoop>(qemu_, allowed));
  qemu_.vcpu = &host_.add_thread(std::make_unique<VcpuThread>(qemu_, allowed));
  qemu_.vcpu->vcpu = guest_.cpu().id();
  qemu_.reply = &host_.add_thread(std::make_unique<ReplyRelay>(qemu_));
}

void Tcg::add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                        const TaskConfig& task) {
  PathBuilder path(interrupt.path);
  board_.attach(source, interrupt, path);
  qemu_.stages.resize(std::max(qemu_.stages.size(), static_cast<std::size_t>(interrupt.id()) + 1));
  if (domain.name == guest_name_) {
    relay_to_guest(source, interrupt, task, path);
  } else {
    host_.add_interrupt(source, interrupt, task, path);
  }
}

void Tcg::relay_to_guest(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                         PathBuilder& path) {
  const Core& core = board_.core(PcpuIndex{0});
  TcgStages& stages = qemu_.stages[static_cast<std::size_t>(interrupt.id())];
  TaskConfig relay;
  relay.name = "relay of " + task.interrupt;
  relay.model = TaskModel::interrupt;
  host_.add_relay(source, interrupt, relay, {qemu_.costs.relay, "relay"}, path, link_);
  const StageId raised = to_vcpu(interrupt, path, stages);

  path.label("vCPU halted");
  host_.add_leg(interrupt, path, "vcpu_").hand_over();
  const Duration enter = core.cold(qemu_.costs.enter.cost);
  stages.enter = path.then({"vcpu_enter", Where::hypervisor, enter, enter});
  path.also_from(raised, "vCPU at work");
  stages.block_exit = path.then({"block_exit", Where::hypervisor, Duration::zero(), guest_.longest_block()});
  guest_.gpio().attach(interrupt);
  guest_.kernel().add_interrupt(source, interrupt, task, path, guest_);

  const Duration output = core.cold(qemu_.costs.output.cost);
  stages.output = path.then({"output", Where::hypervisor, output, output});
  LinuxPath back = host_.add_leg(interrupt, path, "reply_");
  back.hand_over();
  path.also_from(stages.output, "reply relay still at work");
  back.then(LinuxCode::poll_return);
  const Duration reply = core.cold(qemu_.costs.reply.cost);
  stages.reply = path.then({"reply", Where::thread, reply, reply});
  back.then(LinuxCode::answer_sysfs);
  back.capture();
  interrupt.path.verify();
}

// From the relay to the moment at which the vCPU's interrupt input is high; returns the last stage.
StageId Tcg::to_vcpu(MeasuredInterrupt& interrupt, PathBuilder& path, TcgStages& stages) {
  const Core& core = board_.core(PcpuIndex{0});
  const bool stalls = qemu_.costs.stall > Duration::zero();
  if (stalls) {
    const Duration longest = qemu_.costs.stall + host_.tick_period();
    stages.stall = path.then({"relay_stall", Where::hypervisor, qemu_.costs.stall, longest});
  }
  const StageId sent = path.end();
  LinuxPath leg = host_.add_leg(interrupt, path, "main_loop_");
  if (stalls) {
    leg.hand_over_by_interrupt();
  } else {
    leg.hand_over();
  }
  path.also_from(sent, "main loop still at work");
  const Duration turn = core.cold(qemu_.costs.main_loop.cost);
  stages.main_loop = path.then({"main_loop", Where::hypervisor, turn, turn});
  stages.lock = path.then({"big_lock", Where::hypervisor, Duration::zero(), Duration::zero()});
  const Duration raise = core.cold(qemu_.costs.raise.cost);
  return stages.raise = path.then({"raise", Where::hypervisor, raise, raise});
}

void Tcg::start() {
  host_.start();
  guest_.kernel().start();
}

std::vector<Hypervisor::CpuName> Tcg::cpus() const {
  std::vector<CpuName> names;
  for (std::size_t i = 0; i < board_.pcpus(); ++i) names.push_back({BareMachine::name_of_cpu(i), host_name_, true});
  names.push_back({guest_name_ + "/0", guest_name_, false});
  return names;
}

}  // namespace

HypervisorEntry hypervisor_tcg() {
  return {{"tcg", "QEMU without KVM: the guest's code is translated, edges are relayed by a program on the host"},
          [] { return std::unique_ptr<Config>(std::make_unique<TcgConfig>()); },
          [](Simulation& simulation, const Config& config, Board& board, std::span<const DomainConfig> domains,
             CostTable& costs) {
            return std::unique_ptr<Hypervisor>(
                std::make_unique<Tcg>(simulation, static_cast<const TcgConfig&>(config), board, domains, costs));
          }};
}

}  // namespace vecusim
