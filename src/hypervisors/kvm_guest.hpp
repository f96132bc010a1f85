// KvmGuest: a domain under KVM: its kernel, and the machine that this finds: vCPUs, a controller and devices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hypervisors/domain_config.hpp"
#include "hypervisors/kvm_vcpu.hpp"
#include "hypervisors/kvm_worker.hpp"

namespace vecusim {

/// A device of the guest's that the host emulates: its line is high until the guest's handler has come.
class KvmDevice final : public InterruptDevice {
 public:
  explicit KvmDevice(const InterruptDevice& real) : irq_(real.irq()), shared_(real.shared()) {}
  /// False if there is one of its interrupt already: nothing tells two from one.
  bool raise(Flight& flight);

  IrqId irq() const override { return irq_; }
  Flight* first_latched() const override { return latched_.empty() ? nullptr : latched_.front(); }
  const std::vector<Flight*>& take_latched() override;
  bool shared() const override { return shared_; }

 private:
  IrqId irq_;
  bool shared_;
  std::vector<Flight*> latched_;
  std::vector<Flight*> taken_;
};

class KvmGuest final : public KernelPlatform, public Outlet {
 public:
  KvmGuest(KvmHost& kvm, const DomainConfig& domain, std::size_t first_cpu, CostTable& costs);

  const std::string& name() const { return config_.name; }
  GuestDevices devices() const { return config_.devices.value_or(GuestDevices::qemu); }
  Kernel& kernel() { return *kernel_; }
  BigLock& lock() { return lock_; }
  KvmWorker& worker() { return *worker_; }
  const std::vector<KvmVcpu*>& vcpus() const { return vcpus_; }
  /// At assembly: a device's interrupt on its way through the host and into the guest.
  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task, PathBuilder& path);
  /// Whoever serves an emulated device raises its line, on that pCPU.
  Thread* raise(Flight& flight, std::size_t pcpu);

  // KernelPlatform
  Core& core(std::size_t cpu) override;
  InterruptDevice* device(IrqId irq) override;
  IrqId pending(std::size_t cpu) override { return vcpus_[cpu]->vgic().pending(); }
  IrqId acknowledge(std::size_t cpu) override { return vcpus_[cpu]->vgic().acknowledge(); }
  void end_of_interrupt(std::size_t cpu, IrqId irq) override;
  StageId add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string& prefix) override;
  void send_ipi(std::size_t from, std::size_t to, Flight* flight) override;
  void set_timer(std::size_t cpu, Time due) override;
  void timer_due(std::size_t cpu, Flight& flight) override { vcpus_[cpu]->timer_due(flight); }
  void idle(std::size_t cpu) override { vcpus_[cpu]->wait_for_interrupt(); }
  bool halts() override { return false; }

  // Outlet: the guest's answer, through an emulated device.
  Thread* take(Flight& flight, std::size_t cpu) override;

 private:
  // The host's handler has an interrupt for the guest.
  struct Arrivals final : Outlet {
    explicit Arrivals(KvmGuest& owner) : guest(owner) {}
    Thread* take(Flight& flight, std::size_t pcpu) override;
    KvmGuest& guest;
  };
  struct Source {
    const MeasuredInterrupt* interrupt;
    IrqId irq;
    KvmVcpu* vcpu;
  };
  const Source& source_of(const Flight& flight) const;
  KvmDevice* emulated(IrqId irq) const;
  void add_timer(MeasuredInterrupt& interrupt, PathBuilder& path);
  LinuxPath add_device(InterruptSource source, MeasuredInterrupt& interrupt, PathBuilder& path);
  LinuxPath add_worker(MeasuredInterrupt& interrupt, PathBuilder& path, LinuxPath arrival);
  void add_way(MeasuredInterrupt& interrupt, PathBuilder& path, LinuxPath& leg, KvmArrival arrival);
  static void waits(PathBuilder& path, StageId stage);
  void add_answer(MeasuredInterrupt& interrupt, PathBuilder& path);
  bool passed_through() const { return devices() == GuestDevices::vfio; }

  KvmHost& kvm_;
  DomainConfig config_;
  std::vector<KvmVcpu*> vcpus_;  // the host's kernel has them
  std::unique_ptr<Kernel> kernel_;
  KvmWorker* worker_ = nullptr;  // null: its devices need none
  BigLock lock_;
  Arrivals arrivals_;
  std::vector<Source> sources_;
  std::vector<std::unique_ptr<KvmDevice>> emulated_;
};

}  // namespace vecusim
