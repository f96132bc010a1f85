// Static partitioning: a hypervisor that divides a board once, as Jailhouse and Bao do, and is then hardly there.
#include <algorithm>

#include "hypervisors/bare_machine.hpp"
#include "hypervisors/catalogue.hpp"
#include "hypervisors/partition_cell.hpp"

namespace vecusim {

namespace {

struct PartitionConfig final : ConfigOf<PartitionConfig> {
  bool direct_injection = false;
  void fields(FieldVisitor& visit) override {
    visit.flag({"direct_injection", "interrupts reach the guest without a trap; asking for another core still traps"},
               direct_injection);
  }
};

class Partition final : public Hypervisor {
 public:
  Partition(Simulation& simulation, const PartitionConfig& config, Board& board, std::span<const DomainConfig> domains,
            CostTable& costs)
      : pcpus_(board.pcpus()),
        costs_{PathCost::from(costs, "partition.irq"), PathCost::from(costs, "partition.sgi"), board.add_code_path(),
               board.add_code_path()} {
    std::vector<CpuName> names = cpus();
    for (const DomainConfig& domain : domains) {
      names_.push_back(domain.name);
      cells_.push_back(std::make_unique<PartitionCell>(simulation, board, domain, config.direct_injection, costs_,
                                                       names.size(), costs));
      names = cpus();
    }
  }

  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                     const TaskConfig& task) override {
    const auto owner = std::find(names_.begin(), names_.end(), domain.name);
    cells_[static_cast<std::size_t>(owner - names_.begin())]->add_interrupt(source, interrupt, task);
  }
  void start() override {
    for (auto& cell : cells_) cell->start();
  }
  std::vector<CpuName> cpus() const override {
    std::vector<CpuName> names;
    for (std::size_t i = 0; i < pcpus_; ++i) names.push_back({BareMachine::name_of_cpu(i), "", true});
    for (const auto& cell : cells_) cell->name_vcpus(names);
    return names;
  }

 private:
  std::size_t pcpus_;
  PartitionCosts costs_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<PartitionCell>> cells_;
};

}  // namespace

HypervisorEntry hypervisor_partition() {
  return {
      {"partition", "static partitioning, as Jailhouse and Bao: each domain has pCPUs of its own, and its interrupts"},
      [] { return std::unique_ptr<Config>(std::make_unique<PartitionConfig>()); },
      [](Simulation& simulation, const Config& config, Board& board, std::span<const DomainConfig> domains,
         CostTable& costs) {
        return std::unique_ptr<Hypervisor>(std::make_unique<Partition>(
            simulation, static_cast<const PartitionConfig&>(config), board, domains, costs));
      }};
}

}  // namespace vecusim
