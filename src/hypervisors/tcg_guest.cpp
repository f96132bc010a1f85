// The guest's machine: translated code, and interrupts that are seen between its blocks.
#include "hypervisors/tcg_guest.hpp"

#include <algorithm>

namespace vecusim {

namespace {
constexpr IrqId kPins{32};  // the controller's first shared interrupt
constexpr PcpuIndex kVcpu{0};
}  // namespace

TcgGuest::TcgGuest(Qemu& qemu, Board& board, const DomainConfig& domain, CpuId cpu, std::optional<Duration> pulse,
                   CostTable& costs)
    : qemu_(qemu),
      board_(board),
      cpu_(qemu.simulation.queue, qemu.simulation.trace, cpu),
      gic_(qemu.simulation, 1, 1, Duration::zero()),
      gpio_(qemu.simulation, gic_, kPins, pulse),
      block_exit_(qemu.simulation.queue, Delegate<void()>::to<&TcgGuest::deliver>(*this)),
      block_stream_(qemu.simulation.stream(domain.name + "#block")),
      trap_(qemu.simulation.queue, Delegate<void()>::to<&TcgGuest::trapped>(*this)) {
  gic_.connect(kVcpu, Delegate<void()>::to<&TcgGuest::interrupted>(*this));
  trap_work_.context = Context::hypervisor;
  trap_work_.inflicts = Wait::hypervisor;
  trap_work_.done = Delegate<void()>::to<&TcgGuest::trap_done>(*this);
  cpu_.halt(Wait::thread, Party::nobody);
  kernel_ = std::make_unique<Linux>(qemu.simulation, domain.name, domain.os.linux, *this, std::vector<Cpu*>{&cpu_},
                                    board, costs);
  add_load(*kernel_, domain);
}

Core& TcgGuest::core(std::size_t) {
  const LinuxCpu* host = qemu_.vcpu == nullptr ? nullptr : qemu_.vcpu->cpu;
  return board_.core(PcpuIndex{static_cast<std::uint16_t>(host == nullptr ? 0 : host->index())});
}

// ---- Translated code ----

// Accesses to devices are not translated code: they leave it (trapped()).
PathCost TcgGuest::translated(const PathCost& cost) const {
  return {.cycles = cost.cycles / qemu_.costs.native_cpi * qemu_.costs.cycles_per_instruction,
          .lines = cost.lines * qemu_.costs.code_expansion,
          .mmio = 0.0};
}

// Cycles of translating what has not been executed before: as many instructions as are distinct.
double TcgGuest::first_time(const PathCost& cost, CodePath path) {
  const auto index = static_cast<std::size_t>(path);
  if (is_translated_.size() <= index) is_translated_.resize(index + 1);
  translating_ = !is_translated_[index];
  if (!translating_) return 0.0;
  is_translated_[index] = true;
  const double executed = cost.cycles / qemu_.costs.native_cpi;
  return std::min(executed, cost.lines * qemu_.costs.instructions_per_line) * qemu_.costs.translation;
}

Duration TcgGuest::execute(std::size_t cpu, const PathCost& cost, CodePath path) {
  PathCost host = translated(cost);
  host.cycles += first_time(cost, path);
  if (cost.mmio > 0.0) {
    // All accesses of a piece of code are made at its beginning, one after another.
    accesses_ += cost.mmio;
    trap_.arm_in(Duration::zero());
  }
  return core(cpu).execute(host, path);
}

Duration TcgGuest::cold(const PathCost& cost) { return core(0).cold(translated(cost)); }

double TcgGuest::slowdown() const { return qemu_.costs.cycles_per_instruction / qemu_.costs.native_cpi; }

void TcgGuest::trapped() {
  if (!trap_work_.submitted) cpu_.submit(trap_work_);
}

void TcgGuest::trap_done() {
  const double count = accesses_;
  accesses_ = 0.0;
  qemu_.vcpu->access(count);
}

// ---- Interrupts ----

Duration TcgGuest::longest_block() const {
  return board_.core(PcpuIndex{0}).cycles(qemu_.costs.block_instructions * qemu_.costs.translation);
}

// The vCPU sees an interrupt when the block that it executes, or translates, has ended.
Duration TcgGuest::rest_of_block() {
  const double per_instruction = translating_ ? qemu_.costs.translation : qemu_.costs.cycles_per_instruction;
  return core(0).cycles(block_stream_.uniform() * qemu_.costs.block_instructions * per_instruction);
}

// The controller's output. Whoever raises an interrupt of a halted vCPU wakes its thread, unless it halted just then.
void TcgGuest::interrupted() {
  if (qemu_.vcpu->halted()) {
    qemu_.vcpu->expect(nullptr);
    qemu_.host.wake_by_interrupt(*qemu_.vcpu, nullptr);
  } else if (qemu_.vcpu->emulating() && !block_exit_.armed()) {
    block_exit_.arm_in(rest_of_block());
  }
}

void TcgGuest::resumed() {
  if (gic_.pending(kVcpu) != kSpurious && !block_exit_.armed()) block_exit_.arm_in(rest_of_block());
}

void TcgGuest::deliver() {
  if (handling_) return;
  if (gic_.pending(kVcpu) != kSpurious) {
    handling_ = true;
    kernel_->interrupt(0);
    return;
  }
  // A pulse has ended before anybody looked.
  gpio_.drop_lost();
  if (cpu_.idle()) qemu_.vcpu->halt();
}

void TcgGuest::timer_expired() {
  timer_due_ = kNever;
  gic_.raise(kVcpu, kTimerIrq);
}

IrqId TcgGuest::pending(std::size_t) { return gic_.pending(kVcpu); }
IrqId TcgGuest::acknowledge(std::size_t) { return gic_.acknowledge(kVcpu); }

void TcgGuest::end_of_interrupt(std::size_t, IrqId irq) {
  if (irq != kSpurious) gic_.end(kVcpu, irq);
  gpio_.drop_lost();
  handling_ = gic_.pending(kVcpu) != kSpurious;
}

StageId TcgGuest::add_ipi(MeasuredInterrupt&, PathBuilder& path, const std::string& prefix) {
  return path.then({prefix + "ipi_forward", Where::hardware, Duration::zero(), Duration::zero()});
}

// With one vCPU there is nobody else to send one to.
void TcgGuest::send_ipi(std::size_t, std::size_t, Flight*) { gic_.raise(kVcpu, kRescheduleIrq); }

void TcgGuest::set_timer(std::size_t, Time due) {
  timer_due_ = due;
  qemu_.main_loop->timer_changed();
}

void TcgGuest::idle(std::size_t) {
  const bool about_to = gic_.pending(kVcpu) != kSpurious || gpio_.first_latched() != nullptr;
  if (!about_to) qemu_.vcpu->halt();
}

Thread* TcgGuest::take(Flight& flight, std::size_t) {
  qemu_.vcpu->output(flight);
  return nullptr;  // nobody in the guest has to be woken
}

}  // namespace vecusim
