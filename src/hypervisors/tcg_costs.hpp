// What QEMU's own code and the code that it translates cost.
//
// Stages Q2 to Q11 of the specification of the mechanisms, section 3.2.
#pragma once

#include "hypervisors/hosted.hpp"
#include "hypervisors/tcg_config.hpp"

namespace vecusim {

struct TcgCosts {
  TcgCosts(CostTable& costs, Board& board, const RelayConfig& relay);

  PathCost relay;      ///< Q2: the relay tells QEMU
  Duration stall{};    ///< Q3: the second small write waits for the acknowledgement of the first; 0: it does not
  HostCode main_loop;  ///< Q4: from ppoll() to the handler
  HostCode raise;      ///< Q6: the device model raises its line, and the vCPU is kicked
  HostCode enter;      ///< Q6: a vCPU thread that was woken gets back to guest code
  HostCode mmio;       ///< Q9: one access of the guest to a device
  HostCode output;     ///< Q11: the device model writes the answer
  HostCode reply;      ///< Q11: the relay reads it

  // Q8: guest code. What a native core executes in a cycle is given, as costs of Linux are in native cycles.
  double native_cpi;              ///< native cycles per instruction
  double cycles_per_instruction;  ///< host cycles per guest instruction, translated and warm
  double code_expansion;          ///< lines of host code and data per line of the guest's
  double translation;             ///< host cycles to translate one guest instruction
  double instructions_per_line;   ///< distinct guest instructions per line that a path touches
  double block_instructions;      ///< guest instructions per translated block
};

}  // namespace vecusim
