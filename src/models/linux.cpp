// How a Linux kernel is put together, and its part of interrupt paths.
#include "models/linux.hpp"

#include <algorithm>

#include "models/linux_tasks.hpp"

namespace vecusim {

namespace {

// wfi_exit and ipi_wfi_exit are the same code of the same core.
bool is_wfi(LinuxCode code) { return code == LinuxCode::wfi_exit || code == LinuxCode::ipi_wfi_exit; }

// The same code of KVM's.
bool is_guest_exit(LinuxCode code) { return code == LinuxCode::guest_exit || code == LinuxCode::ipi_guest_exit; }

std::vector<std::int64_t> cpus_except(std::size_t count, const std::vector<std::int64_t>& isolated) {
  std::vector<std::int64_t> rest;
  for (std::size_t i = 0; i < count && !isolated.empty(); ++i) {
    const auto cpu = static_cast<std::int64_t>(i);
    if (std::find(isolated.begin(), isolated.end(), cpu) == isolated.end()) rest.push_back(cpu);
  }
  return rest;
}

/// What somebody who comes at a random moment finds left of a section that cannot be preempted.
Distribution left_of(CostTable& costs, std::string_view name, const KernelPlatform& platform, Simulation& simulation) {
  const Distribution length = costs.law(name).scaled(platform.slowdown()).distribution(simulation.tables);
  return length.residual_life(simulation.tables);
}

// Costs of which only tables for Xen's guests know; they are read when a scenario has event channels.
bool is_of_events(LinuxCode code) { return code == LinuxCode::event_upcall || code == LinuxCode::event_send; }

std::array<PathCost, kLinuxCodes> read_costs(CostTable& costs, bool runs_guests) {
  const double lines_scale = costs.number("linux.path_lines_scale", "ratio");
  const double cycles_scale = costs.number("linux.path_cycles_scale", "ratio");
  std::array<PathCost, kLinuxCodes> result;
  for (std::size_t i = 0; i < kLinuxCodes; ++i) {
    if (is_wfi(static_cast<LinuxCode>(i))) {
      result[i].cycles = costs.number("core.wfi_exit", "cycles");
      continue;
    }
    if (is_of_events(static_cast<LinuxCode>(i))) continue;
    if (is_guest_exit(static_cast<LinuxCode>(i))) {
      if (runs_guests) result[i] = PathCost::from(costs, "kvm.exit");
      continue;
    }
    result[i] = PathCost::from(costs, "linux." + std::string(name_of(static_cast<LinuxCode>(i))));
    result[i].cycles *= cycles_scale;
    result[i].lines *= lines_scale;
  }
  return result;
}

}  // namespace

Linux::Linux(Simulation& simulation, std::string domain, const LinuxConfig& config, KernelPlatform& platform,
             const std::vector<Cpu*>& cpus, Board& board, CostTable& costs)
    : simulation_(&simulation),
      domain_(std::move(domain)),
      config_(config),
      platform_(&platform),
      board_(&board),
      cost_table_(&costs),
      costs_(read_costs(costs, platform.runs_guests())),
      tick_period_(Duration{1s} / config.tick_hz),
      tick_softirq_(costs.law("linux.tick_softirq").scaled(platform.slowdown()).distribution(simulation.tables)),
      catch_up_softirq_(
          costs.law("linux.catch_up_softirq").scaled(platform.slowdown()).distribution(simulation.tables)),
      preempt_off_{Distribution::constant({}), left_of(costs, "linux.preempt_off_voluntary", platform, simulation),
                   left_of(costs, "linux.preempt_off_full", platform, simulation),
                   left_of(costs, "linux.preempt_off_rt", platform, simulation)},
      preempt_off_share_{1.0, 1.0, costs.number("linux.preempt_off_share_full", "ratio"),
                         costs.number("linux.preempt_off_share_rt", "ratio")},
      capture_(costs.law("bench.capture").distribution(simulation.tables)),
      capture_stream_(simulation.stream(domain_ + "#capture")) {
  // Unless it is said, the kernel's ticks are in no fixed phase to the stimulus.
  RandomStream phase = simulation.stream(domain_ + "#tick phase");
  const Duration drawn = Distribution::uniform({}, tick_period_).quantile(phase.uniform());
  tick_phase_ = config.tick_phase.value_or(drawn) % tick_period_;
  const PathCost& missed = cost(LinuxCode::tick_catch_up);
  catches_up_ = missed.cycles + missed.lines > 0.0;
  housekeeping_ = cpus_except(cpus.size(), config.isolcpus);
  for (CodePath& path : paths_) path = board.add_code_path(platform.colors());
  for (std::size_t i = 0; i < cpus.size(); ++i) cpus_.push_back(std::make_unique<LinuxCpu>(*this, i, *cpus[i], costs));
}

Linux::~Linux() = default;

void Linux::add_task(const TaskConfig& task) {
  if (!task.enabled) return;
  if (!task.notify.empty()) use_events();
  threads_.push_back(std::make_unique<LoadTask>(*this, task));
}

// WBINVD passes all lines of the cache, and dirty ones go to memory, one after another.
Distribution Linux::length_of(const StallConfig& stall) const {
  if (stall.model != StallModel::wbinvd) return Distribution::uniform(stall.least, stall.most);
  const Duration clean = cost_table_->duration("core.invalidate_line");
  const Duration dirty = cost_table_->duration("core.writeback_line");
  std::int64_t lines = 0;
  for (const BoardSpec::Cluster& cluster : board_->spec().clusters) lines = std::max(lines, cluster.l2_lines);
  const auto length = [&](double pct) {
    const double each = static_cast<double>(clean.count()) + 0.01 * pct * static_cast<double>(dirty.count());
    return from_ps(each * static_cast<double>(lines));
  };
  return Distribution::uniform(length(stall.least_dirty_pct), length(stall.most_dirty_pct));
}

void Linux::empty_caches(const Thread& thread, Duration length) {
  for (auto& cpu : cpus_) {
    if (cpu.get() != thread.cpu) cpu->stall(length, thread.party());
  }
  board_->empty_caches();
}

void Linux::use_events() {
  for (const LinuxCode code : {LinuxCode::event_upcall, LinuxCode::event_send}) {
    costs_[index_of(code)] = PathCost::from(*cost_table_, "linux." + std::string(name_of(code)));
  }
}

LinuxRoute& Linux::add_route(MeasuredInterrupt& interrupt, const TaskConfig& task) {
  routes_.push_back(std::make_unique<LinuxRoute>());
  LinuxRoute& route = *routes_.back();
  route.measured = &interrupt;
  route.task = task;
  route.logic = cost(logic_of(task));
  route.logic.cycles += static_cast<double>(task.work_cycles);
  return route;
}

bool Linux::threaded(const TaskConfig& task) const {
  return task.interface != Interface::kernel && (task.interface == Interface::cdev || config_.preempt == Preempt::rt);
}

void Linux::add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                          PathBuilder& path) {
  if (source.kind == InterruptSource::Kind::event || !task.notify.empty()) use_events();
  LinuxRoute& route = add_route(interrupt, task);
  LinuxPath stages(*this, route, path, "");
  if (source.kind == InterruptSource::Kind::timer) {
    stages.sleep();
    interrupt.path.verify();
    threads_.push_back(std::make_unique<TimedTask>(*this, route));
    return;
  }
  stages.arrival(source);
  stages.program();
  stages.capture();
  interrupt.path.verify();
  add_threads(route);
}

void Linux::add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                          PathBuilder& path, Outlet& outlet) {
  LinuxRoute& route = add_route(interrupt, task);
  route.outlet = &outlet;
  LinuxPath stages(*this, route, path, "");
  stages.arrival(source);
  stages.program();
  add_threads(route);
}

void Linux::add_relay(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                      const HandingOn& handing_on, PathBuilder& path, Outlet& outlet) {
  LinuxRoute& route = add_relaying_route(interrupt, task, handing_on, outlet);
  LinuxPath stages(*this, route, path, domain_ + "_");
  stages.arrival(source);
  stages.program();
  add_threads(route);
}

LinuxPath Linux::add_passage(InterruptSource source, MeasuredInterrupt& interrupt, const HandingOn& handing_on,
                             PathBuilder& path, Outlet& outlet, bool passed_through) {
  TaskConfig handler;
  handler.model = TaskModel::interrupt;
  handler.interface = Interface::kernel;
  LinuxRoute& route = add_relaying_route(interrupt, handler, handing_on, outlet);
  LinuxPath stages(*this, route, path, domain_ + "_");
  if (passed_through) {
    stages.pass_through();
  } else {
    stages.arrival(source);
  }
  return stages;
}

LinuxRoute& Linux::add_relaying_route(MeasuredInterrupt& interrupt, const TaskConfig& task, const HandingOn& handing_on,
                                      Outlet& outlet) {
  LinuxRoute& route = add_route(interrupt, task);
  route.outlet = &outlet;
  route.relays = true;
  route.logic = handing_on.cost;
  route.relay_stage = handing_on.stage;
  return route;
}

// The kernel may have no route of its own for the interrupt yet: then it only passes through.
LinuxPath Linux::add_leg(MeasuredInterrupt& interrupt, PathBuilder& path, std::string prefix) {
  const bool known =
      std::any_of(routes_.begin(), routes_.end(), [&](const auto& route) { return route->measured == &interrupt; });
  LinuxRoute& route = known ? route_of(interrupt) : add_route(interrupt, {});
  if (!known) route.relays = true;
  return {*this, route, path, std::move(prefix)};
}

void Linux::add_threads(LinuxRoute& route) {
  if (route.task.interface == Interface::kernel) return;
  route.first = &add_thread(std::make_unique<InterruptTask>(*this, route));
  for (auto number = static_cast<std::size_t>(route.task.hops); number > 0; --number) {
    route.first = &add_thread(std::make_unique<HopThread>(*this, route, number, *route.first));
  }
  if (threaded(route.task)) route.thread = &add_thread(std::make_unique<IrqThread>(*this, route));
}

Duration::rep Linux::ticks() const {
  const Duration since = simulation_->now() - kStart - tick_phase_;
  return since < Duration::zero() ? 0 : since / tick_period_ + 1;
}

// One thread after another on the CPUs in turn; CPU 0, which takes the interrupts, comes last. Nobody spreads threads
// over isolated CPUs: they begin on the first one they may use.
LinuxCpu& Linux::first_cpu(const Thread& thread, std::size_t& turn) const {
  for (std::size_t tried = 0; tried < cpus_.size(); ++tried) {
    turn = (turn + 1) % cpus_.size();
    if (thread.may_run_on(turn) && !cpus_[turn]->isolated()) return *cpus_[turn];
  }
  return *cpus_[static_cast<std::size_t>(thread.allowed.front())];
}

void Linux::start() {
  std::size_t turn = 0;
  for (auto& thread : threads_) {
    thread->cpu = &first_cpu(*thread, turn);
    if (!thread->notifies.empty()) thread->channel = platform_->events()->channel_to(thread->notifies);
    thread->start();
  }
  for (auto& cpu : cpus_) cpu->leave();
}

LinuxRoute& Linux::route_of(const MeasuredInterrupt& interrupt) {
  const auto found =
      std::find_if(routes_.begin(), routes_.end(), [&](const auto& route) { return route->measured == &interrupt; });
  return **found;
}

void Linux::enter(Flight* flight, LinuxCode code) {
  if (flight == nullptr) return;
  // With one leg only, the flight's count is of somebody else's.
  const auto& legs = route_of(*flight).legs;
  flight->enter(legs[legs.size() == 1 ? 0 : flight->leg][index_of(code)]);
}

// The CPU it last ran on if that is idle, else the next idle one it may use, else where it was. From and to isolated
// CPUs nobody moves.
LinuxCpu& Linux::select_cpu(const Thread& thread) const {
  if (thread.cpu->isolated()) return *thread.cpu;
  const std::size_t previous = thread.cpu->index();
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    LinuxCpu& candidate = *cpus_[(previous + i) % cpus_.size()];
    if (candidate.idle() && !candidate.isolated() && thread.may_run_on(candidate.index())) return candidate;
  }
  return *thread.cpu;
}

void Linux::wake(Thread& thread, LinuxCpu& from, Flight* flight) {
  LinuxCpu& to = select_cpu(thread);
  thread.wake_at = kNever;
  const bool runs_next = to.enqueue_woken(thread);
  if (!runs_next) {
    to.book_waits();
    return;
  }
  if (&to == &from) {
    if (flight != nullptr) flight->wait(Wait::queue, from.irq_party());
    to.request_decision();
    return;
  }
  to.expect_ipi(flight);
  platform_->send_ipi(from.index(), to.index(), flight);
}

void Linux::wake_by_interrupt(Thread& thread, Flight* flight) {
  LinuxCpu& to = select_cpu(thread);
  thread.wake_at = kNever;
  if (!to.enqueue_woken(thread)) {
    to.book_waits();
    return;
  }
  to.expect_ipi(flight);
  platform_->send_ipi(to.index(), to.index(), flight);
}

Thread* Linux::answer(Flight& flight, std::size_t cpu) {
  Outlet* const outlet = route_of(flight).outlet;
  if (outlet != nullptr) return outlet->take(flight, cpu);
  capture(flight);
  return nullptr;
}

void Linux::capture(Flight& flight) {
  flight.delay(route_of(flight).capture, capture_.quantile(capture_stream_.uniform()),
               Delegate<void(Flight&)>::to<&Linux::captured>(*this));
}

void Linux::captured(Flight& flight) {
  flight.pass(Point::response);
  flight.release();
}

}  // namespace vecusim
