// QEMU and the relay as threads of the host's Linux: what they do for an edge, and what they wait for.
//
//   relay ──► RelayLink ──► MainLoop ──► VcpuThread ──► guest ──► VcpuThread ──► ReplyRelay ──► answer
#pragma once

#include <cstdint>
#include <vector>

#include "hypervisors/hosted.hpp"
#include "hypervisors/tcg_costs.hpp"
#include "models/linux.hpp"

namespace vecusim {

class TcgGuest;
class MainLoop;
class VcpuThread;
class ReplyRelay;

/// The stages of one interrupt that are neither the host kernel's nor the guest's.
struct TcgStages {
  StageId stall;
  StageId main_loop;
  StageId lock;
  StageId raise;
  StageId enter;
  StageId block_exit;
  StageId output;
  StageId reply;
};

/// What QEMU's threads share.
struct Qemu {
  Simulation& simulation;
  TcgCosts costs;
  Linux& host;
  BigLock lock = {};
  std::vector<TcgStages> stages = {};  // by interrupt
  MainLoop* main_loop = nullptr;
  VcpuThread* vcpu = nullptr;
  ReplyRelay* reply = nullptr;
  TcgGuest* guest = nullptr;

  const TcgStages& stages_of(const Flight& flight) const {
    return stages[static_cast<std::size_t>(flight.interrupt().id())];
  }
};

/// Which leg of the host's path a flight is on: whom it is to wake.
enum class TcgLeg : std::uint8_t { relay, main_loop, vcpu, reply };

/// The connection from the relay to QEMU: it may lose an edge, or stall.
class RelayLink final : public Outlet {
 public:
  RelayLink(Qemu& qemu, const RelayConfig& config);
  Thread* take(Flight& flight, std::size_t cpu) override;

 private:
  void arrived(Flight& flight);

  Qemu& qemu_;
  Party party_;
  double loss_;
  RandomStream loss_stream_;
};

/// QEMU's main loop: waits for edges from the relay and for the guest's timer, and runs device models for them.
class MainLoop final : public ServingThread {
 public:
  MainLoop(Qemu& qemu, std::vector<std::int64_t> cpus);
  /// The guest has set its timer anew.
  void timer_changed();

 private:
  void risen() override;
  void poll();
  void polled();
  void handle();
  void raised();
  void told();
  void done();
  bool timer_due() const;

  Qemu& qemu_;
};

/// The thread that executes a vCPU's translated code, and device models on its behalf.
class VcpuThread final : public QemuThread {
 public:
  VcpuThread(Qemu& qemu, std::vector<std::int64_t> cpus);
  void start() override { rise(); }  // the guest has booted: its idle loop runs once, at least

  /// The guest waits for an interrupt, and nobody is about to bring one.
  bool halted() const { return doing_ == Doing::halted; }
  /// It executes guest code, or would if the host let it.
  bool emulating() const { return doing_ == Doing::guest; }
  /// It is about to be woken, on behalf of a flight (may be null).
  void expect(Flight* flight);

  // What the guest's code comes upon.
  void halt();
  void access(double count);
  void output(Flight& flight);

 private:
  enum class Doing : std::uint8_t { halted, entering, guest, device };
  void risen() override;
  void entered();
  void leave_guest(Delegate<void()> device);
  void device();
  void write();
  void wrote();
  void release();
  void emulate();

  Qemu& qemu_;
  Doing doing_ = Doing::entering;
  PathCost access_;  // of the guest's accesses to devices
};

/// The program on the host that sets the output pin when QEMU tells it to.
class ReplyRelay final : public ServingThread {
 public:
  explicit ReplyRelay(Qemu& qemu);

 private:
  void risen() override;
  void returned();
  void read();
  void answered();
  void asleep();

  Qemu& qemu_;
};

}  // namespace vecusim
