// The bits of event channels.
#include "hypervisors/xen_events.hpp"

#include <algorithm>
#include <utility>

namespace vecusim {

std::size_t XenEvents::find(std::string_view name) const {
  const auto named = std::find_if(ports_.begin(), ports_.end(), [&](const Port& port) { return port.name == name; });
  return static_cast<std::size_t>(named - ports_.begin());
}

std::size_t XenEvents::bind(NetJob& handler) {
  ports_.push_back({.name = {}, .interrupt = nullptr, .pending = nullptr, .handler = &handler});
  return ports_.size() - 1;
}

XenEvents::Sent XenEvents::send(std::size_t port, Flight* flight) {
  Port& to = ports_[port];
  if (to.handler != nullptr) {
    if (std::exchange(to.signalled, true)) return Sent::merged;
  } else if (to.pending != nullptr) {
    flight->drop(Fate::merged);
    return Sent::merged;
  } else {
    to.pending = flight;
  }
  return std::exchange(upcall_, true) ? Sent::noted : Sent::upcall;
}

Flight* XenEvents::first_latched() const {
  Flight* first = nullptr;
  for (const Port& port : ports_) {
    if (port.pending == nullptr) continue;
    if (first == nullptr || port.pending->began_before(*first)) first = port.pending;
  }
  return first;
}

const std::vector<Flight*>& XenEvents::take_latched() {
  upcall_ = false;
  taken_.clear();
  for (Port& port : ports_) {
    if (port.pending != nullptr) taken_.push_back(std::exchange(port.pending, nullptr));
    if (std::exchange(port.signalled, false)) port.taken = true;
  }
  return taken_;
}

// Before it returns, the guest's handler looks at the upcall's bit again: what has come meanwhile needs no interrupt.
// (Events that carry flights wait for theirs.)
NetJob* XenEvents::take_signal() {
  for (Port& port : ports_) {
    if (std::exchange(port.taken, false)) return port.handler;
  }
  const bool carried =
      std::any_of(ports_.begin(), ports_.end(), [](const Port& port) { return port.pending != nullptr; });
  if (!upcall_ || carried) return nullptr;
  upcall_ = false;
  NetJob* first = nullptr;
  for (Port& port : ports_) {
    if (!std::exchange(port.signalled, false)) continue;
    port.taken = first != nullptr;
    if (first == nullptr) first = port.handler;
  }
  return first;
}

}  // namespace vecusim
