// The fields of Xen.
#include "hypervisors/xen_config.hpp"

#include <array>
#include <stdexcept>

namespace vecusim {

namespace {

constexpr std::array kVwfi = {Option{"trap", "the vCPU blocks and Xen schedules"},
                              Option{"native", "the core halts in the guest; the vCPU goes on running for Xen"}};

struct SchedulerFields final : Part {
  explicit SchedulerFields(SchedulerChoice& s) : scheduler(s) {}
  void fields(FieldVisitor& visit) override { scheduler.fields(visit, {"model", "which scheduler", true}); }
  SchedulerChoice& scheduler;
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

void CpupoolConfig::fields(FieldVisitor& visit) {
  visit.text({"name", "how domains name it", true}, name);
  std::vector<std::vector<std::int64_t>> lists;
  if (!pcpus.empty()) lists.push_back(pcpus);
  visit.index_lists({"pcpus", "its pCPUs; those of no pool idle", true}, lists,
                    {0, static_cast<std::int64_t>(PcpuMask::kMaxPcpus) - 1});
  visit.require(lists.size() == 1, "pcpus", "one list of pCPUs");
  pcpus = lists.empty() ? std::vector<std::int64_t>{} : lists.front();
  SchedulerFields part(scheduler);
  visit.object({"scheduler", "who runs where in the pool"}, part);
}

void XenConfig::fields(FieldVisitor& visit) {
  visit.text({"version", "4.14 to 4.22, or a point release such as 4.14.6"}, version);
  visit.require(known(version), "version", "a Xen version: 4.14 to 4.22, or a point release such as \"4.14.6\"");
  visit.choice({"vwfi", "what WFI in a guest does"}, vwfi, kVwfi);
  visit.duration({"timer_slop_us", "a timer that is due sooner than this after the handler comes this late"},
                 timer_slop, {Duration::zero(), 10ms});
  const Field serial{"console", "its serial console, which is dom0's too; absent: none"};
  visit.optional(serial, console, [&](ConsoleConfig& c) { visit.object(serial, c); });
  const Field one{"scheduler", "who runs where"};
  const bool alone = visit.wants(one, cpupools.empty());
  if (alone) {
    SchedulerFields part(scheduler);
    visit.object(one, part);
  }
  const Field several{"cpupools",
                      "instead of one scheduler for all pCPUs: pools of them with a scheduler each; the first is the "
                      "one that Xen makes at boot, in which dom0 stays"};
  const bool pools = visit.wants(several, !cpupools.empty());
  if (pools) {
    visit.list(several, cpupools);
  } else {
    cpupools.clear();
  }
  visit.require(!(alone && pools), "cpupools", "either `scheduler` or `cpupools`");
}

}  // namespace vecusim
