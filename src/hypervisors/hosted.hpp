// What the hypervisors whose guests are threads of a Linux share: KVM, and QEMU without it.
#pragma once

#include <deque>
#include <span>
#include <string>

#include "hypervisors/domain_config.hpp"
#include "hypervisors/qemu_lock.hpp"
#include "models/linux.hpp"

namespace vecusim {

/// A piece of code on the host that is none of its kernel's own paths.
struct HostCode {
  PathCost cost;
  CodePath path{};

  static HostCode from(CostTable& costs, Board& board, const std::string& name) {
    return {PathCost::from(costs, name), board.add_code_path()};
  }
};

/// The domain whose Linux has the board.
const DomainConfig& host_of(std::span<const DomainConfig> domains);

/// At assembly: those of a domain's tasks that no interrupt wakes.
void add_load(Kernel& kernel, const DomainConfig& domain);

/// A thread that serves one flight after another; what comes meanwhile waits in its inbox.
class ServingThread : public QemuThread {
 public:
  void start() override {}
  /// Returns the thread if it has to be woken for the flight.
  Thread* take(Flight& flight);

 protected:
  using QemuThread::QemuThread;
  bool busy() const { return busy_; }
  /// Woken by something else, or done with a flight: the next one; null if there is none.
  Flight* next();
  /// Sleeps until a flight comes, or until its timer does.
  void rest(Time until = kNever);

 private:
  bool busy_ = false;  // awake, or somebody is about to wake it
  std::deque<Flight*> inbox_;
};

}  // namespace vecusim
