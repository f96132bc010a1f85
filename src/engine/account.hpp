// Where the time of something under way goes: at every moment into service or one kind of wait of one stage, in
// integers.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/time.hpp"

namespace vecusim {

/// Why something under way makes no progress. A closed list: time in no kind cannot be booked.
enum class Wait : std::uint8_t {
  queue,       ///< behind others at a shared server, or behind interrupt work of the same CPU
  hypervisor,  ///< the hypervisor works on the CPU
  runqueue,    ///< the vCPU is runnable and another one runs
  ratelimit,   ///< … and the scheduler's rate limit keeps that other one
  budget,      ///< the vCPU, or a kernel's real-time class, has used up its budget
  cap,         ///< the vCPU is parked by its cap
  slot,        ///< it is not the vCPU's slot
  affinity,    ///< a pCPU is free, but the vCPU may not run there
  masked,      ///< interrupts or preemption are off
  thread,      ///< the guest's own scheduler runs another thread
  lock,        ///< somebody holds the lock
  moderation,  ///< the device, or a timer with slack, collects before it interrupts
  relay,       ///< on its way through a program outside the guest
};
inline constexpr std::size_t kWaits = 13;
inline constexpr std::array<std::string_view, kWaits> kWaitNames = {
    "queue",    "hypervisor", "runqueue", "ratelimit", "budget",     "cap",  "slot",
    "affinity", "masked",     "thread",   "lock",      "moderation", "relay"};

/// Who was in the way: an index into Simulation's list of parties.
enum class Party : std::uint16_t { nobody = 0 };

/// What one stage took of one flight.
struct StageTime {
  Duration service{};
  std::array<Duration, kWaits> waits{};
  /// The longest single wait in this stage (of one kind and for one party, without a break), and who inflicted it.
  Duration longest_wait{};
  Party longest_wait_for = Party::nobody;

  Duration total() const {
    Duration sum = service;
    for (const Duration wait : waits) sum += wait;
    return sum;
  }
};

/// A cursor over time. Booking and moving are one step, so the parts tile the whole by construction. A stage's figures
/// are complete once the account has left it: by turn_to() or close().
class Account {
 public:
  /// From now on time goes into `stage`, as service until wait() is called.
  void open(Time now, StageTime& stage) {
    since_ = now;
    stage_ = &stage;
    slot_ = &stage.service;
  }
  /// Books what has passed and goes on in another stage, as service.
  void turn_to(Time now, StageTime& stage) {
    book(now);
    stage_ = &stage;
    slot_ = &stage.service;
  }
  void serve(Time now) {
    book(now);
    slot_ = &stage_->service;
  }
  /// Said again of a wait that is under way, it goes on: it stays one wait.
  void wait(Time now, Wait kind, Party for_whom = Party::nobody) {
    Duration* const slot = &stage_->waits[static_cast<std::size_t>(kind)];
    if (slot_ == slot && for_whom_ == for_whom) return;
    book(now);
    slot_ = slot;
    for_whom_ = for_whom;
  }
  void close(Time now) { book(now); }

 private:
  void book(Time now) {
    assert(stage_ != nullptr && now >= since_);
    const Duration passed = now - since_;
    *slot_ += passed;
    if (slot_ != &stage_->service && passed > stage_->longest_wait) {
      stage_->longest_wait = passed;
      stage_->longest_wait_for = for_whom_;
    }
    since_ = now;
  }

  Time since_{};
  StageTime* stage_ = nullptr;
  Duration* slot_ = nullptr;
  Party for_whom_ = Party::nobody;
};

}  // namespace vecusim
