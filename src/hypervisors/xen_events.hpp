// XenEvents: the event channels that end in one domain: a pending bit for each, and one bit for the upcall to its vCPU.
//
// A send to a channel that is pending already changes nothing; one to another channel while the upcall is pending needs
// no interrupt of its own. The guest's handler takes the upcall bit back, then looks at all channels. Specification of
// the Xen interrupt path on Arm, section 6.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/interrupt_device.hpp"

namespace vecusim {

class XenEvents final : public InterruptDevice {
 public:
  /// At assembly: one more channel, to the interrupt of that name.
  void bind(const std::string& name, MeasuredInterrupt& interrupt) { ports_.push_back({name, &interrupt, nullptr}); }
  /// At assembly: one more channel, to a driver's handler; returns its port.
  std::size_t bind(NetJob& handler);
  /// Its port; their number if there is none of the name.
  std::size_t find(std::string_view name) const;
  std::size_t size() const { return ports_.size(); }
  /// Null if it leads to a driver's handler.
  MeasuredInterrupt* interrupt(std::size_t port) { return ports_[port].interrupt; }

  /// What is still to be done about an event: nothing, as it has merged into another; nothing more; or an interrupt.
  enum class Sent : std::uint8_t { merged, noted, upcall };
  Sent send(std::size_t port, Flight* flight);

  IrqId irq() const override { return kEventIrq; }
  Flight* first_latched() const override;
  const std::vector<Flight*>& take_latched() override;
  NetJob* take_signal() override;
  bool shared() const override { return true; }

 private:
  struct Port {
    std::string name;
    MeasuredInterrupt* interrupt;
    Flight* pending;
    NetJob* handler = nullptr;
    bool signalled = false;  // of a handler's: it is pending
    bool taken = false;      // … and this upcall is to run it
  };
  std::vector<Port> ports_;
  std::vector<Flight*> taken_;
  bool upcall_ = false;
};

}  // namespace vecusim
