// How drivers' code runs in Linux: jobs of pieces, in hard interrupts, in softirq (NAPI) and in threads.
//
// A piece is a batch: it takes what is there when it begins and hands it on when it has been executed. What it hands on
// may trap into a hypervisor (an event, an IPI), which keeps the CPU until the next piece; so a piece has at most one
// such end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/board.hpp"
#include "models/core.hpp"
#include "models/linux_thread.hpp"

namespace vecusim {

/// Frames that one poll takes at most: the weight of NAPI, and what netback's thread copies in one hypercall.
/// Specification of the mechanisms, section 5.3.
inline constexpr std::size_t kNapiBudget = 64;

class NetJob {
 public:
  virtual ~NetJob() = default;
  /// What follows a piece: another one; in softirq, its turn among other polls, as its budget is used up; or nothing.
  enum class Next : std::uint8_t { piece, again, nothing };
  /// What the next piece takes, if it begins now. Computes only.
  virtual Duration begin(LinuxCpu& cpu) = 0;
  /// It has been executed.
  virtual Next done(LinuxCpu& cpu) = 0;
};

/// The pieces of code that network drivers and the stack are made of: net.NAME of a cost table, per frame where they
/// handle frames. B, F and R numbers are the specification's.
enum class NetCode : std::uint8_t {
  irq,            // B1, R1: the handler's own part of a device interrupt
  poll,           // begin and end of a poll
  driver_rx,      // B2
  bridge,         // B3
  vif_queue,      // B4
  wake,           // B5: waking a thread; the switch to it is the scheduler's
  netback_rx,     // B6
  free,           // B9
  netback_skb,    // B10
  driver_tx,      // B10, without the doorbell
  netback_tx,     // answering requests
  upcall,         // B11, R5, R7: the handler of one event channel
  netfront_rx,    // F1
  ip_rx,          // F2: the stack up to the socket
  socket_rx,      // F2: the system call that reads one datagram
  app_rx,         // F2: the program's own
  shared_rx,      // R4: a frontend that has the device's queue, without the stack
  app_tx,         // the program's own
  socket_tx,      // the system call that sends one datagram, the stack included
  netfront_tx,    // grants and request
  netfront_free,  // taking a response back
  shared_tx,      // as shared_rx
  event,          // the guest's side of sending an event
};
inline constexpr std::size_t kNetCodes = 23;

/// The costs of drivers and stack.
struct NetCosts {
  NetCosts() = default;
  explicit NetCosts(CostTable& costs);
  const PathCost& operator[](NetCode code) const { return code_costs[static_cast<std::size_t>(code)]; }

  std::array<PathCost, kNetCodes> code_costs;
  // of device registers
  Duration read{};
  Duration write{};
  // of the hypervisor, for one frame
  Duration grant_copy{};
  double copy_ps_per_byte = 0.0;
  Duration header_copy{};
  Duration grant_map{};
  Duration grant_unmap{};
};

/// What a piece takes: code, each so many times, and device accesses. However often some code is added, its lines are
/// fetched once.
class NetBatch {
 public:
  explicit NetBatch(const NetCosts& costs) : costs_(costs) {}
  NetBatch& add(NetCode code, std::size_t times = 1);
  NetBatch& reads(std::size_t count);
  NetBatch& writes(std::size_t count);
  /// Draws once.
  Duration take(LinuxCpu& cpu, CodePath path) const;
  /// Without jitter and misses: what one more frame of it takes is the difference of two of them.
  double cycles() const { return cost_.cycles; }

 private:
  const NetCosts& costs_;
  PathCost cost_;
  std::uint32_t fetched_ = 0;  // codes, as bits
  Duration devices_{};
};
static_assert(kNetCodes <= 32);

/// A thread of the kernel's or of a program that does a job when it is woken.
class NetThread final : public Thread {
 public:
  /// `context` of its pieces, unless the job says something else; `cpus` that it may run on, empty: all.
  NetThread(Linux& kernel, std::string_view name, NetJob& job, Context context, std::vector<std::int64_t> cpus = {});
  void start() override;
  void woken() override { next_piece(); }
  bool awake() const { return state != State::blocked; }
  /// From code on that CPU.
  void kick(LinuxCpu& from);
  /// What the next pieces count as.
  void turn_to(Context context) { context_ = context; }
  /// It sleeps until then when its job is done, unless kicked. kNever: until kicked.
  void sleep_until(Time until) { until_ = until; }

 private:
  void next_piece();
  Duration piece_cost();
  void piece_done();

  NetJob& job_;
  Context context_;
  Time until_ = kNever;
};

/// Threads that are still to be woken for what a driver's pieces have handed on: one at the end of a piece, as that may
/// trap.
class Wakes {
 public:
  /// Unless it is awake, or on the list. Null: nobody.
  void add(NetThread* thread);
  bool empty() const { return threads_.empty(); }
  std::size_t size() const { return threads_.size(); }
  void wake_one(LinuxCpu& cpu);

 private:
  std::vector<NetThread*> threads_;  // few
};

}  // namespace vecusim
