// How Xen is put together: cores, domains, the policy, its timers, and the stages at EL2.
#include "hypervisors/xen.hpp"

#include <algorithm>
#include <cmath>

#include "hypervisors/catalogue.hpp"

namespace vecusim {

class Xen::PolicyTimer {
 public:
  PolicyTimer(Xen& xen, TimerId id)
      : xen_(xen),
        id_(id),
        pcpu_(*xen.pcpus_[vecusim::index(xen.core_->policy().timers()[vecusim::index(id)].pcpu)]),
        timer_(pcpu_.timers().add(Delegate<void()>::to<&PolicyTimer::expired>(*this))) {}
  void arm(Time due) { pcpu_.timers().set(timer_, due); }
  void cancel() { pcpu_.timers().stop(timer_); }

 private:
  void expired() { xen_.core_->timer(xen_.at(pcpu_), id_); }

  Xen& xen_;
  TimerId id_;
  XenPcpu& pcpu_;
  XenTimers::Id timer_;
};

class Xen::GuestTimer {
 public:
  GuestTimer(XenVcpu& vcpu, XenPcpu& pcpu)
      : vcpu_(vcpu), pcpu_(pcpu), id(pcpu.timers().add(Delegate<void()>::to<&GuestTimer::expired>(*this))) {}

 private:
  void expired() { pcpu_.inject_timer(vcpu_); }

  XenVcpu& vcpu_;
  XenPcpu& pcpu_;

 public:
  const XenTimers::Id id;
};

Xen::Xen(Simulation& simulation, const XenConfig& config, Board& board, std::span<const DomainConfig> domains,
         CostTable& costs)
    : simulation_(&simulation),
      config_(config),
      board_(board),
      counter_mhz_(board.spec().counter_mhz),
      costs_(costs, config.scheduler.name()),
      party_(simulation.party("Xen")),
      holds_(simulation.queue, Delegate<void()>::to<&Xen::book_holds>(*this)) {
  for (CodePath& path : paths_) path = board.add_code_path();
  for (std::size_t i = 0; i < board.pcpus(); ++i) {
    pcpus_.push_back(std::make_unique<XenPcpu>(*this, PcpuIndex{static_cast<std::uint16_t>(i)}));
  }
  const XenVersion version = resolve_version(config.version);
  core_ = std::make_unique<SchedCore>(
      config_.scheduler.entry().make(config_.scheduler.config(), arm_machine(board.pcpus(), version.behaviour)),
      board.pcpus(), *this);
  std::size_t cpu = board.pcpus();
  for (const DomainConfig& domain : domains) {
    domains_.push_back(std::make_unique<XenDomain>(*this, domain, cpu, costs));
    cpu += domains_.back()->vcpus.size();
  }
}

Xen::~Xen() = default;

std::vector<Hypervisor::CpuName> Xen::cpus() const {
  std::vector<CpuName> names;
  for (std::size_t i = 0; i < pcpus_.size(); ++i) names.push_back({"pcpu" + std::to_string(i), "", true});
  for (const auto& domain : domains_) {
    for (const auto& vcpu : domain->vcpus) names.push_back({vcpu->name, domain->config.name, false});
  }
  return names;
}

// ---- Paths ----

StageId Xen::stage_of(const Flight& flight, XenStage stage) const {
  const Route& route = routes_[static_cast<std::size_t>(flight.interrupt().id())];
  return route[flight.leg * kXenStages + static_cast<std::size_t>(stage)];
}

XenDomain* Xen::owner_of(IrqId irq) const {
  for (const GuestInterrupt& interrupt : guest_interrupts_) {
    if (interrupt.irq == irq) return interrupt.domain;
  }
  return nullptr;
}

void Xen::add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                        const TaskConfig& task) {
  const auto owner =
      std::find_if(domains_.begin(), domains_.end(), [&](const auto& d) { return d->config.name == domain.name; });
  const IrqId irq = board_.irq_of(source);
  if (owner_of(irq) == nullptr) guest_interrupts_.push_back({irq, owner->get()});
  PathBuilder path(interrupt.path);
  board_.attach(source, interrupt, path);
  routes_.resize(std::max(routes_.size(), static_cast<std::size_t>(interrupt.id()) + 1));
  add_stages(interrupt, path, 0);
  (*owner)->guest->add_interrupt(source, interrupt, task, path);
}

// irq ─┬──────────────────────────────────────────┬─► enter
//      └─► wake ─┬───────────────┬─► schedule ────┘
//      └──────── └─► sgi ────────┴──────────────►┘
void Xen::add_stages(MeasuredInterrupt& interrupt, PathBuilder& path, std::size_t leg) {
  const Core& core = board_.core(PcpuIndex{0});
  const auto sum = [&](std::initializer_list<XenCode> codes) {
    Duration total{};
    for (const XenCode code : codes) total += core.cold(costs_[code]);
    return total;
  };
  Route& route = routes_[static_cast<std::size_t>(interrupt.id())];
  const auto name = [&](const char* what) { return std::string(leg == 0 ? "xen_" : "xen_ipi_") + what; };
  const auto keep = [&](XenStage stage, StageId id) {
    route[leg * kXenStages + static_cast<std::size_t>(stage)] = id;
    return id;
  };

  const Duration entry = leg == 0 ? sum({XenCode::exit_guest, XenCode::irq_ack, XenCode::irq_spi, XenCode::inject})
                                  : sum({XenCode::exit_guest, XenCode::trap_sgi, XenCode::inject});
  const Duration from_idle =
      leg == 0 ? sum({XenCode::wfi_exit, XenCode::exit_idle, XenCode::irq_ack, XenCode::irq_spi, XenCode::inject})
               : entry;
  const Duration wake = sum({XenCode::wake});
  const Duration sgi = board_.gic().forward() + sum({XenCode::sgi_send});
  const Duration sgi_exit = sum({XenCode::exit_guest, XenCode::wfi_exit, XenCode::irq_ack, XenCode::irq_event});
  const Duration pass = sum({XenCode::schedule, XenCode::pass, XenCode::restore, XenCode::switched});
  const Duration longest = pass + sum({XenCode::save, XenCode::retarget});
  const Duration enter = sum({XenCode::enter_guest});

  const StageId irq =
      keep(XenStage::irq,
           path.then({name("irq"), Where::hypervisor, std::min(entry, from_idle), std::max(entry, from_idle)}));
  path.label("vCPU blocked");
  const StageId woken = keep(XenStage::wake, path.then({name("wake"), Where::hypervisor, wake, wake}));
  path.label("another core is told");
  path.also_from(irq, "vCPU on another core");
  const StageId told = keep(XenStage::sgi, path.then({name("sgi"), Where::hypervisor, sgi, sgi + sgi_exit}));
  path.label("vCPU was blocked");
  path.also_from(woken, "this core");
  path.also_from(irq, "vCPU waits already");
  keep(XenStage::schedule, path.then({name("schedule"), Where::hypervisor, pass, longest}));
  path.also_from(irq, "vCPU loaded here");
  path.also_from(told, "vCPU loaded there");
  keep(XenStage::enter, path.then({name("enter"), Where::hypervisor, enter, enter}));
}

// ---- Time and timers ----

HvTime Xen::read_clock() const {
  const auto ps = static_cast<double>((simulation_->now() - kStart).count());
  const double ticks = std::floor(ps * counter_mhz_ * 1e-6 + 1e-6);
  return HvTime{static_cast<std::int64_t>(std::floor(ticks * 1e3 / counter_mhz_ + 1e-6))};
}

Time Xen::moment_of(HvTime at) const {
  if (at >= HvTime{std::int64_t{1} << 53}) return kNever;
  const double ticks = std::ceil(static_cast<double>(at.count()) * counter_mhz_ * 1e-3 - 1e-6);
  return kStart + Duration{static_cast<std::int64_t>(std::ceil(ticks * 1e6 / counter_mhz_))};
}

Xen::PolicyTimer& Xen::policy_timer(TimerId timer) {
  while (policy_timers_.size() <= vecusim::index(timer)) {
    policy_timers_.push_back(std::make_unique<PolicyTimer>(*this, static_cast<TimerId>(policy_timers_.size())));
  }
  return *policy_timers_[vecusim::index(timer)];
}

void Xen::arm(TimerId timer, HvTime at) { policy_timer(timer).arm(moment_of(at)); }
void Xen::cancel(TimerId timer) { policy_timer(timer).cancel(); }

XenTimers::Id Xen::guest_timer_on(const XenVcpu& vcpu, const XenPcpu& pcpu) const {
  return guest_timers_[vecusim::index(vcpu.unit)][static_cast<std::size_t>(pcpu.index())]->id;
}

void Xen::stop_guest_timers(const XenVcpu& vcpu) {
  for (auto& pcpu : pcpus_) pcpu->timers().stop(guest_timer_on(vcpu, *pcpu));
}

void Xen::retarget(const XenVcpu& vcpu, const XenPcpu& pcpu) {
  for (const GuestInterrupt& interrupt : guest_interrupts_) {
    if (&vcpu == interrupt.domain->vcpus.front().get()) board_.gic().set_target(interrupt.irq, pcpu.index());
  }
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

HvTime Xen::book_hold(XenVcpu& vcpu) {
  const PcpuId home = core_->policy().pcpu_of(vcpu.unit);
  const HvTime now = read_clock();
  const Hold hold = core_->policy().held(core_->context({now, home}), vcpu.unit);
  const XenVcpu* other = this->vcpu(core_->state().current_of(home));
  const Party party = other == nullptr ? party_ : other->party;
  vcpu.cpu.halt(wait_of(hold.reason), party);
  for (Flight* flight : vcpu.waiting) flight->wait(wait_of(hold.reason), party);
  return hold.until > now ? hold.until : HvTime::max();
}

void Xen::book_holds() {
  HvTime next = HvTime::max();
  for (XenVcpu* vcpu : units_) {
    if (vcpu->loaded != nullptr || core_->state()[vcpu->unit].running) continue;
    if (!core_->state()[vcpu->unit].runnable) continue;
    next = std::min(next, book_hold(*vcpu));
  }
  if (next == HvTime::max()) {
    holds_.disarm();
  } else {
    holds_.arm_at(moment_of(next));
  }
}

// ---- Boot ----

namespace {

PcpuMask mask_of(const std::vector<std::vector<std::int64_t>>& lists, std::size_t vcpu, std::size_t pcpus) {
  if (lists.empty()) return PcpuMask::first_n(pcpus);
  PcpuMask mask;
  for (const std::int64_t pcpu : lists[lists.size() == 1 ? 0 : vcpu]) mask.insert(static_cast<PcpuId>(pcpu));
  return mask;
}

}  // namespace

// As Xen's tools create a domain: vCPUs one after another, then affinities, then parameters.
void Xen::add_domain(XenDomain& domain) {
  const Moment boot = at(*pcpus_.front());
  const DomainId id = core_->add_domain(boot);
  const std::size_t pcpus = pcpus_.size();
  for (auto& vcpu : domain.vcpus) {
    const PcpuMask all = PcpuMask::first_n(pcpus);
    const PcpuId first =
        vcpu->index == 0 ? PcpuId{0} : all.cycle(core_->policy().pcpu_of(domain.vcpus[vcpu->index - 1]->unit));
    vcpu->unit = core_->add_unit(boot, {.domain = id, .pcpu = first}, all);
    units_.push_back(vcpu.get());
    guest_timers_.emplace_back();
    for (auto& pcpu : pcpus_) guest_timers_.back().push_back(std::make_unique<GuestTimer>(*vcpu, *pcpu));
  }
  for (auto& vcpu : domain.vcpus) {
    const DomainConfig& config = domain.config;
    if (config.affinity.empty() && config.soft_affinity.empty()) continue;
    core_->set_affinity(boot, vcpu->unit, mask_of(config.affinity, vcpu->index, pcpus),
                        mask_of(config.soft_affinity, vcpu->index, pcpus));
  }
  DomainParameters parameters;
  if (domain.config.weight) parameters.weight = static_cast<std::int32_t>(*domain.config.weight);
  if (domain.config.cap_pct) parameters.cap_pct = static_cast<std::int32_t>(*domain.config.cap_pct);
  core_->adjust_domain(boot, id, parameters);
  if (!domain.config.budget && !domain.config.period && !domain.config.extratime) return;
  ServerParameters server;
  if (domain.config.period) server.period = std::chrono::duration_cast<HvTime>(*domain.config.period);
  if (domain.config.budget) server.budget = std::chrono::duration_cast<HvTime>(*domain.config.budget);
  server.extratime = domain.config.extratime;
  for (auto& vcpu : domain.vcpus) core_->adjust_unit(boot, vcpu->unit, server);
}

void Xen::start() {
  const Moment boot = at(*pcpus_.front());
  for (auto& pcpu : pcpus_) core_->add_pcpu(boot, pcpu->id());
  for (auto& domain : domains_) add_domain(*domain);
  if (const NamedSlotTable* named = config_.scheduler.entry().table(config_.scheduler.config())) {
    SlotTable table{std::chrono::duration_cast<HvTime>(named->major_frame), {}};
    for (const NamedSlot& slot : named->slots) {
      Slot resolved{kIdle, std::chrono::duration_cast<HvTime>(slot.runtime)};
      for (const XenVcpu* vcpu : units_) {
        if (vcpu->name == slot.vcpu) resolved.unit = vcpu->unit;
      }
      table.slots.push_back(resolved);
    }
    core_->set_table(boot, table);
  }
  for (auto& domain : domains_) domain->guest->start();
  for (XenVcpu* vcpu : units_) core_->come_up(boot, vcpu->unit);
  for (const GuestInterrupt& interrupt : guest_interrupts_) {
    const PcpuId home = core_->policy().pcpu_of(interrupt.domain->vcpus.front()->unit);
    board_.gic().set_target(interrupt.irq, pcpus_[vecusim::index(home)]->index());
  }
  for (auto& pcpu : pcpus_) pcpu->start();
  book_holds();
}

HypervisorEntry hypervisor_xen() {
  return {{"xen", "Xen on Arm"},
          [] { return std::unique_ptr<Config>(std::make_unique<XenConfig>()); },
          [](Simulation& simulation, const Config& config, Board& board, std::span<const DomainConfig> domains,
             CostTable& costs) {
            return std::unique_ptr<Hypervisor>(
                std::make_unique<Xen>(simulation, static_cast<const XenConfig&>(config), board, domains, costs));
          }};
}

}  // namespace vecusim
