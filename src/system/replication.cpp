// One run from its first stimulus to its last answer.
#include "system/replication.hpp"

#include "system/build.hpp"

namespace vecusim {

class Replication::System final : public vecusim::System {
 public:
  System(const Scenario& scenario, QuantileTables& tables, std::uint64_t seed, std::uint32_t replication)
      : vecusim::System(scenario, tables, seed, replication), measure(scenario.run.measure) {
    for (const auto& cpu : hypervisor->cpus()) view.cpus.push_back({cpu.name, cpu.domain, cpu.physical, cpu.home});
    for (std::size_t i = 0; i < interrupts.size(); ++i) {
      const MeasuredInterrupt& interrupt = *interrupts[i];
      SystemView::InterruptView shown{scenario.interrupts[i].name,
                                      std::string(word_of(interrupt.measure().from)),
                                      std::string(word_of(interrupt.measure().to)),
                                      {}};
      for (const Stage& stage : interrupt.path.stages()) shown.stages.push_back(stage.name);
      view.interrupts.push_back(std::move(shown));
    }
    if (!scenario.network) return;
    for (const FlowConfig& flow : scenario.network->flows) view.flows.push_back(flow.name);
  }

  SystemView view;
  std::optional<Duration> measure;
  std::vector<std::uint64_t> queued_frames;
};

namespace {

// Costs that a model asked for and the tables do not have.
void throw_if_missing(const CostTable& costs) {
  Problems problems;
  for (const CostTable::Missing& missing : costs.missing()) {
    problems.add({.place = {},
                  .pointer = "/costs/" + missing.name,
                  .expected = missing.expected,
                  .found = "nothing of the kind"});
  }
  problems.throw_if_errors();
}

}  // namespace

Replication::Replication(const Scenario& scenario, QuantileTables& tables, std::uint64_t seed,
                         std::uint32_t replication)
    : system_(std::make_unique<System>(scenario, tables, seed, replication)) {
  throw_if_missing(system_->costs);
}

Replication::~Replication() = default;

const SystemView& Replication::view() const { return system_->view; }

const InterruptPath& Replication::path(std::size_t interrupt) const { return system_->interrupts[interrupt]->path; }

std::string_view Replication::name_of(Party party) const { return system_->simulation.name_of(party); }

void Replication::attach(TraceSink& sink) { system_->simulation.trace.attach(sink); }

void Replication::run() {
  EventQueue& queue = system_->simulation.queue;
  system_->hypervisor->start();
  for (auto& bus : system_->buses) bus->start();
  for (auto& stimulus : system_->stimuli) stimulus->start();
  if (system_->network) system_->network->start();
  if (system_->measure) {
    queue.run_until(kStart + *system_->measure);
  } else {
    while (!system_->settled() && queue.step()) {
    }
  }
  if (system_->network) system_->queued_frames = system_->network->settle();
}

const std::vector<std::uint64_t>& Replication::queued_frames() const { return system_->queued_frames; }

std::uint64_t Replication::under_way(std::size_t interrupt) const {
  return system_->interrupts[interrupt]->under_way();
}

Time Replication::end() const { return system_->simulation.now(); }

std::uint64_t Replication::events() const { return system_->simulation.queue.fired(); }

}  // namespace vecusim
