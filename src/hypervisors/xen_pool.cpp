// How a pool's scheduler gets its cores, vCPUs and timers, and what its vCPUs wait for.
#include "hypervisors/xen_pool.hpp"

#include <algorithm>

#include "hypervisors/xen.hpp"

namespace vecusim {

class XenPool::PolicyTimer {
 public:
  PolicyTimer(XenPool& pool, TimerId id)
      : pool_(pool),
        id_(id),
        pcpu_(pool.xen_.pcpu(pool.core_->policy().timers()[vecusim::index(id)].pcpu)),
        timer_(pcpu_.timers().add(Delegate<void()>::to<&PolicyTimer::expired>(*this))) {}
  void arm(Time due) { pcpu_.timers().set(timer_, due); }
  void cancel() { pcpu_.timers().stop(timer_); }

 private:
  void expired() { pool_.core_->timer(pool_.xen_.at(pcpu_), id_); }

  XenPool& pool_;
  TimerId id_;
  XenPcpu& pcpu_;
  XenTimers::Id timer_;
};

XenPool::XenPool(Xen& xen, const CpupoolConfig& config, PcpuMask pcpus, CostTable& costs)
    : xen_(xen),
      config_(config),
      pcpus_(pcpus),
      costs_(costs, config.scheduler.name()),
      holds_(xen.simulation_->queue, Delegate<void()>::to<&XenPool::book_holds>(*this)) {
  const std::size_t all = xen.board_.pcpus();
  const XenVersion version = resolve_version(xen.config_.version);
  core_ = std::make_unique<SchedCore>(
      config.scheduler.entry().make(config.scheduler.config(), arm_machine(all, version.behaviour)), all, *this);
  if (table() == nullptr) return;
  for (const NamedSlot& slot : table()->slots) {
    slots_.push_back(xen.simulation_->party("slot " + std::to_string(slots_.size()) + ", of " + slot.vcpu));
  }
  slots_.push_back(xen.simulation_->party("the part of the frame that is no slot"));
}

XenPool::~XenPool() = default;

// ---- Boot ----

void XenPool::add_pcpus(const Moment& boot) {
  for (const PcpuId pcpu : pcpus_) core_->add_pcpu(boot, pcpu);
}

void XenPool::add_domain(const Moment& boot, DomainId id, XenDomain& domain) {
  core_->add_domain(boot, id);
  PcpuId first = pcpus_.first();
  for (auto& vcpu : domain.vcpus) {
    vcpu->pool = this;
    vcpu->unit = core_->add_unit(boot, {.domain = id, .pcpu = first}, PcpuMask::first_n(core_->pcpus()));
    units_.push_back(vcpu.get());
    vcpu->timers.resize(core_->pcpus());
    for (const PcpuId pcpu : pcpus_) {
      vcpu->timers[vecusim::index(pcpu)] = std::make_unique<XenVcpuTimer>(*vcpu, xen_.pcpu(pcpu));
    }
    first = pcpus_.cycle(home_of(*vcpu));
  }
  const DomainConfig& config = domain.config;
  for (auto& vcpu : domain.vcpus) {
    if (config.affinity.empty() && config.soft_affinity.empty()) break;
    core_->set_affinity(boot, vcpu->unit, mask_of(config.affinity, vcpu->index),
                        mask_of(config.soft_affinity, vcpu->index));
  }
  set_parameters(boot, id, domain);
}

PcpuMask XenPool::mask_of(const std::vector<std::vector<std::int64_t>>& lists, std::size_t vcpu) const {
  if (lists.empty()) return PcpuMask::first_n(core_->pcpus());
  PcpuMask mask;
  for (const std::int64_t pcpu : lists[lists.size() == 1 ? 0 : vcpu]) mask.insert(static_cast<PcpuId>(pcpu));
  return mask;
}

void XenPool::set_parameters(const Moment& boot, DomainId id, const XenDomain& domain) {
  const DomainConfig& config = domain.config;
  DomainParameters parameters;
  if (config.weight) parameters.weight = static_cast<std::int32_t>(*config.weight);
  if (config.cap_pct) parameters.cap_pct = static_cast<std::int32_t>(*config.cap_pct);
  core_->adjust_domain(boot, id, parameters);
  if (!config.budget && !config.period && !config.extratime) return;
  ServerParameters server;
  if (config.period) server.period = std::chrono::duration_cast<HvTime>(*config.period);
  if (config.budget) server.budget = std::chrono::duration_cast<HvTime>(*config.budget);
  server.extratime = config.extratime;
  for (const auto& vcpu : domain.vcpus) core_->adjust_unit(boot, vcpu->unit, server);
}

void XenPool::set_table(const Moment& boot) {
  if (table() == nullptr) return;
  SlotTable resolved_table{std::chrono::duration_cast<HvTime>(table()->major_frame), {}};
  for (const NamedSlot& slot : table()->slots) {
    Slot resolved{kIdle, std::chrono::duration_cast<HvTime>(slot.runtime)};
    for (const XenVcpu* vcpu : units_) {
      if (vcpu->name == slot.vcpu) resolved.unit = vcpu->unit;
    }
    resolved_table.slots.push_back(resolved);
  }
  core_->set_table(boot, resolved_table);
}

void XenPool::come_up(const Moment& boot) {
  for (const XenVcpu* vcpu : units_) core_->come_up(boot, vcpu->unit);
}

// ---- SchedHost ----

void XenPool::request_pass(PcpuId pcpu) { xen_.pcpu(pcpu).request_pass(xen_.executing_); }

XenPool::PolicyTimer& XenPool::policy_timer(TimerId timer) {
  while (policy_timers_.size() <= vecusim::index(timer)) {
    policy_timers_.push_back(std::make_unique<PolicyTimer>(*this, static_cast<TimerId>(policy_timers_.size())));
  }
  return *policy_timers_[vecusim::index(timer)];
}

void XenPool::arm(TimerId timer, HvTime at) { policy_timer(timer).arm(xen_.moment_of(at)); }
void XenPool::cancel(TimerId timer) { policy_timer(timer).cancel(); }

void XenPool::entered(UnitId unit, Runstate state) {
  const CpuId pcpu{static_cast<std::uint16_t>(core_->policy().pcpu_of(unit))};
  xen_.simulation_->trace.emit(Scheduled{xen_.simulation_->now(), vcpu(unit)->cpu.id(), state, pcpu});
}

// ---- Waiting ----

namespace {

Wait wait_of(HoldReason reason) {
  switch (reason) {
    case HoldReason::ratelimit:
      return Wait::ratelimit;
    case HoldReason::budget:
      return Wait::budget;
    case HoldReason::cap:
      return Wait::cap;
    case HoldReason::slot:
      return Wait::slot;
    case HoldReason::affinity:
      return Wait::affinity;
    case HoldReason::runqueue:
      break;
  }
  return Wait::runqueue;
}

}  // namespace

// Whom a vCPU waits for: who runs where it would, whose slot it is, or its own limit.
Party XenPool::holder_of(const XenVcpu& vcpu, HoldReason reason) {
  if (reason == HoldReason::budget || reason == HoldReason::cap) return vcpu.limit;
  if (reason == HoldReason::slot) {
    const auto slot = static_cast<std::size_t>(core_->policy().figures(vcpu.unit).find("slot").value_or(-1));
    if (!slots_.empty()) return slots_[std::min(slot, slots_.size() - 1)];
  }
  const XenVcpu* other = this->vcpu(core_->state().current_of(home_of(vcpu)));
  return other == nullptr ? xen_.party_ : other->party;
}

HvTime XenPool::book_hold(XenVcpu& vcpu) {
  const HvTime now = xen_.read_clock();
  const PcpuId home = home_of(vcpu);
  const Hold hold = core_->policy().held(core_->context({now, home}), vcpu.unit);
  const Party party = holder_of(vcpu, hold.reason);
  // Nobody runs where it queues: that core's next pass will take it.
  const bool queued = hold.reason == HoldReason::runqueue || hold.reason == HoldReason::affinity;
  const Wait wait = queued && core_->state().current_of(home) == kIdle ? Wait::hypervisor : wait_of(hold.reason);
  vcpu.cpu.halt(wait, party);
  for (const Passenger& passenger : xen_.waiting(vcpu)) passenger.kept.get()->wait(wait, party);
  return hold.until > now ? hold.until : HvTime::max();
}

void XenPool::book_holds() {
  HvTime next = HvTime::max();
  for (XenVcpu* vcpu : units_) {
    if (vcpu->loaded != nullptr || core_->state()[vcpu->unit].running) continue;
    if (!core_->state()[vcpu->unit].runnable) continue;
    next = std::min(next, book_hold(*vcpu));
  }
  if (next == HvTime::max()) {
    holds_.disarm();
  } else {
    holds_.arm_at(xen_.moment_of(next));
  }
}

}  // namespace vecusim
