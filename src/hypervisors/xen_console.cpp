// The port, its lock and its ring.
#include "hypervisors/xen_console.hpp"

#include <array>

namespace vecusim {

namespace {

constexpr std::array kGatings = {Option{"empty", "into an empty FIFO only, as the drivers of PL011 and 16550 do"},
                                 Option{"space", "while there is space in the FIFO, as the mini-UART's driver does"}};

// Start bit, eight data bits, stop bit.
constexpr Duration::rep kBits = 10;
// Xen's default build.
constexpr std::int64_t kRing = 16384;

std::int64_t room(const ConsoleConfig& config) { return config.gating == UartGating::empty ? 1 : config.fifo_chars; }

}  // namespace

void ConsoleConfig::fields(FieldVisitor& visit) {
  visit.flag({"sync", "Xen's option sync_console: polls the port for each character; the PL011's driver always does"},
             sync);
  visit.integer({"baud", "bits per second; a character takes ten"}, baud, {300, 10'000'000});
  visit.choice({"gating", "when the driver writes a character"}, gating, kGatings);
  visit.integer({"fifo_chars", "depth of the port's FIFO"}, fifo_chars, {1, 1024});
}

XenConsole::XenConsole(const ConsoleConfig& config)
    : config_(config), uart_(kBits * Duration{1s} / config.baud, room(config)) {}

bool XenConsole::acquire(XenPcpu& pcpu, Party party) {
  waiting_.push_back({&pcpu, party});
  return waiting_.size() == 1;
}

XenPcpu* XenConsole::release() {
  waiting_.pop_front();
  return waiting_.empty() ? nullptr : waiting_.front().pcpu;
}

XenConsole::Time XenConsole::write(vecusim::Time now, std::int64_t chars, Duration code, Party party) {
  if (!config_.sync) {
    copy(now, chars);
    return {Duration::zero(), code * chars};
  }
  const Duration own = idle(chars, code);
  const Duration all = poll(uart_, now, chars, code);
  last_ = party;
  return {all - own, own};
}

Duration XenConsole::idle(std::int64_t chars, Duration code) const {
  if (!config_.sync) return code * chars;
  Uart uart(uart_.character(), room(config_));
  return poll(uart, kStart, chars, code);
}

Duration XenConsole::poll(Uart& uart, vecusim::Time now, std::int64_t chars, Duration code) const {
  vecusim::Time at = now;
  for (std::int64_t i = 0; i < chars; ++i) {
    at = std::max(at + code, uart.ready());
    uart.write(at);
  }
  return at - now;
}

void XenConsole::copy(vecusim::Time now, std::int64_t chars) {
  for (std::int64_t i = 0; i < chars; ++i) {
    const std::int64_t held = std::max<std::int64_t>(0, (uart_.idle_at() - now) / uart_.character() - room(config_));
    if (held >= kRing) dropping_ = true;
    if (held <= kRing / 2) dropping_ = false;
    if (!dropping_) uart_.write(now);
  }
}

}  // namespace vecusim
