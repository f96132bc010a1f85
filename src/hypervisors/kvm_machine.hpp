// KvmMachine: the board as the host's kernel finds it when guests are among its threads.
#pragma once

#include <memory>
#include <vector>

#include "hypervisors/bare_machine.hpp"

namespace vecusim {

class KvmVcpu;

class KvmMachine final : public BareMachine {
 public:
  KvmMachine(Simulation& simulation, Board& board)
      : BareMachine(simulation, board), board_(board), guests_(board.pcpus()) {}

  /// At assembly: a guest's driver handles the device behind this interrupt; the host only hands the interrupt on.
  void pass_through(IrqId irq);
  bool passes_through(IrqId irq) const { return passed(irq) != nullptr; }
  /// The pCPU executes a vCPU's code from now on; null: it does not any more.
  void set_guest(std::size_t cpu, KvmVcpu* vcpu) { guests_[cpu] = vcpu; }

  // KernelPlatform
  InterruptDevice* device(IrqId irq) override;
  void end_of_interrupt(std::size_t cpu, IrqId irq) override;
  bool runs_guests() const override { return true; }
  bool in_guest(std::size_t cpu) const override { return guests_[cpu] != nullptr; }
  void leave_guest(std::size_t cpu) override;

 private:
  // What the host's handler (VFIO's) sees of a device that is a guest's: the edge is there, and stays there.
  class PassedDevice final : public InterruptDevice {
   public:
    explicit PassedDevice(InterruptDevice& device) : device_(device) {}
    IrqId irq() const override { return device_.irq(); }
    Flight* first_latched() const override { return device_.first_latched(); }
    const std::vector<Flight*>& take_latched() override;
    bool shared() const override { return false; }

   private:
    InterruptDevice& device_;
    std::vector<Flight*> taken_;
  };
  PassedDevice* passed(IrqId irq) const;

  Board& board_;
  std::vector<KvmVcpu*> guests_;  // by pCPU
  std::vector<std::unique_ptr<PassedDevice>> passed_;
};

}  // namespace vecusim
