// QEMU and the relay as threads of the host's Linux: what they do for an edge, and what they wait for.
//
//   relay ──► RelayLink ──► MainLoop ──► VcpuThread ──► guest ──► VcpuThread ──► ReplyRelay ──► answer
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "hypervisors/qemu_lock.hpp"
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

/// QEMU's main loop: waits for events and timers, and runs device models for them.
class MainLoop final : public Thread {
 public:
  MainLoop(Qemu& qemu, std::vector<std::int64_t> cpus);
  void start() override {}
  void woken() override;
  /// An edge from the relay; the thread itself if it has to be woken.
  Thread* take(Flight& flight);
  /// The guest has set its timer anew.
  void timer_changed();

 private:
  void next_in_inbox();
  void poll();
  void polled();
  void handle();
  void raised();
  void woke_vcpu();
  void next();
  void woke_heir();
  void rest();
  bool timer_due() const;

  Qemu& qemu_;
  bool busy_ = false;          // awake, or somebody is about to wake it
  bool locking_ = false;       // blocked on the lock …
  Flight* waiting_ = nullptr;  // … for this flight
  Thread* heir_ = nullptr;     // whom it gives the lock to
  std::deque<Flight*> inbox_;
};

/// The thread that executes a vCPU's translated code, and device models on its behalf.
class VcpuThread final : public Thread {
 public:
  VcpuThread(Qemu& qemu, std::vector<std::int64_t> cpus);
  void start() override;
  void woken() override;

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
  enum class Doing : std::uint8_t { halted, entering, guest, locking, device };
  void entered();
  void leave_guest();
  void use_device();
  void device();
  void wrote();
  void woke_reply();
  void release();
  void woke_heir();
  void emulate();

  Qemu& qemu_;
  Doing doing_ = Doing::entering;
  PathCost access_;           // of the guest's accesses to devices
  Flight* output_ = nullptr;  // whose answer is to be written
  Thread* heir_ = nullptr;
};

/// The program on the host that sets the output pin when QEMU tells it to.
class ReplyRelay final : public Thread {
 public:
  explicit ReplyRelay(Qemu& qemu);
  void start() override {}
  void woken() override;
  /// An answer; the thread itself if it has to be woken.
  Thread* take(Flight& flight);

 private:
  void returned();
  void read();
  void answered();
  void asleep();

  Qemu& qemu_;
  bool busy_ = false;
  std::deque<Flight*> inbox_;
};

}  // namespace vecusim
