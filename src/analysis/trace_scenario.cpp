// Domains, tasks and interrupts of a recorded system.
#include "analysis/trace_scenario.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "system/json_decimal.hpp"

namespace vecusim {

namespace {

using json::Node;

constexpr std::int64_t kClockMhz = 1500;
/// What the model's kernel takes on this board from a timer's interrupt to the program and back to sleep: the recorded
/// runs have that of the recorded kernel in them.
constexpr std::int64_t kOwnPathNs = 50'000;

Node text(std::string_view value) { return Node::string(std::string(value)); }
Node us(std::int64_t ns) { return Node::number(json::print_decimal(ns, -3)); }

bool sleeps(const TracedActivity& activity, std::int64_t span_ns) {
  constexpr std::size_t kEnough = 10;
  return activity.episodes.size() >= kEnough && activity.ran_ns() < span_ns / 2;
}

std::string plain_name(TracedVcpu vcpu) { return to_text(vcpu); }

/// Sleeps until the recorded wakes, and works for the mean of the runs.
Node sleeper(const TracedActivity& activity) {
  const std::int64_t mean = activity.ran_ns() / static_cast<std::int64_t>(activity.episodes.size());
  return Node::object(
      {{"name", text(plain_name(activity.vcpu))},
       {"model", text("interrupt")},
       {"interrupt", text(plain_name(activity.vcpu))},
       {"record", text("none")},
       {"policy", text("fifo")},
       {"priority", Node::integer(80)},
       {"cpus", Node::array({Node::integer(activity.vcpu.vcpu)})},
       {"work_cycles", Node::integer(std::max<std::int64_t>(0, mean - kOwnPathNs) * kClockMhz / 1000)}});
}

Node wakes(const TracedActivity& activity) {
  Node times = Node::array();
  std::int64_t last = -1;
  for (const Episode& episode : activity.episodes) {
    if (episode.seen_to_wake && episode.woke_ns > last) times.push_back(us(episode.woke_ns));
    last = episode.woke_ns;
  }
  return Node::object(
      {{"name", text(plain_name(activity.vcpu))},
       {"source", text("timer")},
       {"target", text("d" + std::to_string(activity.vcpu.domain))},
       {"cpu", Node::integer(activity.vcpu.vcpu)},
       {"stimulus", Node::object({{"model", text("recorded")}, {"times_us", std::move(times)}})},
       {"measure", Node::object({{"from", text("edge")}, {"to", text("user")}, {"clock", text("target")}})}});
}

/// Repeats the recorded runs and sleeps.
Node repeater(const TracedActivity& activity) {
  Node runs = Node::array();
  Node rests = Node::array();
  std::int64_t blocked = 0;
  for (const Episode& episode : activity.episodes) {
    if (episode.woke_ns > 0 && runs.items.empty()) runs.push_back(Node::integer(0));
    if (!runs.items.empty()) rests.push_back(us(episode.woke_ns - blocked));
    runs.push_back(us(episode.ran_ns));
    blocked = episode.blocked_ns.value_or(episode.woke_ns);
  }
  rests.push_back(Node::integer(0));
  return Node::object({{"name", text(plain_name(activity.vcpu))},
                       {"model", text("recorded")},
                       {"run_us", std::move(runs)},
                       {"sleep_us", std::move(rests)},
                       {"cpus", Node::array({Node::integer(activity.vcpu.vcpu)})}});
}

Node affinity(const TracedActivity* activity, const std::vector<std::uint16_t>& all) {
  Node list = Node::array();
  for (const std::uint16_t pcpu : activity == nullptr || activity->pcpus.empty() ? all : activity->pcpus) {
    list.push_back(Node::integer(pcpu));
  }
  return list;
}

Node domain_of(std::uint16_t number, const std::vector<const TracedActivity*>& vcpus, const TracedSystem& system) {
  Node tasks = Node::array();
  Node masks = Node::array();
  for (const TracedActivity* activity : vcpus) {
    masks.push_back(affinity(activity, system.pcpus));
    if (activity == nullptr || activity->episodes.empty()) continue;
    tasks.push_back(sleeps(*activity, system.span_ns) ? sleeper(*activity) : repeater(*activity));
  }
  return Node::object({{"name", text("d" + std::to_string(number))},
                       {"vcpus", Node::integer(vcpus.size())},
                       {"affinity", std::move(masks)},
                       {"os", Node::object({{"model", text("linux")}, {"preempt", text("voluntary")}})},
                       {"tasks", std::move(tasks)}});
}

}  // namespace

std::string_view scheduler_of(const Xentrace& trace) {
  constexpr std::uint32_t kFirstClass = 0x22000;
  constexpr std::uint32_t kEvents = 0x200;
  constexpr std::array<std::string_view, 6> kById = {"credit", "credit2", "", "", "rtds", "null"};
  std::array<std::size_t, kById.size()> seen{};
  for (const XentraceRecord& record : trace.records) {
    const std::uint32_t id = (record.event - kFirstClass) / kEvents;
    if (record.event >= kFirstClass && id < seen.size() && !kById[id].empty()) ++seen[id];
  }
  const auto most = std::max_element(seen.begin(), seen.end());
  return *most == 0 ? "credit2" : kById[static_cast<std::size_t>(most - seen.begin())];
}

std::string name_in_scenario(TracedVcpu vcpu) {
  return "d" + std::to_string(vcpu.domain) + "/" + std::to_string(vcpu.vcpu);
}

json::Node scenario_of(const TracedSystem& system, std::string_view scheduler, const std::string& title) {
  std::map<std::uint16_t, std::vector<const TracedActivity*>> domains;
  Node interrupts = Node::array();
  for (const TracedActivity& activity : system.vcpus) {
    auto& vcpus = domains[activity.vcpu.domain];
    vcpus.resize(std::max<std::size_t>(vcpus.size(), activity.vcpu.vcpu + std::size_t{1}));
    vcpus[activity.vcpu.vcpu] = &activity;
    if (sleeps(activity, system.span_ns)) interrupts.push_back(wakes(activity));
  }
  Node all = Node::array();
  for (const auto& [number, vcpus] : domains) all.push_back(domain_of(number, vcpus, system));
  return Node::object({{"schema", text("vecusim/scenario/1")},
                       {"title", text(title)},
                       {"board", Node::object({{"model", text("pi4")}, {"clock_mhz", Node::integer(kClockMhz)}})},
                       {"costs", Node::array({text("pi4"), text("xen-arm")})},
                       {"hypervisor", Node::object({{"model", text("xen")},
                                                    {"scheduler", Node::object({{"model", text(scheduler)}})}})},
                       {"domains", std::move(all)},
                       {"interrupts", std::move(interrupts)},
                       {"run", Node::object({{"measure_ms", Node::number(json::print_decimal(system.span_ns, -6))}})}});
}

}  // namespace vecusim
