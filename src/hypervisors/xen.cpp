// How Xen is put together: cores, domains, the policy, its timers, and the stages at EL2.
#include "hypervisors/xen.hpp"

#include <algorithm>
#include <cmath>

#include "hypervisors/bare_machine.hpp"
#include "hypervisors/catalogue.hpp"

namespace vecusim {

Xen::Xen(Simulation& simulation, const XenConfig& config, Board& board, std::span<const DomainConfig> domains,
         CostTable& costs)
    : simulation_(&simulation),
      config_(config),
      board_(board),
      counter_mhz_(board.spec().counter_mhz),
      party_(simulation.party("Xen")) {
  for (CodePath& path : paths_) path = board.add_code_path();
  for (std::size_t i = 0; i < board.pcpus(); ++i) {
    pcpus_.push_back(std::make_unique<XenPcpu>(*this, PcpuIndex{static_cast<std::uint16_t>(i)}));
  }
  if (config_.console) console_.emplace(*config_.console);
  if (config_.cpupools.empty()) {
    whole_.scheduler = config_.scheduler;
    pools_.push_back(std::make_unique<XenPool>(*this, whole_, PcpuMask::first_n(board.pcpus()), costs));
  }
  for (const CpupoolConfig& pool : config_.cpupools) {
    PcpuMask mask;
    for (const std::int64_t pcpu : pool.pcpus) mask.insert(static_cast<PcpuId>(pcpu));
    pools_.push_back(std::make_unique<XenPool>(*this, pool, mask, costs));
  }
  for (auto& pool : pools_) {
    for (const PcpuId member : pool->pcpus()) pcpu(member).join(*pool);
  }
  std::size_t cpu = board.pcpus();
  for (const DomainConfig& domain : domains) {
    domains_.push_back(std::make_unique<XenDomain>(*this, domain, cpu, costs));
    cpu += domains_.back()->vcpus.size();
  }
}

Xen::~Xen() = default;

std::vector<Hypervisor::CpuName> Xen::cpus() const {
  std::vector<CpuName> names;
  for (std::size_t i = 0; i < pcpus_.size(); ++i) names.push_back({BareMachine::name_of_cpu(i), "", true});
  for (const auto& domain : domains_) {
    for (const auto& vcpu : domain->vcpus) names.push_back({vcpu->name, domain->config.name, false});
  }
  return names;
}

// ---- Paths ----

XenPool& Xen::pool_of(const DomainConfig& domain) {
  const auto named =
      std::find_if(pools_.begin(), pools_.end(), [&](const auto& pool) { return pool->name() == domain.pool; });
  return named == pools_.end() ? *pools_.front() : **named;
}

StageId Xen::stage_of(const Flight& flight, XenStage stage) const {
  const Route& route = routes_[static_cast<std::size_t>(flight.interrupt().id())];
  return route[std::min<std::size_t>(flight.leg, 1) * kXenStages + static_cast<std::size_t>(stage)];
}

bool Xen::beyond(const Flight& flight, XenStage stage) const {
  for (auto later = static_cast<std::size_t>(stage) + 1; later <= static_cast<std::size_t>(XenStage::enter); ++later) {
    if (flight.stage() == stage_of(flight, static_cast<XenStage>(later))) return true;
  }
  return false;
}

XenDomain* Xen::owner_of(IrqId irq) const {
  for (const GuestInterrupt& interrupt : guest_interrupts_) {
    if (interrupt.irq == irq) return interrupt.domain;
  }
  return nullptr;
}

std::size_t Xen::channel_to(std::string_view interrupt) {
  for (auto& domain : domains_) {
    const std::size_t port = domain->channels.find(interrupt);
    if (port < domain->channels.size()) add_channel({domain.get(), port});
  }
  return channels_.size() - 1;
}

std::size_t Xen::add_channel(XenChannel channel) {
  channels_.push_back(channel);
  return channels_.size() - 1;
}

XenVcpu& Xen::target_of(IrqId irq) const {
  const auto found = std::find_if(guest_interrupts_.begin(), guest_interrupts_.end(),
                                  [&](const GuestInterrupt& interrupt) { return interrupt.irq == irq; });
  return *found->vcpu;
}

Flight* Xen::live(const Passenger& passenger) const {
  Flight* const flight = passenger.kept.get();
  if (flight == nullptr || flight->leg != passenger.leg) return nullptr;
  const Route& route = routes_[static_cast<std::size_t>(flight->interrupt().id())];
  const bool prints = flight->stage() == route[static_cast<std::size_t>(XenStage::console)];
  return prints || std::find(route.begin(), route.end(), flight->stage()) == route.end() ? nullptr : flight;
}

std::vector<Passenger>& Xen::waiting(XenVcpu& vcpu) const {
  std::erase_if(vcpu.waiting, [this](const Passenger& passenger) { return live(passenger) == nullptr; });
  return vcpu.waiting;
}

void Xen::add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                        const TaskConfig& task) {
  XenDomain& owner = domain_of(domain.name);
  PathBuilder path(interrupt.path);
  routes_.resize(std::max(routes_.size(), static_cast<std::size_t>(interrupt.id()) + 1), no_route());
  if (source.kind == InterruptSource::Kind::event) {
    owner.channels.bind(task.interrupt, interrupt);
    add_stages(interrupt, domain, path, Arrival::event);
  } else {
    const IrqId irq = board_.irq_of(source);
    const bool device = source.kind != InterruptSource::Kind::timer;
    if (device && owner_of(irq) == nullptr) route(irq, domain.name, interrupt.cpu);
    board_.attach(source, interrupt, path);
    add_stages(interrupt, domain, path, device ? Arrival::device : Arrival::timer);
  }
  owner.guest->add_interrupt(source, interrupt, task, path);
}

XenDomain& Xen::domain_of(std::string_view name) const {
  return **std::find_if(domains_.begin(), domains_.end(), [&](const auto& d) { return d->config.name == name; });
}

Kernel* Xen::kernel(std::string_view domain) { return domain_of(domain).guest.get(); }

void Xen::route(IrqId irq, std::string_view domain, std::size_t cpu) {
  XenDomain& owner = domain_of(domain);
  guest_interrupts_.push_back({irq, &owner, owner.vcpus[cpu].get()});
}

// irq ─┬──────────────────────────────────────────┬─► enter
//      └─► wake ─┬───────────────┬─► schedule ────┘
//      └──────── └─► sgi ────────┴──────────────►┘
void Xen::add_stages(MeasuredInterrupt& interrupt, const DomainConfig& domain, PathBuilder& path, Arrival arrival) {
  const XenCosts& costs = pool_of(domain).costs();
  const Core& core = board_.core(PcpuIndex{0});
  const auto sum = [&](std::initializer_list<XenCode> codes) {
    Duration total{};
    for (const XenCode code : codes) total += core.cold(costs[code]);
    return total;
  };
  Route& route = routes_[static_cast<std::size_t>(interrupt.id())];
  const std::size_t leg = arrival == Arrival::ipi ? 1 : 0;
  const auto name = [&](const char* what) { return std::string(leg == 0 ? "xen_" : "xen_ipi_") + what; };
  const auto keep = [&](XenStage stage, StageId id) {
    route[leg * kXenStages + static_cast<std::size_t>(stage)] = id;
    return id;
  };

  const auto registers = static_cast<Duration::rep>(board_.spec().list_registers);
  const Duration read_all = registers * sum({XenCode::exit_register});
  const Duration write_all = registers * sum({XenCode::enter_register});
  const Stage first = [&]() -> Stage {
    switch (arrival) {
      case Arrival::event: {
        const Duration noted = sum({XenCode::exit_guest, XenCode::event_send});
        return {name("send"), Where::hypervisor, noted,
                noted + std::max(sum({XenCode::inject}), sum({XenCode::inject_running})) + read_all};
      }
      case Arrival::ipi: {
        const Duration trap = sum({XenCode::exit_guest, XenCode::trap_sgi, XenCode::inject});
        return {name("irq"), Where::hypervisor, trap, trap + read_all};
      }
      case Arrival::timer:
      case Arrival::device:
        break;
    }
    // From the guest that it is for, from another one, and from the idle loop.
    const bool timer = arrival == Arrival::timer;
    const Duration here = timer ? sum({XenCode::irq_vtimer}) : sum({XenCode::irq_spi});
    const Duration away = timer ? sum({XenCode::irq_timer, XenCode::timer_expired}) : sum({XenCode::irq_spi});
    const Duration running = here + sum({XenCode::exit_guest, XenCode::irq_ack, XenCode::inject_running});
    const Duration other = away + sum({XenCode::exit_guest, XenCode::irq_ack, XenCode::inject});
    const Duration idle = away + sum({XenCode::wfi_exit, XenCode::exit_idle, XenCode::irq_ack, XenCode::inject});
    return {name("irq"), Where::hypervisor, std::min({running, other, idle}),
            std::max({running + read_all, other + read_all, idle})};
  }();
  const Duration wake = sum({XenCode::wake});
  const Duration wake_busy = sum({XenCode::wake_busy});
  const Duration sgi = board_.gic().forward() + sum({XenCode::sgi_send});
  const Duration sgi_exit =
      sum({XenCode::exit_guest, XenCode::wfi_exit, XenCode::irq_ack, XenCode::irq_event, XenCode::irq_event_idle}) +
      read_all;
  // Whoever was woken by a timer waits for the end of the timer softirq, others may have to.
  const Duration softirq = sum({XenCode::timer_softirq});
  const Duration pass = (arrival == Arrival::timer ? softirq : Duration::zero()) +
                        sum({XenCode::schedule, XenCode::pass, XenCode::restore, XenCode::switched});
  const Duration longest = softirq + sum({XenCode::schedule_running, XenCode::pass, XenCode::save, XenCode::retarget,
                                          XenCode::restore_after, XenCode::switched_after, XenCode::requeue});
  const Duration enter = sum({XenCode::enter_guest});

  const StageId irq = keep(XenStage::irq, path.then(first));
  if (arrival == Arrival::event) path.waits_in(irq);
  path.label("vCPU blocked");
  const StageId woken =
      keep(XenStage::wake,
           path.then({name("wake"), Where::hypervisor, std::min(wake, wake_busy), std::max(wake, wake_busy)}));
  path.label("another core is told");
  path.also_from(irq, "vCPU on another core");
  const StageId told = keep(XenStage::sgi, path.then({name("sgi"), Where::hypervisor, sgi, sgi + sgi_exit}));
  path.label("vCPU was blocked");
  path.also_from(woken, "this core");
  path.also_from(irq, "vCPU waits already");
  keep(XenStage::schedule,
       path.then({name("schedule"), Where::hypervisor, std::min(pass, longest), std::max(pass, longest)}));
  path.also_from(irq, "vCPU loaded here");
  path.also_from(told, "vCPU loaded there");
  keep(XenStage::enter, path.then({name("enter"), Where::hypervisor, enter, enter + write_all}));
  // Who handles another interrupt there may come to it before the SGI does.
  path.also_from(told, "taken along by another one");
  path.waits_in(told);
}

// Bounds with an idle port.
void Xen::add_console(MeasuredInterrupt& interrupt, const DomainConfig& domain, PathBuilder& path, std::int64_t chars) {
  const XenCosts& costs = pool_of(domain).costs();
  const Core& core = board_.core(PcpuIndex{0});
  Duration time = console_->idle(chars + 1, core.cold(costs[XenCode::console_char]));
  for (const XenCode code : {XenCode::exit_guest, XenCode::console_write}) time += core.cold(costs[code]);
  const StageId id = path.then({"xen_console", Where::hypervisor, time, time});
  Route& route = routes_[static_cast<std::size_t>(interrupt.id())];
  for (std::size_t leg = 0; leg < 2; ++leg) route[leg * kXenStages + static_cast<std::size_t>(XenStage::console)] = id;
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

// The first domain has all lines of the machine, others have those they were given; each is looked at. Those that are
// routed to this vCPU are written.
PathCost Xen::retarget_cost(const XenVcpu& vcpu, const PathCost& all) const {
  const auto own = static_cast<double>(std::count_if(guest_interrupts_.begin(), guest_interrupts_.end(),
                                                     [&](const auto& i) { return i.domain == vcpu.domain; }));
  const bool first = vcpu.domain == domains_.front().get();
  const double share = first ? 1.0 : own / static_cast<double>(board_.spec().spis);
  const auto routed = static_cast<double>(std::count_if(guest_interrupts_.begin(), guest_interrupts_.end(),
                                                        [&](const auto& i) { return i.vcpu == &vcpu; }));
  return {all.cycles * share, all.lines * share, all.mmio * routed};
}

void Xen::retarget(const XenVcpu& vcpu, const XenPcpu& pcpu) {
  for (const GuestInterrupt& interrupt : guest_interrupts_) {
    if (&vcpu == interrupt.vcpu) board_.gic().set_target(interrupt.irq, pcpu.index());
  }
}

// ---- Boot ----

void Xen::start() {
  const Moment boot = at(*pcpus_.front());
  for (auto& pool : pools_) pool->add_pcpus(boot);
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    pool_of(domains_[i]->config).add_domain(boot, static_cast<DomainId>(i), *domains_[i]);
  }
  for (auto& pool : pools_) pool->set_table(boot);
  for (auto& domain : domains_) domain->guest->start();
  for (auto& pool : pools_) pool->come_up(boot);
  for (const GuestInterrupt& interrupt : guest_interrupts_) {
    const XenVcpu& target = *interrupt.vcpu;
    board_.gic().set_target(interrupt.irq, pcpu(target.pool->home_of(target)).index());
  }
  for (auto& pcpu : pcpus_) pcpu->start();
  for (auto& pool : pools_) pool->book_holds();
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
