// What KVM's own code costs, and what QEMU's and vhost's does that serves its guests' devices.
//
// Stages K1 to K6 of the specification of the mechanisms, section 4.1.
#pragma once

#include "hypervisors/hosted.hpp"

namespace vecusim {

struct KvmCosts {
  KvmCosts(CostTable& costs, Board& board);

  HostCode exit;       ///< K1: out of guest mode, into the host's kernel
  HostCode enter;      ///< K3: back into it
  PathCost inject;     ///< K3: … with one virtual interrupt more
  HostCode load;       ///< K2: a vCPU's remaining state comes to the core on which its thread runs
  HostCode put;        ///< K2: … and is saved when the core goes to another thread
  PathCost halt;       ///< a trapped WFI or HLT
  PathCost ipi;        ///< a trapped IPI, in the interrupt controller's model in the kernel
  PathCost eoi;        ///< an end of interrupt; of no cycles where it does not trap
  PathCost timer;      ///< setting the timer; likewise
  PathCost irqfd;      ///< whoever signals an irqfd
  PathCost ioeventfd;  ///< an access to a device that only signals its worker
  HostCode vhost;      ///< K6: the worker in the kernel serves its device
  HostCode main_loop;  ///< K5: QEMU's main loop from poll() to the device's handler
  HostCode device;     ///< K5: the device's model, under QEMU's lock
  HostCode user_exit;  ///< K5: a vCPU's thread out to QEMU and back
  Duration halt_poll;  ///< the longest that a halted vCPU's thread polls
};

}  // namespace vecusim
