// The fields of Xen.
#include "hypervisors/xen_config.hpp"

#include <array>
#include <stdexcept>

namespace vecusim {

namespace {

constexpr std::array kVwfi = {Option{"trap", "the vCPU blocks and Xen schedules"},
                              Option{"native", "the core halts in the guest; the vCPU goes on running for Xen"}};

struct SchedulerFields final : Part {
  explicit SchedulerFields(Modelled<PolicyEntry, policies>& s) : scheduler(s) {}
  void fields(FieldVisitor& visit) override { scheduler.fields(visit, {"model", "which scheduler", true}); }
  Modelled<PolicyEntry, policies>& scheduler;
};

bool known(const std::string& version) {
  try {
    resolve_version(version);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

void XenConfig::fields(FieldVisitor& visit) {
  visit.text({"version", "4.14 to 4.22, or a point release such as 4.14.6"}, version);
  visit.require(known(version), "version", "a Xen version: 4.14 to 4.22, or a point release such as \"4.14.6\"");
  visit.choice({"vwfi", "what WFI in a guest does"}, vwfi, kVwfi);
  visit.duration({"timer_slop_us", "a timer that is due sooner than this after the handler comes this late"},
                 timer_slop, {Duration::zero(), 10ms});
  SchedulerFields fields(scheduler);
  visit.object({"scheduler", "who runs where"}, fields);
}

}  // namespace vecusim
