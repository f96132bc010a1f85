// The bits of event channels.
#include "hypervisors/xen_events.hpp"

#include <algorithm>
#include <utility>

namespace vecusim {

std::size_t XenEvents::find(std::string_view name) const {
  const auto named = std::find_if(ports_.begin(), ports_.end(), [&](const Port& port) { return port.name == name; });
  return static_cast<std::size_t>(named - ports_.begin());
}

XenEvents::Sent XenEvents::send(std::size_t port, Flight& flight) {
  if (ports_[port].pending != nullptr) {
    flight.drop(Fate::merged);
    return Sent::merged;
  }
  ports_[port].pending = &flight;
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
  }
  return taken_;
}

}  // namespace vecusim
