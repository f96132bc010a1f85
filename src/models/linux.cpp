// How a Linux kernel is put together, and its part of interrupt paths.
#include "models/linux.hpp"

#include <algorithm>

#include "models/linux_tasks.hpp"

namespace vecusim {

namespace {

// In the order of LinuxCode: the name of stage and cost, and where it executes.
struct CodeName {
  std::string_view name;
  Where where;
};
constexpr std::array<CodeName, kLinuxCodes> kCodes = {{
    {"wfi_exit", Where::interrupt},   {"irq_entry", Where::interrupt},    {"irq_ack", Where::interrupt},
    {"gpio_demux", Where::interrupt}, {"irq_handler", Where::interrupt},  {"irq_thread", Where::thread},
    {"wake", Where::interrupt},       {"ipi_wfi_exit", Where::interrupt}, {"ipi_entry", Where::interrupt},
    {"schedule", Where::thread},      {"poll_return", Where::thread},     {"page_faults", Where::thread},
    {"read_sysfs", Where::thread},    {"read_cdev", Where::thread},       {"logic_c", Where::thread},
    {"logic_python", Where::thread},  {"clock_read", Where::thread},      {"record", Where::thread},
    {"answer_sysfs", Where::thread},  {"answer_mmap", Where::thread},     {"sleep", Where::thread},
    {"timer", Where::interrupt},      {"tick", Where::interrupt},
}};

// wfi_exit and ipi_wfi_exit are the same code of the same core.
bool is_wfi(LinuxCode code) { return code == LinuxCode::wfi_exit || code == LinuxCode::ipi_wfi_exit; }

std::array<PathCost, kLinuxCodes> read_costs(CostTable& costs) {
  const double lines_scale = costs.number("linux.path_lines_scale", "ratio");
  const double cycles_scale = costs.number("linux.path_cycles_scale", "ratio");
  std::array<PathCost, kLinuxCodes> result;
  for (std::size_t i = 0; i < kLinuxCodes; ++i) {
    if (is_wfi(static_cast<LinuxCode>(i))) {
      result[i].cycles = costs.number("core.wfi_exit", "cycles");
      continue;
    }
    result[i] = PathCost::from(costs, "linux." + std::string(kCodes[i].name));
    result[i].cycles *= cycles_scale;
    result[i].lines *= lines_scale;
  }
  return result;
}

// The kernel's stages, by code.
class LinuxPath {
 public:
  LinuxPath(LinuxRoute& route, PathBuilder& path, const std::array<PathCost, kLinuxCodes>& costs, Core& core)
      : route_(route), path_(path), costs_(costs), core_(core) {}

  void then(LinuxCode code) { route_.stage[index_of(code)] = path_.then(stage(code)); }
  void maybe(LinuxCode code, const std::string& when, const std::string& otherwise) {
    route_.stage[index_of(code)] = path_.maybe(stage(code), when, otherwise);
  }
  void also_from(LinuxCode code, const std::string& when) { path_.also_from(route_.stage[index_of(code)], when); }

 private:
  Stage stage(LinuxCode code) const {
    const Duration cold = core_.cold(costs_[index_of(code)]);
    return {std::string(kCodes[index_of(code)].name), kCodes[index_of(code)].where, cold, cold};
  }

  LinuxRoute& route_;
  PathBuilder& path_;
  const std::array<PathCost, kLinuxCodes>& costs_;
  Core& core_;
};

}  // namespace

Linux::Linux(Simulation& simulation, std::string domain, const LinuxConfig& config, KernelPlatform& platform,
             const std::vector<Cpu*>& cpus, Board& board, CostTable& costs)
    : simulation_(&simulation),
      domain_(std::move(domain)),
      config_(config),
      platform_(&platform),
      board_(&board),
      costs_(read_costs(costs)),
      tick_period_(Duration{1s} / config.tick_hz),
      tick_softirq_(costs.law("linux.tick_softirq").distribution(simulation.tables)),
      preempt_off_{Distribution::constant({}),
                   residual_life(simulation.tables, costs.law("linux.preempt_off_voluntary")),
                   residual_life(simulation.tables, costs.law("linux.preempt_off_full")),
                   residual_life(simulation.tables, costs.law("linux.preempt_off_rt"))},
      preempt_off_share_{1.0, 1.0, costs.number("linux.preempt_off_share_full", "ratio"),
                         costs.number("linux.preempt_off_share_rt", "ratio")},
      capture_(costs.law("bench.capture").distribution(simulation.tables)),
      capture_stream_(simulation.stream(domain_ + "#capture")) {
  // The kernel's ticks are in no fixed phase to the stimulus.
  RandomStream phase = simulation.stream(domain_ + "#tick phase");
  tick_phase_ = Distribution::uniform({}, tick_period_).quantile(phase.uniform());
  for (CodePath& path : paths_) path = board.add_code_path();
  for (std::size_t i = 0; i < cpus.size(); ++i) cpus_.push_back(std::make_unique<LinuxCpu>(*this, i, *cpus[i], costs));
}

Linux::~Linux() = default;

void Linux::add_task(const TaskConfig& task) { threads_.push_back(std::make_unique<LoadTask>(*this, task)); }

void Linux::add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                          PathBuilder& path) {
  routes_.push_back(std::make_unique<LinuxRoute>());
  LinuxRoute& route = *routes_.back();
  route.measured = &interrupt;
  route.task = task;
  const bool threaded =
      task.interface != Interface::kernel && (task.interface == Interface::cdev || config_.preempt == Preempt::rt);

  LinuxPath linux(route, path, costs_, platform_->core(0));
  const StageId from = path.end();
  const bool halts = platform_->halts();
  if (halts) linux.maybe(LinuxCode::wfi_exit, "CPU idle", "CPU busy");
  linux.then(LinuxCode::irq_entry);
  path.also_from(from, "CPU handles another interrupt");
  linux.then(LinuxCode::irq_ack);
  if (board_->device(board_->irq_of(source))->shared()) {
    linux.then(LinuxCode::gpio_demux);
    path.also_from(from, "another pin's edge is being handled");
  }
  linux.then(LinuxCode::irq_handler);
  if (task.interface == Interface::kernel) {
    linux.then(LinuxCode::answer_mmap);
  } else {
    if (threaded) linux.then(LinuxCode::irq_thread);
    const LinuxCode waker = threaded ? LinuxCode::irq_thread : LinuxCode::irq_handler;
    linux.then(LinuxCode::wake);
    path.label("reader on another CPU");
    const StageId sent = platform_->add_ipi(interrupt, path);
    if (halts) linux.maybe(LinuxCode::ipi_wfi_exit, "CPU idle", "CPU busy");
    linux.then(LinuxCode::ipi_entry);
    linux.also_from(LinuxCode::wake, "reader on this CPU");
    path.also_from(sent, "CPU handles another interrupt");
    linux.then(LinuxCode::schedule);
    linux.also_from(waker, "reader still at work");
    linux.then(LinuxCode::poll_return);
    linux.maybe(LinuxCode::page_faults, "first activation", "");
    linux.then(task.interface == Interface::cdev ? LinuxCode::read_cdev : LinuxCode::read_sysfs);
    linux.then(task.language == Language::c ? LinuxCode::logic_c : LinuxCode::logic_python);
    linux.then(LinuxCode::clock_read);
    if (task.record != Record::none) linux.then(LinuxCode::record);
    if (task.record == Record::console) platform_->add_console(interrupt, path, task.line());
    linux.then(task.answer == Answer::sysfs ? LinuxCode::answer_sysfs : LinuxCode::answer_mmap);
  }
  route.capture = path.then({"capture", Where::hardware, capture_.least(), capture_.most()});
  interrupt.path.verify();

  if (task.interface == Interface::kernel) return;
  auto reader = std::make_unique<InterruptTask>(*this, route);
  route.reader = reader.get();
  threads_.push_back(std::move(reader));
  if (threaded) {
    auto thread = std::make_unique<IrqThread>(*this, route);
    route.thread = thread.get();
    threads_.push_back(std::move(thread));
  }
}

void Linux::start() {
  // One task after another on the CPUs in turn; CPU 0, which takes the interrupts, comes last.
  std::size_t next = 0;
  for (auto& thread : threads_) {
    do {
      next = (next + 1) % cpus_.size();
    } while (!thread->may_run_on(next));
    thread->cpu = cpus_[next].get();
    thread->start();
  }
  for (auto& cpu : cpus_) cpu->leave();
}

LinuxRoute& Linux::route_of(Flight& flight) {
  const auto found = std::find_if(routes_.begin(), routes_.end(),
                                  [&](const auto& route) { return route->measured == &flight.interrupt(); });
  return **found;
}

void Linux::enter(Flight* flight, LinuxCode code) {
  if (flight != nullptr) flight->enter(route_of(*flight).stage[index_of(code)]);
}

// The CPU it last ran on if that is idle, else the next idle one it may use, else where it was.
LinuxCpu& Linux::select_cpu(const Thread& thread) const {
  const std::size_t previous = thread.cpu->index();
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    LinuxCpu& candidate = *cpus_[(previous + i) % cpus_.size()];
    if (candidate.idle() && thread.may_run_on(candidate.index())) return candidate;
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

void Linux::answer(Flight& flight, StageId capture) {
  flight.delay(capture, capture_.quantile(capture_stream_.uniform()),
               Delegate<void(Flight&)>::to<&Linux::captured>(*this));
}

void Linux::captured(Flight& flight) {
  flight.pass(Point::response);
  flight.release();
}

}  // namespace vecusim
