// QEMU's costs by their names in the table.
#include "hypervisors/tcg_costs.hpp"

#include <array>
#include <string>

namespace vecusim {

namespace {
// By RelayKind.
constexpr std::array<std::string_view, 4> kRelayCosts = {"tcg.relay_pipe", "tcg.relay_tcp", "tcg.relay_qmp",
                                                         "tcg.relay_command"};
}  // namespace

TcgCosts::TcgCosts(CostTable& costs, Board& board, const RelayConfig& config)
    : relay(PathCost::from(costs, std::string(kRelayCosts[static_cast<std::size_t>(config.kind)]))),
      native_cpi(costs.number("tcg.native_cpi", "cycles")),
      cycles_per_instruction(costs.number("tcg.cycles_per_instruction", "cycles")),
      code_expansion(costs.number("tcg.code_expansion", "ratio")),
      translation(costs.number("tcg.translation", "cycles")),
      instructions_per_line(costs.number("tcg.instructions_per_line", "count")),
      block_instructions(costs.number("tcg.block_instructions", "count")) {
  if (config.kind == RelayKind::tcp && !config.nodelay) stall = costs.duration("tcg.delayed_ack");
  const auto code = [&](const char* name) { return HostCode::from(costs, board, name); };
  main_loop = code("tcg.main_loop");
  raise = code("tcg.raise");
  enter = code("tcg.enter");
  mmio = code("tcg.mmio");
  output = code("tcg.output");
  reply = code("tcg.reply");
}

}  // namespace vecusim
