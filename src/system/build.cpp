// Assembly: the block diagram as code. The file to read first.
//
//   stimulus ──► [bus] ──► device ──► gic ──► hypervisor ──► operating system ──► task ──► answer
//                                                 │
//                                        pCPUs and caches of the board
//
// Every component is a class with its own file; what is wired here is all the wiring there is. Nothing is scheduled
// before start(), which begins with the system under test and ends with its environment.
#include "system/build.hpp"

#include <algorithm>

namespace vecusim {

namespace {

const DomainConfig& domain_of(const std::vector<DomainConfig>& domains, const InterruptConfig& interrupt) {
  return *std::find_if(domains.begin(), domains.end(),
                       [&](const DomainConfig& domain) { return domain.name == interrupt.target; });
}

const TaskConfig& task_of(const DomainConfig& domain, const InterruptConfig& interrupt) {
  return *std::find_if(domain.tasks.begin(), domain.tasks.end(), [&](const TaskConfig& task) {
    return task.model == TaskModel::interrupt && task.interrupt == interrupt.name;
  });
}

bool streams(const std::vector<DomainConfig>& domains) {
  return std::any_of(domains.begin(), domains.end(), [](const DomainConfig& domain) {
    return std::any_of(domain.tasks.begin(), domain.tasks.end(),
                       [](const TaskConfig& task) { return task.memory_mbps > 0; });
  });
}

}  // namespace

System::System(const Scenario& scenario, QuantileTables& tables, std::uint64_t seed, std::uint32_t replication)
    : domains(scenario.present_domains()),
      simulation(tables, seed, replication),
      costs(scenario.costs),
      board(simulation, scenario.board.spec(), scenario.board.choice(), costs) {
  if (streams(domains)) board.share_memory(costs);
  const HypervisorEntry& entry = scenario.hypervisor.model.entry();
  hypervisor = entry.build(simulation, scenario.hypervisor.model.config(), board, domains, costs);

  for (const BusConfig& config : scenario.buses) buses.push_back(make_bus(simulation, config));
  const BoardSpec spec = scenario.board.spec();
  for (const InterruptConfig& config : scenario.interrupts) {
    const InterruptId id{static_cast<std::uint16_t>(interrupts.size())};
    interrupts.push_back(std::make_unique<MeasuredInterrupt>(simulation, id, config.measure));
    const DomainConfig& domain = domain_of(domains, config);
    interrupts.back()->cpu = static_cast<std::size_t>(cpu_of(config, domain));
    interrupts.back()->host_cpu = static_cast<std::size_t>(config.host_cpu.value_or(0));
    const InterruptSource source = source_of(spec, config.source).value();
    if (source.kind != InterruptSource::Kind::event) {  // events are sent by domains
      stimuli.push_back(std::make_unique<SourceStimulus>(simulation, config, *interrupts.back(), board, source));
      if (config.frame) stimuli.back()->come_by(bus_of(scenario, *config.frame), config);
      interrupts.back()->wakes = &stimuli.back()->stimulus;
    }
    hypervisor->add_interrupt(source, *interrupts.back(), domain, task_of(domain, config));
  }
  follow(scenario.interrupts);
  if (scenario.network) {
    machine = std::make_unique<DomainMachine>(*hypervisor, domains.front().name);
    network = std::make_unique<Network>(simulation, *scenario.network, board, costs, *machine);
  }
}

Bus& System::bus_of(const Scenario& scenario, const FrameConfig& frame) {
  const auto named = std::find_if(scenario.buses.begin(), scenario.buses.end(),
                                  [&](const BusConfig& bus) { return bus.name == frame.bus; });
  return *buses[static_cast<std::size_t>(named - scenario.buses.begin())];
}

void System::follow(const std::vector<InterruptConfig>& configs) {
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const std::size_t leader = leader_of(configs, i);
    if (leader != i) stimuli[i]->stimulus.follow(stimuli[leader]->stimulus);
  }
}

bool System::settled() const {
  return std::all_of(stimuli.begin(), stimuli.end(), [](const auto& s) { return s->stimulus.finished(); }) &&
         std::all_of(interrupts.begin(), interrupts.end(), [](const auto& i) { return i->under_way() == 0; });
}

}  // namespace vecusim
