// Which stages follow which on a guest's interrupt's way through the host.
//
//   host_…irqfd ─┬─► (wake … schedule) ─┬─► enter ──► the guest's own
//                ├─► poll ──────────────┤
//                ├─► kick ──────────────┤
//                ├─► preempted ─────────┤
//                └─► outside ───────────┘
#include "hypervisors/kvm_guest.hpp"
#include "hypervisors/kvm_machine.hpp"

namespace vecusim {

void KvmGuest::add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                             PathBuilder& path) {
  if (source.kind == InterruptSource::Kind::timer) {
    add_timer(interrupt, path);
    kernel_->add_interrupt(source, interrupt, task, path);
    return;
  }
  LinuxPath host = add_device(source, interrupt, path);
  if (passed_through()) {
    kernel_->add_interrupt(source, interrupt, task, path);
    return;
  }
  static_cast<Linux&>(*kernel_).add_interrupt(source, interrupt, task, path, *this);
  add_answer(interrupt, path);
  host.capture();
  interrupt.path.verify();
}

// The host's timer may find the vCPU on its way already.
void KvmGuest::add_timer(MeasuredInterrupt& interrupt, PathBuilder& path) {
  LinuxPath host = kvm_.kernel.add_leg(interrupt, path, "host_");
  const std::size_t first = static_cast<std::size_t>(path.end());
  host.expiry();
  const std::size_t expired = interrupt.path.size();
  kvm_.routes[static_cast<std::size_t>(interrupt.id())].expired = StageId(expired - 1);
  add_way(interrupt, path, host, KvmArrival::device);
  const StageId enter = path.end();
  for (std::size_t stage = first; stage < expired; ++stage) {
    interrupt.path.connect(StageId(stage), enter, "vCPU on its way already");
  }
  waits(path, StageId(first));  // the guest is at its timer already
}

LinuxPath KvmGuest::add_device(InterruptSource source, MeasuredInterrupt& interrupt, PathBuilder& path) {
  const IrqId irq = kvm_.board.irq_of(source);
  kvm_.board.gic().set_target(irq, PcpuIndex{static_cast<std::uint16_t>(interrupt.host_cpu)});
  sources_.push_back({&interrupt, irq, vcpus_[interrupt.cpu]});
  if (passed_through()) {
    kvm_.machine.pass_through(irq);
  } else if (emulated(irq) == nullptr) {
    emulated_.push_back(std::make_unique<KvmDevice>(*kvm_.board.device(irq)));
  }
  const HandingOn signal{kvm_.costs.irqfd, passed_through() ? "irqfd" : "signal_worker"};
  LinuxPath host = kvm_.kernel.add_passage(source, interrupt, signal, path, arrivals_, passed_through());
  if (passed_through()) {
    add_way(interrupt, path, host, KvmArrival::device);
    return host;
  }
  return add_worker(interrupt, path, host);
}

LinuxPath KvmGuest::add_worker(MeasuredInterrupt& interrupt, PathBuilder& path, LinuxPath arrival) {
  const Core& core = kvm_.board.core(PcpuIndex{0});
  KvmRoute& route = kvm_.routes[static_cast<std::size_t>(interrupt.id())];
  const bool in_qemu = devices() == GuestDevices::qemu;
  const StageId signalled = path.end();
  arrival.hand_over();
  path.also_from(signalled, "worker still at work");
  const Duration serve = core.cold(in_qemu ? kvm_.costs.main_loop.cost : kvm_.costs.vhost.cost);
  route.serve = path.then({in_qemu ? "qemu_main_loop" : "vhost", Where::thread, serve, serve});
  if (in_qemu) {
    route.lock = path.then({"big_lock", Where::thread, Duration::zero(), Duration::zero()});
    const Duration raise = core.cold(kvm_.costs.device.cost);
    route.raise = path.then({"qemu_device", Where::thread, raise, raise});
  }
  LinuxPath leg = kvm_.kernel.add_leg(interrupt, path, "vcpu_");
  add_way(interrupt, path, leg, KvmArrival::device);
  return leg;
}

// From the path's end to guest mode, whatever the vCPU does at that moment.
void KvmGuest::add_way(MeasuredInterrupt& interrupt, PathBuilder& path, LinuxPath& leg, KvmArrival arrival) {
  const Core& core = kvm_.board.core(PcpuIndex{0});
  const std::string prefix = arrival == KvmArrival::ipi ? "vipi_" : "vcpu_";
  KvmWay& way = kvm_.routes[static_cast<std::size_t>(interrupt.id())].ways[static_cast<std::size_t>(arrival)];
  way.leg = leg.number();
  const StageId from = path.end();
  path.label("vCPU asleep");
  leg.hand_over();
  const auto branch = [&](const char* name, const char* when, Duration most) {
    const StageId stage = interrupt.path.add({prefix + name, Where::hypervisor, Duration::zero(), most});
    interrupt.path.connect(from, stage, when);
    path.also_from(stage, "");
    return stage;
  };
  way.poll = branch("poll", "its thread polls", Duration::zero());
  const Duration kick = kvm_.board.gic().forward() + core.cold(kvm_.costs.exit.cost);
  way.kick = branch("kick", "in guest mode elsewhere", kick);
  way.preempted = branch("preempted", "its thread waits for a pCPU", Duration::zero());
  way.outside = branch("outside", "out of guest mode", Duration::zero());
  const Duration enter = core.cold(kvm_.costs.enter.cost);
  const auto registers = static_cast<std::size_t>(kvm_.board.spec().list_registers);
  const Duration more = core.cold(kvm_.costs.load.cost) + core.cold(kvm_.costs.inject.repeated(registers));
  way.enter = path.then({prefix + "enter", Where::hypervisor, enter, enter + more});
  if (arrival == KvmArrival::ipi) return;
  for (const StageId stage : {way.kick, way.preempted, way.outside}) waits(path, stage);
}

// A handler of the guest's that is under way, or an earlier interrupt of the same source, may find it there before its
// own interrupt comes.
void KvmGuest::waits(PathBuilder& path, StageId stage) {
  path.also_from(stage, "taken along by another one");
  path.waits_in(stage);
}

StageId KvmGuest::add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string&) {
  const Core& core = kvm_.board.core(PcpuIndex{0});
  const Duration send = core.cold(kvm_.costs.exit.cost) + core.cold(kvm_.costs.ipi);
  KvmRoute& route = kvm_.routes[static_cast<std::size_t>(interrupt.id())];
  route.send = path.then({"vipi_send", Where::hypervisor, send, send});
  LinuxPath leg = kvm_.kernel.add_leg(interrupt, path, "vipi_");
  add_way(interrupt, path, leg, KvmArrival::ipi);
  return path.end();
}

void KvmGuest::add_answer(MeasuredInterrupt& interrupt, PathBuilder& path) {
  const Core& core = kvm_.board.core(PcpuIndex{0});
  KvmRoute& route = kvm_.routes[static_cast<std::size_t>(interrupt.id())];
  const bool in_qemu = devices() == GuestDevices::qemu;
  const Duration out =
      core.cold(kvm_.costs.exit.cost) + core.cold(in_qemu ? kvm_.costs.user_exit.cost : kvm_.costs.ioeventfd);
  route.output = path.then({"output", Where::hypervisor, out, out});
  if (in_qemu) {
    route.output_lock = path.then({"output_big_lock", Where::thread, Duration::zero(), Duration::zero()});
  } else {
    LinuxPath leg = kvm_.kernel.add_leg(interrupt, path, "output_");
    route.output_leg = leg.number();
    leg.hand_over();
    path.also_from(route.output, "worker still at work");
  }
  const Duration write = core.cold(in_qemu ? kvm_.costs.device.cost : kvm_.costs.vhost.cost);
  route.write = path.then({"output_write", Where::thread, write, write});
}

}  // namespace vecusim
