// Changes of runstate, put together.
#include "analysis/trace_episodes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace vecusim {

namespace {

void add_sorted(std::vector<std::uint16_t>& numbers, std::uint16_t number) {
  const auto place = std::lower_bound(numbers.begin(), numbers.end(), number);
  if (place == numbers.end() || *place != number) numbers.insert(place, number);
}

/// One vCPU on its way through the trace. A vCPU that goes offline is parked by its cap, or paused: it would still run.
class Follower {
 public:
  Follower(TracedActivity& activity, const RunstateChange& first) : activity_(activity) {
    if (first.from == Runstate::blocked) return;
    activity_.episodes.push_back({.woke_ns = 0, .seen_to_wake = false});
    if (first.from == Runstate::running) runs(0);
  }

  void change(const RunstateChange& change, std::int64_t now, std::uint16_t pcpu) {
    if (running_since_) stops(now);
    if (change.to == Runstate::running) {
      if (!awake()) activity_.episodes.push_back({.woke_ns = now});
      runs(now);
      add_sorted(activity_.pcpus, pcpu);
    } else if (change.to == Runstate::runnable) {
      if (!awake()) activity_.episodes.push_back({.woke_ns = now});
    } else if (change.to == Runstate::blocked && awake()) {
      activity_.episodes.back().blocked_ns = now;
    }
  }

  void end(std::int64_t now) {
    if (running_since_) stops(now);
  }

 private:
  bool awake() const { return !activity_.episodes.empty() && !activity_.episodes.back().blocked_ns; }
  void runs(std::int64_t now) {
    Episode& episode = activity_.episodes.back();
    if (!episode.waited_ns) episode.waited_ns = now - episode.woke_ns;
    running_since_ = now;
  }
  void stops(std::int64_t now) {
    activity_.episodes.back().ran_ns += now - *running_since_;
    running_since_.reset();
  }

  TracedActivity& activity_;
  std::optional<std::int64_t> running_since_;
};

}  // namespace

std::int64_t TracedActivity::ran_ns() const {
  std::int64_t sum = 0;
  for (const Episode& episode : episodes) sum += episode.ran_ns;
  return sum;
}

TracedSystem episodes_of(const Xentrace& trace, double counter_hz) {
  TracedSystem system;
  if (trace.records.empty()) return system;
  const std::uint64_t begin = trace.records.front().ticks;
  const auto time_of = [&](const XentraceRecord& record) {
    return static_cast<std::int64_t>(std::llround(static_cast<double>(record.ticks - begin) * 1e9 / counter_hz));
  };
  std::map<TracedVcpu, TracedActivity> activities;
  std::map<TracedVcpu, Follower> followers;
  for (const XentraceRecord& record : trace.records) {
    const auto change = runstate_change(record);
    if (!change || change->vcpu.idle()) continue;
    TracedActivity& activity = activities[change->vcpu];
    activity.vcpu = change->vcpu;
    auto follower = followers.find(change->vcpu);
    if (follower == followers.end()) follower = followers.try_emplace(change->vcpu, activity, *change).first;
    follower->second.change(*change, time_of(record), record.pcpu);
    if (change->from == Runstate::running) add_sorted(activity.pcpus, record.pcpu);
  }
  system.span_ns = time_of(trace.records.back());
  system.pcpus = trace.pcpus;
  for (auto& [vcpu, follower] : followers) follower.end(system.span_ns);
  for (auto& [vcpu, activity] : activities) system.vcpus.push_back(std::move(activity));
  return system;
}

}  // namespace vecusim
