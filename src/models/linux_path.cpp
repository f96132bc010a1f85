// Which stages follow which in a Linux kernel.
#include "models/linux_path.hpp"

#include "models/linux.hpp"

namespace vecusim {

namespace {

// In the order of LinuxCode: the name of stage and cost, and where it executes.
struct CodeName {
  std::string_view name;
  Where where;
};
constexpr std::array<CodeName, kLinuxCodes> kCodes = {{
    {"wfi_exit", Where::interrupt},
    {"irq_entry", Where::interrupt},
    {"tick_catch_up", Where::interrupt},
    {"wheel_level", Where::interrupt},
    {"tick_restart", Where::interrupt},
    {"irq_ack", Where::interrupt},
    {"gpio_demux", Where::interrupt},
    {"irq_handler", Where::interrupt},
    {"irq_thread", Where::thread},
    {"wake", Where::interrupt},
    {"ipi_wfi_exit", Where::interrupt},
    {"ipi_entry", Where::interrupt},
    {"schedule", Where::thread},
    {"poll_return", Where::thread},
    {"timer_return", Where::thread},
    {"page_faults", Where::thread},
    {"read_sysfs", Where::thread},
    {"read_cdev", Where::thread},
    {"logic_c", Where::thread},
    {"logic_python", Where::thread},
    {"clock_read", Where::thread},
    {"record", Where::thread},
    {"answer_sysfs", Where::thread},
    {"answer_mmap", Where::thread},
    {"sleep", Where::thread},
    {"timer", Where::interrupt},
    {"tick", Where::interrupt},
    {"event_upcall", Where::interrupt},
    {"event_send", Where::thread},
    {"guest_exit", Where::interrupt},
    {"ipi_guest_exit", Where::interrupt},
}};

bool is_logic(LinuxCode code) { return code == LinuxCode::logic_c || code == LinuxCode::logic_python; }

}  // namespace

std::string_view name_of(LinuxCode code) { return kCodes[index_of(code)].name; }

LinuxCode logic_of(const TaskConfig& task) {
  return task.language == Language::c ? LinuxCode::logic_c : LinuxCode::logic_python;
}

std::vector<LinuxCode> program_of(const LinuxRoute& route) {
  const TaskConfig& task = route.task;
  std::vector<LinuxCode> codes = {LinuxCode::poll_return, LinuxCode::page_faults,
                                  task.interface == Interface::cdev ? LinuxCode::read_cdev : LinuxCode::read_sysfs,
                                  logic_of(task)};
  if (route.relays) return codes;
  codes.push_back(LinuxCode::clock_read);
  if (task.record != Record::none) codes.push_back(LinuxCode::record);
  codes.push_back(task.answer == Answer::sysfs ? LinuxCode::answer_sysfs : LinuxCode::answer_mmap);
  return codes;
}

LinuxPath::LinuxPath(Linux& kernel, LinuxRoute& route, PathBuilder& path, std::string prefix)
    : kernel_(kernel), route_(route), path_(path), prefix_(std::move(prefix)), leg_(route.legs.size()) {
  route.legs.emplace_back();
}

StageId& LinuxPath::stage_of(LinuxCode code) { return route_.legs[leg_][index_of(code)]; }

Stage LinuxPath::stage(LinuxCode code) const {
  const bool logic = is_logic(code);
  const Duration cold = kernel_.platform_->cold(logic ? route_.logic : kernel_.cost(code));
  // What a relay's own code does is to hand on.
  const std::string name = logic && route_.relays ? route_.relay_stage : prefix_ + std::string(name_of(code));
  const Duration restart =
      code == LinuxCode::schedule ? kernel_.platform_->cold(kernel_.cost(LinuxCode::tick_restart)) : Duration::zero();
  return {name, kCodes[index_of(code)].where, cold, cold + restart};
}

void LinuxPath::then(LinuxCode code) { stage_of(code) = path_.then(stage(code)); }

void LinuxPath::maybe(LinuxCode code, const std::string& when, const std::string& otherwise) {
  stage_of(code) = path_.maybe(stage(code), when, otherwise);
}

void LinuxPath::also_from(LinuxCode code, const std::string& when) { path_.also_from(stage_of(code), when); }

// Up to the acknowledgement of the interrupt, which may also come for what is still in one of these stages.
void LinuxPath::entry(const std::vector<StageId>& earlier) {
  const StageId from = path_.end();
  wake_up(LinuxCode::wfi_exit, LinuxCode::guest_exit);
  then(LinuxCode::irq_entry);
  if (kernel_.catches_up_) maybe(LinuxCode::tick_catch_up, "ticks missed", "");
  path_.also_from(from, "CPU handles another interrupt");
  for (const StageId stage : earlier) path_.also_from(stage, "CPU handles another interrupt");
  then(LinuxCode::irq_ack);
}

// What the CPU has to leave first.
void LinuxPath::wake_up(LinuxCode idle, LinuxCode guest) {
  std::vector<std::pair<Stage, std::string>> states;
  if (kernel_.platform_->halts()) states.emplace_back(stage(idle), "CPU idle");
  if (kernel_.platform_->runs_guests()) states.emplace_back(stage(guest), "CPU in guest mode");
  if (states.empty()) return;
  const std::vector<StageId> ids = path_.either(states, "CPU busy");
  if (kernel_.platform_->halts()) stage_of(idle) = ids.front();
  if (kernel_.platform_->runs_guests()) stage_of(guest) = ids.back();
}

void LinuxPath::expiry() {
  const StageId from = path_.end();
  const std::vector<StageId> earlier = path_.waits();
  path_.forget_waits();
  entry(earlier);
  path_.also_from(from, "CPU is at its timer already");
  for (const StageId stage : earlier) path_.also_from(stage, "CPU is at its timer already");
  then(LinuxCode::timer);
}

void LinuxPath::pass_through() {
  entry();
  then(LinuxCode::irq_handler);
  then(logic_of(route_.task));
}

void LinuxPath::sleep() {
  expiry();
  hand_over();
  then(LinuxCode::timer_return);
  then(LinuxCode::clock_read);
}

void LinuxPath::arrival(InterruptSource source) {
  const StageId from = path_.end();
  entry(path_.waits());
  const auto straight = [&](const std::string& when) {
    path_.also_from(from, when);
    for (const StageId waiting : path_.waits()) {
      if (waiting != from) path_.also_from(waiting, when);
    }
  };
  straight("it came while another one was acknowledged");
  const bool event = source.kind == InterruptSource::Kind::event;
  if (event || kernel_.board_->device(kernel_.board_->irq_of(source))->shared()) {
    then(event ? LinuxCode::event_upcall : LinuxCode::gpio_demux);
    straight("the handler has come for another one");
  }
  path_.forget_waits();
  then(LinuxCode::irq_handler);
  if (route_.task.interface == Interface::kernel) {
    then(route_.relays ? logic_of(route_.task) : LinuxCode::answer_mmap);
    return;
  }
  const bool threaded = kernel_.threaded(route_.task);
  if (threaded) then(LinuxCode::irq_thread);
  hand_over();
  const LinuxCode handler = threaded ? LinuxCode::irq_thread : LinuxCode::irq_handler;
  if (route_.task.hops > 0) {
    hops(stage_of(handler));
  } else {
    also_from(handler, "reader still at work");
  }
}

void LinuxPath::hand_over() {
  then(LinuxCode::wake);
  path_.label("reader on another CPU");
  const std::size_t first = route_.measured->path.stages().size();
  const StageId sent = kernel_.platform_->add_ipi(*route_.measured, path_, prefix_);
  wake_up(LinuxCode::ipi_wfi_exit, LinuxCode::ipi_guest_exit);
  then(LinuxCode::ipi_entry);
  also_from(LinuxCode::wake, "reader on this CPU");
  overtaken(first, sent);
  then(LinuxCode::schedule);
}

// On its way the IPI may be overtaken: the CPU comes to schedule the thread after some other interrupt.
void LinuxPath::overtaken(std::size_t first, StageId sent) {
  for (std::size_t stage = first; stage <= static_cast<std::size_t>(sent); ++stage) {
    path_.also_from(StageId(stage), "CPU handles another interrupt");
  }
}

// schedule ─► hop ─┐
//    wake ◄────────┘  once for each; whoever is still at work need not be woken
void LinuxPath::hops(StageId handler) {
  InterruptPath& path = route_.measured->path;
  const Duration time = kernel_.platform_->cold(kernel_.cost(LinuxCode::poll_return)) +
                        kernel_.platform_->cold(kernel_.cost(logic_of(route_.task))) + route_.task.hop_work;
  route_.hop = path.add({prefix_ + "hop", Where::thread, time, time});
  path.connect(stage_of(LinuxCode::schedule), route_.hop, "on the way to the task");
  path.connect_back(route_.hop, stage_of(LinuxCode::wake), static_cast<std::size_t>(route_.task.hops));
  path.connect(handler, route_.hop, "hop still at work");
  path_.also_from(route_.hop, "reader still at work");
}

void LinuxPath::hand_over_by_interrupt() {
  const StageId from = path_.end();
  const std::size_t first = route_.measured->path.stages().size();
  const StageId sent = kernel_.platform_->add_ipi(*route_.measured, path_, prefix_);
  wake_up(LinuxCode::ipi_wfi_exit, LinuxCode::ipi_guest_exit);
  then(LinuxCode::ipi_entry);
  overtaken(first, sent);
  path_.also_from(from, "another thread runs on");
  then(LinuxCode::schedule);
}

void LinuxPath::program() {
  if (route_.task.interface == Interface::kernel) return;
  for (const LinuxCode code : program_of(route_)) {
    if (code == LinuxCode::page_faults) {
      maybe(code, "first activation", "");
      continue;
    }
    then(code);
    if (code == LinuxCode::record && route_.task.record == Record::console) {
      kernel_.platform_->add_console(*route_.measured, path_, route_.task.line());
    }
  }
}

void LinuxPath::capture() {
  route_.capture = path_.then({"capture", Where::hardware, kernel_.capture_.least(), kernel_.capture_.most()});
}

}  // namespace vecusim
