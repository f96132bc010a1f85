// Each verb is one event of the ideal machine: on the unit's pCPU, and then the passes that were asked for.
#include "system/policy_drive.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

#include "system/json_fields.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"

namespace vecusim::golden {
namespace {

const PolicyEntry& entry_named(const std::string& scheduler) {
  if (const PolicyEntry* entry = find_policy(scheduler)) return *entry;
  std::vector<std::string> names;
  for (const PolicyEntry& entry : policies()) names.emplace_back(entry.option.name);
  throw InvalidInput(Problem{.place = {},
                             .pointer = "/model",
                             .expected = "the name of a scheduler",
                             .found = json::quoted(scheduler),
                             .suggestion = nearest(scheduler, names)});
}

std::unique_ptr<Policy> policy_of(const std::string& scheduler, std::size_t pcpus, const json::Node& boot,
                                  std::string_view xen_version) {
  if (pcpus < 1 || pcpus > PcpuMask::kMaxPcpus) {
    throw std::invalid_argument("pcpus: expected 1 to " + std::to_string(PcpuMask::kMaxPcpus));
  }
  const PolicyEntry& entry = entry_named(scheduler);
  const std::unique_ptr<Config> config = entry.config();
  Problems problems;
  json::read(boot, *config, problems);
  problems.throw_if_errors();
  return entry.make(*config, arm_machine(pcpus, resolve_version(xen_version).behaviour));
}

void require(bool holds, const char* expected) {
  if (!holds) throw std::invalid_argument(std::string("expected ") + expected);
}

}  // namespace

PolicyDrive::PolicyDrive(const std::string& scheduler, std::size_t pcpus, const json::Node& boot,
                         std::string_view xen_version)
    : machine_(policy_of(scheduler, pcpus, boot, xen_version), pcpus, *this) {
  machine_.add_pcpus();
  machine_.settle();
}

DomainId PolicyDrive::add_domain(const DomainParameters& parameters) {
  const DomainId domain = machine_.core().add_domain(machine_.moment());
  ++domains_;
  if (parameters.weight || parameters.cap_pct) {
    require(machine_.core().adjust_domain(machine_.moment(), domain, parameters),
            "a weight and cap that the scheduler accepts");
  }
  machine_.settle();
  return domain;
}

UnitId PolicyDrive::add_unit(DomainId domain, const std::vector<std::size_t>& pcpus,
                             const std::optional<ServerParameters>& server) {
  require(index(domain) < domains_, "a domain that was added");
  const PcpuMask all = PcpuMask::first_n(machine_.core().pcpus());
  PcpuMask hard = pcpus.empty() ? all : PcpuMask{};
  for (const std::size_t pcpu : pcpus) {
    require(pcpu < machine_.core().pcpus(), "pCPUs of this machine");
    hard.insert(static_cast<PcpuId>(pcpu));
  }
  const UnitId unit = machine_.core().add_unit(machine_.moment(), {.domain = domain, .pcpu = hard.first()}, hard);
  if (server) {
    require(machine_.core().adjust_unit(machine_.moment(), unit, *server),
            "a period and budget that the scheduler accepts");
  }
  machine_.settle();
  return unit;
}

void PolicyDrive::set_table(const SlotTable& table) {
  require(machine_.core().set_table(machine_.moment(), table), "a table that the scheduler accepts");
  machine_.settle();
}

void PolicyDrive::wake(UnitId unit) {
  machine_.executes_on(machine_.policy().pcpu_of(known(unit)));
  if (machine_.core().down(unit)) {
    machine_.core().come_up(machine_.moment(), unit);
  } else {
    machine_.core().unblock(machine_.moment(), unit);
  }
  machine_.settle();
}

void PolicyDrive::block(UnitId unit) {
  machine_.executes_on(machine_.policy().pcpu_of(running(unit)));
  machine_.core().block(machine_.moment(), unit);
  machine_.settle();
}

void PolicyDrive::yield(UnitId unit) {
  machine_.executes_on(machine_.policy().pcpu_of(running(unit)));
  machine_.core().yield(machine_.moment(), unit);
  machine_.settle();
}

void PolicyDrive::run_until(HvTime end) {
  require(end >= now(), "a time that is not before now");
  const Time limit = to_time(end);
  require(limit < kNever, "a time before 106 days");
  while (machine_.queue().next() <= limit) {
    machine_.queue().step();
    machine_.settle();
  }
  machine_.queue().run_until(limit);
}

UnitId PolicyDrive::running_on(std::size_t pcpu) const {
  require(pcpu < machine_.core().pcpus(), "a pCPU of this machine");
  return machine_.core().state().current[pcpu];
}

Runstate PolicyDrive::runstate(UnitId unit) const { return machine_.core().runstate(known(unit)); }

RunTotals PolicyDrive::totals(UnitId unit) const { return machine_.core().totals(known(unit), now()); }

Figures PolicyDrive::figures(UnitId unit) const { return machine_.policy().figures(known(unit)); }

void PolicyDrive::decided(PcpuId pcpu, UnitId previous, const Decision& decision) {
  passes_.push_back({machine_.now(), pcpu, previous, decision.unit, decision.slice});
}

UnitId PolicyDrive::known(UnitId unit) const {
  require(index(unit) < machine_.core().units(), "a unit that was added");
  return unit;
}

UnitId PolicyDrive::running(UnitId unit) const {
  require(machine_.core().runstate(known(unit)) == Runstate::running, "a unit that is running");
  return unit;
}

}  // namespace vecusim::golden
