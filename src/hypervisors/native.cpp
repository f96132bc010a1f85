// No hypervisor: one operating system on the board's own cores and interrupt controller.
#include "hypervisors/bare_machine.hpp"
#include "hypervisors/catalogue.hpp"

namespace vecusim {

namespace {

struct NativeConfig final : ConfigOf<NativeConfig> {
  void fields(FieldVisitor&) override {}
};

class Native final : public Hypervisor {
 public:
  Native(Simulation& simulation, Board& board, const DomainConfig& domain, CostTable& costs)
      : board_(board),
        name_(domain.name),
        machine_(simulation, board),
        kernel_(
            make_kernel(simulation, domain.name, domain.os, domain.tasks, machine_, machine_.cpus(), board, costs)) {
    machine_.boot(*kernel_);
  }

  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig&,
                     const TaskConfig& task) override {
    PathBuilder path(interrupt.path);
    board_.attach(source, interrupt, path);
    board_.gic().set_target(board_.irq_of(source), PcpuIndex{static_cast<std::uint16_t>(interrupt.cpu)});
    kernel_->add_interrupt(source, interrupt, task, path);
  }
  Kernel* kernel(std::string_view) override { return kernel_.get(); }
  void route(IrqId irq, std::string_view, std::size_t cpu) override {
    board_.gic().set_target(irq, PcpuIndex{static_cast<std::uint16_t>(cpu)});
  }
  void start() override { kernel_->start(); }
  std::vector<CpuName> cpus() const override {
    std::vector<CpuName> names;
    for (std::size_t i = 0; i < board_.pcpus(); ++i) names.push_back({BareMachine::name_of_cpu(i), name_, true});
    return names;
  }

 private:
  Board& board_;
  std::string name_;
  BareMachine machine_;
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace

HypervisorEntry hypervisor_native() {
  return {
      {"native", "none: one operating system on the board itself"},
      [] { return std::unique_ptr<Config>(std::make_unique<NativeConfig>()); },
      [](Simulation& simulation, const Config&, Board& board, std::span<const DomainConfig> domains, CostTable& costs) {
        return std::unique_ptr<Hypervisor>(std::make_unique<Native>(simulation, board, domains.front(), costs));
      }};
}

}  // namespace vecusim
