// How a real-time kernel is put together, and its part of interrupt paths.
#include "models/rtos.hpp"

#include <algorithm>

#include "models/rtos_cpu.hpp"
#include "models/rtos_task.hpp"

namespace vecusim {

namespace {

constexpr std::array<std::string_view, kRtosCodes> kNames = {"wfi_exit", "irq_entry", "gpio_demux", "isr",
                                                             "signal",   "irq_exit",  "dispatch",   "task",
                                                             "answer",   "block",     "timer",      "tick"};

std::array<PathCost, kRtosCodes> read_costs(CostTable& costs) {
  std::array<PathCost, kRtosCodes> result;
  for (std::size_t i = 0; i < kRtosCodes; ++i) {
    if (static_cast<RtosCode>(i) == RtosCode::wfi_exit) {
      result[i].cycles = costs.number("core.wfi_exit", "cycles");
    } else {
      result[i] = PathCost::from(costs, "rtos." + std::string(kNames[i]));
    }
  }
  return result;
}

Stage stage_of(RtosCode code, const Core& core, const PathCost& cost, bool in_task) {
  const Duration cold = core.cold(cost);
  return {std::string(kNames[index_of(code)]), in_task ? Where::thread : Where::interrupt, cold, cold};
}

}  // namespace

Rtos::Rtos(Simulation& simulation, std::string domain, const RtosConfig& config, KernelPlatform& platform,
           const std::vector<Cpu*>& cpus, Board& board, CostTable& costs)
    : simulation_(&simulation),
      domain_(std::move(domain)),
      platform_(&platform),
      board_(&board),
      costs_(read_costs(costs)),
      capture_(costs.law("bench.capture").distribution(simulation.tables)),
      capture_stream_(simulation.stream(domain_ + "#capture")) {
  if (config.tick_hz > 0) {
    tick_period_ = Duration{1s} / config.tick_hz;
    RandomStream phase = simulation.stream(domain_ + "#tick phase");
    tick_phase_ = Distribution::uniform({}, tick_period_).quantile(phase.uniform());
  }
  for (CodePath& path : paths_) path = board.add_code_path(platform.colors());
  for (std::size_t i = 0; i < cpus.size(); ++i) cpus_.push_back(std::make_unique<RtosCpu>(*this, i, *cpus[i]));
}

Rtos::~Rtos() = default;

RtosTask& Rtos::add(const TaskConfig& task, RtosRoute* route) {
  RtosCpu& cpu = *cpus_[task.cpus.empty() ? 0 : static_cast<std::size_t>(task.cpus.front())];
  tasks_.push_back(std::make_unique<RtosTask>(*this, cpu, task, route));
  return *tasks_.back();
}

void Rtos::add_task(const TaskConfig& task) {
  if (task.enabled) add(task, nullptr);
}

void Rtos::add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                         PathBuilder& path) {
  routes_.push_back(std::make_unique<RtosRoute>());
  RtosRoute& route = *routes_.back();
  route.measured = &interrupt;
  const Core& core = platform_->core(0);
  const auto then = [&](RtosCode code, bool in_task = false) {
    route.stage[index_of(code)] = path.then(stage_of(code, core, costs_[index_of(code)], in_task));
  };

  const StageId from = path.end();
  if (platform_->halts()) {
    route.stage[index_of(RtosCode::wfi_exit)] = path.maybe(
        stage_of(RtosCode::wfi_exit, core, costs_[index_of(RtosCode::wfi_exit)], false), "CPU idle", "CPU busy");
  }
  then(RtosCode::irq_entry);
  if (board_->device(board_->irq_of(source))->shared()) {
    then(RtosCode::gpio_demux);
    path.also_from(from, "another pin's edge is being handled");
  }
  for (const StageId waiting : path.waits()) {
    if (waiting != from) path.also_from(waiting, "the handler has come for another one");
  }
  path.forget_waits();
  then(RtosCode::isr);
  if (task.interface == Interface::task) {
    then(RtosCode::signal);
    path.label("task idle");
    then(RtosCode::dispatch, true);
    path.also_from(route.stage[index_of(RtosCode::signal)], "task still at work");
    route.program = costs_[index_of(RtosCode::task)];
    route.program.cycles += static_cast<double>(task.work_cycles);
    route.stage[index_of(RtosCode::task)] = path.then(stage_of(RtosCode::task, core, route.program, true));
    route.task = &add(task, &route);
  }
  then(RtosCode::answer, task.interface == Interface::task);
  route.capture = path.then({"capture", Where::hardware, capture_.least(), capture_.most()});
  interrupt.path.verify();
}

void Rtos::start() {
  for (auto& task : tasks_) task->start();
  for (auto& cpu : cpus_) cpu->start();
}

void Rtos::interrupt(std::size_t cpu) { cpus_[cpu]->interrupt(); }

RtosRoute& Rtos::route_of(const Flight& flight) {
  return **std::find_if(routes_.begin(), routes_.end(),
                        [&](const auto& route) { return route->measured == &flight.interrupt(); });
}

void Rtos::enter(Flight* flight, RtosCode code) {
  if (flight != nullptr) flight->enter(route_of(*flight).stage[index_of(code)]);
}

Time Rtos::expiry(Time due) const {
  if (tick_period_ == Duration::zero() || due == kNever) return due;
  const Duration since = std::max(due - kStart - tick_phase_, Duration::zero());
  const Duration::rep ticks = (since + tick_period_ - Duration{1}) / tick_period_;
  return kStart + tick_phase_ + ticks * tick_period_;
}

void Rtos::answer(Flight& flight) {
  flight.delay(route_of(flight).capture, capture_.quantile(capture_stream_.uniform()),
               Delegate<void(Flight&)>::to<&Rtos::captured>(*this));
}

void Rtos::captured(Flight& flight) {
  flight.pass(Point::response);
  flight.release();
}

}  // namespace vecusim
