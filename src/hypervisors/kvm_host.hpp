// KvmHost: what KVM's parts share: its costs, the host's kernel and machine, and where on its path an interrupt is.
//
//   device ──► host's handler ─┬─ passed through ──────────────┬─► irqfd ──► vCPU ──► guest's kernel
//                              └─► worker (QEMU's, or vhost's) ─┘
//
// Specification of the mechanisms, section 4.1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hypervisors/kvm_costs.hpp"
#include "models/linux.hpp"

namespace vecusim {

class KvmMachine;

/// On whose behalf a vCPU is reached: a device's or its own timer's, or that of another vCPU of its guest.
enum class KvmArrival : std::uint8_t { device, ipi };

/// The stages of reaching a vCPU, by the state that it is found in; a halted one whose thread sleeps is woken by the
/// host's kernel, in a leg of its own path.
struct KvmWay {
  StageId poll;       ///< its thread polls, and sees it
  StageId kick;       ///< in guest mode on another pCPU: an IPI takes it out of that
  StageId preempted;  ///< its thread waits for a pCPU
  StageId outside;    ///< out of guest mode already, on its way back
  StageId enter;
  std::uint16_t leg = 0;  ///< of the host's kernel
};

/// The stages of one interrupt that are neither the host's kernel's nor the guest's.
struct KvmRoute {
  std::array<KvmWay, 2> ways;  ///< by KvmArrival
  StageId expired;             ///< of a timer: the last one before its vCPU is reached
  StageId send;                ///< the trap of an IPI
  StageId serve;               ///< the worker is at its device …
  StageId lock;                ///< … waits for QEMU's lock
  StageId raise;               ///< … and raises the line
  StageId output;              ///< the trap of the answer
  StageId output_lock;
  StageId write;  ///< whoever serves the device writes the answer
  std::uint16_t output_leg = 0;
};

struct KvmHost {
  Simulation& simulation;
  Board& board;
  KvmCosts costs;
  KvmMachine& machine;
  Linux& kernel;
  Duration halt_poll;
  Party party;
  std::vector<KvmRoute> routes = {};  ///< by interrupt

  KvmRoute& route_of(const Flight& flight) { return routes[static_cast<std::size_t>(flight.interrupt().id())]; }
  KvmWay& way_of(const Flight& flight, KvmArrival arrival) {
    return route_of(flight).ways[static_cast<std::size_t>(arrival)];
  }
};

}  // namespace vecusim
