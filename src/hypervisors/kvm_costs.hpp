// What KVM's own code costs, and what QEMU's and vhost's does that serves its guests' devices.
//
// Stages K1 to K6 of the specification of the mechanisms, section 4.1.
#pragma once

#include "models/board.hpp"
#include "models/costs.hpp"

namespace vecusim {

/// A piece of code on the host that is none of its kernel's own paths.
struct KvmCode {
  PathCost cost;
  CodePath path{};
};

struct KvmCosts {
  KvmCosts(CostTable& costs, Board& board);

  KvmCode exit;        ///< K1: out of guest mode, into the host's kernel
  KvmCode enter;       ///< K3: back into it
  PathCost inject;     ///< K3: … with one virtual interrupt more
  KvmCode load;        ///< K2: a vCPU's remaining state comes to the core on which its thread runs
  KvmCode put;         ///< K2: … and is saved when the core goes to another thread
  PathCost halt;       ///< a trapped WFI or HLT
  PathCost ipi;        ///< a trapped IPI, in the interrupt controller's model in the kernel
  PathCost eoi;        ///< an end of interrupt; of no cycles where it does not trap
  PathCost timer;      ///< setting the timer; likewise
  PathCost irqfd;      ///< whoever signals an irqfd
  PathCost ioeventfd;  ///< an access to a device that only signals its worker
  KvmCode vhost;       ///< K6: the worker in the kernel serves its device
  KvmCode main_loop;   ///< K5: QEMU's main loop from poll() to the device's handler
  KvmCode device;      ///< K5: the device's model, under QEMU's lock
  KvmCode user_exit;   ///< K5: a vCPU's thread out to QEMU and back
  Duration halt_poll;  ///< the longest that a halted vCPU's thread polls
};

}  // namespace vecusim
