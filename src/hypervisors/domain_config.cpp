// The fields of a domain.
#include "hypervisors/domain_config.hpp"

#include <algorithm>
#include <array>

#include "hypervisors/catalogue.hpp"
#include "schedulers/policy.hpp"

namespace vecusim {

namespace {

bool all_hypervisors(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [](const std::string& name) {
    const auto known = hypervisors();
    return std::any_of(known.begin(), known.end(), [&](auto& entry) { return entry.option.name == name; });
  });
}

void whole(FieldVisitor& visit, const Field& field, std::optional<std::int64_t>& value, Range<std::int64_t> range) {
  visit.optional(field, value, [&](std::int64_t& v) { visit.integer(field, v, range); });
}

}  // namespace

void DomainConfig::fields(FieldVisitor& visit) {
  visit.text({"name",
              "how results name it; without a hypervisor it is \"linux\" or \"rtos\", and under kvm and tcg the Linux "
              "that has the board is \"host\", or \"linux\" in a scenario that runs without a hypervisor too",
              true},
             name);
  const Field under{"only_under", "hypervisors under which it exists; under others it is left out; absent: all"};
  if (visit.wants(under, !only_under.empty())) {
    visit.texts(under, only_under);
  } else {
    only_under.clear();
  }
  visit.require(all_hypervisors(only_under), "only_under", "names of hypervisors, as in `vecusim list hypervisors`");
  whole(visit, {"vcpus", "number of vCPUs; 1 if absent; not without a hypervisor"}, vcpus, {1, 128});
  const Field in_pool{"pool", "the cpupool that its vCPUs run in; only where there are cpupools"};
  if (visit.wants(in_pool, !pool.empty())) {
    visit.text(in_pool, pool);
  } else {
    pool.clear();
  }
  whole(visit, {"weight", "credit2, credit: share under contention; new domains have 256"}, weight, {1, kMaxWeight});
  whole(visit, {"cap_pct", "credit2, credit: at most so many percent of one pCPU; 0: no cap"}, cap_pct, {0, 12800});
  constexpr auto kIndex = Range<std::int64_t>{0, static_cast<std::int64_t>(PcpuMask::kMaxPcpus) - 1};
  visit.index_lists({"affinity", "pCPUs that its vCPUs may use: one list for all of them, or one each; absent: all"},
                    affinity, kIndex);
  visit.index_lists({"soft_affinity", "pCPUs that they prefer"}, soft_affinity, kIndex);
  const auto server = [&](const Field& field, std::optional<Duration>& value) {
    visit.optional(field, value, [&](Duration& v) { visit.duration(field, v, vecusim::whole(10us, 4000s)); });
  };
  server({"budget_us", "rtds: CPU time per period of each vCPU; 4000 if absent"}, budget);
  server({"period_us", "rtds: 10000 if absent"}, period);
  visit.require(budget.value_or(4ms) <= period.value_or(10ms), "budget_us", "at most period_us, or Xen refuses it");
  visit.optional(Field{"extratime", "rtds: may run on when the budget is used up"}, extratime, [&](bool& v) {
    visit.flag({"extratime", "rtds: may run on when the budget is used up"}, v);
  });
  kvm_fields(visit);
  std::vector<std::vector<std::int64_t>> colors;
  if (!l2_colors.empty()) colors.push_back(l2_colors);
  const Field memory{"l2_colors", "page colours of its memory (Xen: llc-colors), which divide L2 caches; absent: all"};
  if (visit.wants(memory, !colors.empty())) visit.index_lists(memory, colors, {0, 63});
  visit.require(colors.size() <= 1, "l2_colors", "one list of colours");
  l2_colors = colors.empty() ? std::vector<std::int64_t>{} : colors.front();
  visit.object({"os", "its operating system"}, os);
  visit.list({"tasks", "what runs on it"}, tasks);
}

void DomainConfig::kvm_fields(FieldVisitor& visit) {
  static constexpr std::array kPolicies = {Option{"other", "the fair class"},
                                           Option{"fifo", "SCHED_FIFO: before all of the fair class"},
                                           Option{"rr", "SCHED_RR: as fifo, in turns with its equals"}};
  static constexpr std::array kDevices = {
      Option{"qemu", "in user space: QEMU's main loop hears of the device, and answers are written under its lock"},
      Option{"vhost", "in the host's kernel: a vhost worker serves the device and raises its line through an irqfd"},
      Option{"vfio", "passed through: the host's handler signals an irqfd, and the guest's driver does the rest"}};
  const Field policy{"vcpu_policy", "kvm: scheduling of its vCPUs' threads on the host; \"other\" if absent"};
  visit.optional(policy, vcpu_policy, [&](TaskPolicy& value) { visit.choice(policy, value, kPolicies); });
  whole(visit, {"vcpu_priority", "kvm: their priority under fifo and rr, 1 (least urgent) to 99; 1 if absent"},
        vcpu_priority, {1, 99});
  visit.require(!vcpu_priority || vcpu_policy.value_or(TaskPolicy::other) != TaskPolicy::other, "vcpu_priority",
                "no such key unless `vcpu_policy` is \"fifo\" or \"rr\"");
  const Field served{"devices", "kvm: who serves the devices whose interrupts it gets; \"qemu\" if absent"};
  visit.optional(served, devices, [&](GuestDevices& value) { visit.choice(served, value, kDevices); });
}

bool DomainConfig::exists_under(std::string_view hypervisor) const {
  return only_under.empty() || std::find(only_under.begin(), only_under.end(), hypervisor) != only_under.end();
}

Colors DomainConfig::colors() const {
  if (l2_colors.empty()) return kAllColors;
  Colors result = 0;
  for (const std::int64_t color : l2_colors) result |= Colors{1} << color;
  return result;
}

}  // namespace vecusim
