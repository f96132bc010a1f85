// Bus: what carries frames from a producer to a device whose interrupt line then rises.
//
// CAN, CAN FD and a link of Ethernet are one server that nothing interrupts and whose most urgent frame goes first
// (bus_arbitrated.cpp); FlexRay's static segment gives each frame a slot (bus_flexray.cpp).
#pragma once

#include <memory>
#include <string>

#include "engine/simulation.hpp"
#include "models/bus_config.hpp"
#include "models/flight.hpp"
#include "models/path_builder.hpp"

namespace vecusim {

/// An interrupt's frame on its bus: the way from its producer to the device.
class Ingress {
 public:
  Ingress(std::size_t rx_fifo, Delegate<void(Flight&)> device) : rx_fifo_(rx_fifo), device_(device) {}
  virtual ~Ingress() = default;
  Ingress(const Ingress&) = delete;
  Ingress& operator=(const Ingress&) = delete;

  /// At assembly: the stages that a frame passes.
  virtual void add_stages(PathBuilder& path) = 0;
  /// The producer has a frame, of which this flight is.
  virtual void send(Flight& flight) = 0;
  /// Frames that the device keeps.
  std::size_t rx_fifo() const { return rx_fifo_; }

 protected:
  /// The device has it: now its line rises.
  void deliver(Flight& flight) {
    flight.pass(Point::edge);
    device_(flight);
  }

 private:
  std::size_t rx_fifo_;
  Delegate<void(Flight&)> device_;
};

class Bus {
 public:
  Bus() = default;
  virtual ~Bus() = default;
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;

  /// At assembly: a frame of an interrupt's, by its name; it reaches `device`.
  virtual std::unique_ptr<Ingress> join(const std::string& name, const FrameConfig& frame,
                                        Delegate<void(Flight&)> device) = 0;
  /// Its other traffic begins.
  virtual void start() = 0;
};

std::unique_ptr<Bus> make_bus(Simulation& simulation, const BusConfig& config);

}  // namespace vecusim
