// Names of Xen's pieces of code.
#include "hypervisors/xen_costs.hpp"

namespace vecusim {

namespace {

constexpr std::array<std::string_view, kXenCodes> kNames = {
    "wfi_exit",         "exit_guest",     "exit_register",  "exit_idle",      "irq_ack",         "irq_timer",
    "irq_vtimer",       "irq_spi",        "irq_event",      "irq_event_idle", "irq_maintenance", "inject",
    "inject_running",   "wake",           "wake_busy",      "timer_expired",  "timer_softirq",   "schedule",
    "schedule_running", "pass",           "pass_idle",      "save",           "restore",         "restore_after",
    "restore_idle",     "switched",       "switched_after", "requeue",        "switched_idle",   "retarget",
    "enter_guest",      "enter_register", "trap_wfi",       "trap_sgi",       "event_send",      "sgi_send",
    "console_write",    "console_char"};

}  // namespace

std::string_view XenCosts::name(XenCode code) { return kNames[static_cast<std::size_t>(code)]; }

XenCosts::XenCosts(CostTable& costs, std::string_view scheduler) {
  const double cycles_scale = costs.number("xen.path_cycles_scale", "ratio");
  for (std::size_t i = 0; i < kXenCodes; ++i) {
    if (static_cast<XenCode>(i) == XenCode::wfi_exit) {
      costs_[i].cycles = costs.number("core.wfi_exit", "cycles");
      continue;
    }
    const std::string name = "xen." + std::string(kNames[i]);
    const std::string own = name + "_" + std::string(scheduler);
    costs_[i] = PathCost::from(costs, costs.has(own + ".cycles") ? own : name);
    costs_[i].cycles *= cycles_scale;
  }
}

}  // namespace vecusim
