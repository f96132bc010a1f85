// TcgGuest: the machine that QEMU plays for the guest: one vCPU whose code is translated, a timer, a controller and
// pins.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hypervisors/domain_config.hpp"
#include "hypervisors/tcg_gpio.hpp"
#include "hypervisors/tcg_threads.hpp"

namespace vecusim {

class TcgGuest final : public KernelPlatform, public Outlet {
 public:
  TcgGuest(Qemu& qemu, Board& board, const DomainConfig& domain, CpuId cpu, std::optional<Duration> pulse,
           CostTable& costs);

  Linux& kernel() { return *kernel_; }
  EmulatedGpio& gpio() { return gpio_; }
  Cpu& cpu() { return cpu_; }
  Time timer_set_for() const { return timer_due_; }
  /// The longest that an interrupt waits for the end of a translated block.
  Duration longest_block() const;

  // QEMU's threads.
  /// The guest's timer is due: its interrupt is raised.
  void timer_expired();
  /// The vCPU looks for an interrupt.
  void deliver();
  /// The guest's kernel is handling one, and will look for the next by itself.
  bool handling() const { return handling_; }
  /// Its thread executes guest code again.
  void resumed();

  // KernelPlatform
  Core& core(std::size_t cpu) override;
  Duration execute(std::size_t cpu, const PathCost& cost, CodePath path) override;
  Duration cold(const PathCost& cost) override;
  double slowdown() const override;
  InterruptDevice* device(IrqId irq) override { return irq == gpio_.irq() ? &gpio_ : nullptr; }
  IrqId pending(std::size_t cpu) override;
  IrqId acknowledge(std::size_t cpu) override;
  void end_of_interrupt(std::size_t cpu, IrqId irq) override;
  StageId add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string& prefix) override;
  void send_ipi(std::size_t from, std::size_t to, Flight* flight) override;
  void set_timer(std::size_t cpu, Time due) override;
  void idle(std::size_t cpu) override;
  bool halts() override { return false; }

  // Outlet: the guest's answer.
  Thread* take(Flight& flight, std::size_t cpu) override;

 private:
  PathCost translated(const PathCost& cost) const;
  double first_time(const PathCost& cost, CodePath path);
  Duration rest_of_block();
  void interrupted();
  void trapped();
  void trap_done();

  Qemu& qemu_;
  Board& board_;
  Cpu cpu_;
  Gic gic_;
  EmulatedGpio gpio_;
  std::unique_ptr<Linux> kernel_;
  Time timer_due_ = kNever;
  Timer block_exit_;  // the next moment at which the vCPU looks for interrupts
  RandomStream block_stream_;
  bool handling_ = false;
  std::vector<bool> is_translated_;  // by CodePath
  bool translating_ = false;         // what it executes now is being translated
  double accesses_ = 0.0;            // to devices, not yet made
  Timer trap_;
  Work trap_work_;
};

}  // namespace vecusim
