// XenConsole: Xen's serial console: one port, one lock, and a driver that waits for the port or copies to a ring.
//
// A synchronous console polls the port for every character, with the lock held and interrupts off. An asynchronous one
// copies to a ring that interrupts empty; what does not fit is dropped until the ring is half empty again.
// Specification of the mechanisms, sections 2.3 and 2.4.
#pragma once

#include <cstdint>
#include <deque>

#include "engine/account.hpp"
#include "engine/fields.hpp"
#include "models/uart.hpp"

namespace vecusim {

class XenPcpu;

/// When the driver may write a character: into an empty FIFO only, as for a PL011 or a 16550, or while there is space
/// in it, as for the mini-UART.
enum class UartGating : std::uint8_t { empty, space };

struct ConsoleConfig {
  bool sync = false;
  std::int64_t baud = 115200;
  UartGating gating = UartGating::space;
  std::int64_t fifo_chars = 8;

  void fields(FieldVisitor& visit);
};

class XenConsole {
 public:
  explicit XenConsole(const ConsoleConfig& config);

  // The lock: whoever comes while it is taken gets it in order of arrival.
  /// True if it was free.
  bool acquire(XenPcpu& pcpu, Party party);
  /// The next holder, who waits for it; null if there is none.
  XenPcpu* release();
  /// For whom the holder prints.
  Party holder() const { return waiting_.front().party; }

  /// What writing takes, and how much of it is the port's being busy with earlier characters.
  struct Time {
    Duration behind{};
    Duration own{};
  };
  /// Writes `chars` characters, the lock being held; each takes `code` of the driver's own time.
  Time write(vecusim::Time now, std::int64_t chars, Duration code, Party party);
  /// The same with an idle port.
  Duration idle(std::int64_t chars, Duration code) const;
  /// Whose characters the port was last busy with.
  Party last() const { return last_; }

 private:
  struct Waiting {
    XenPcpu* pcpu;
    Party party;
  };
  Duration poll(Uart& uart, vecusim::Time now, std::int64_t chars, Duration code) const;
  void copy(vecusim::Time now, std::int64_t chars);

  ConsoleConfig config_;
  Uart uart_;
  std::deque<Waiting> waiting_;  // the holder first
  Party last_ = Party::nobody;
  bool dropping_ = false;
};

}  // namespace vecusim
