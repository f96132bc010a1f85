// Runstates followed through a trace.
#include "analysis/xentrace_summary.hpp"

#include <optional>

namespace vecusim {
namespace {

struct Followed {
  TracedVcpuTimes times;
  std::optional<Runstate> state = {};
  std::uint64_t since = 0;
  /// What made it runnable.
  std::optional<Runstate> before = {};
};

void follow(Followed& vcpu, const RunstateChange& change, std::uint64_t ticks) {
  // A change from another state than the last one went to: something is missing between.
  const bool whole = vcpu.state == change.from && ticks >= vcpu.since;
  if (whole) {
    const std::uint64_t length = ticks - vcpu.since;
    vcpu.times.total.at(static_cast<std::size_t>(change.from)) += length;
    if (change.from == Runstate::running) vcpu.times.runs.push_back(length);
    if (change.from == Runstate::runnable && change.to == Runstate::running) {
      if (vcpu.before == Runstate::blocked) vcpu.times.wake_waits.push_back(length);
      if (vcpu.before == Runstate::running) vcpu.times.preempted_waits.push_back(length);
    }
  }
  vcpu.before = change.from;
  vcpu.state = change.to;
  vcpu.since = ticks;
}

}  // namespace

XentraceSummary summarize(const Xentrace& trace) {
  XentraceSummary summary;
  std::map<TracedVcpu, Followed> vcpus;
  if (!trace.records.empty()) {
    summary.first_ticks = trace.records.front().ticks;
    summary.last_ticks = trace.records.back().ticks;
  }
  for (const XentraceRecord& record : trace.records) {
    switch (record.kind()) {
      case XenEvent::runstate_change:
        if (const auto change = runstate_change(record); change && !change->vcpu.idle()) {
          follow(vcpus[change->vcpu], *change, record.ticks);
        }
        break;
      case XenEvent::switched:
        ++summary.switches[record.pcpu];
        break;
      case XenEvent::wake:
        ++summary.wakes;
        break;
      case XenEvent::credit2_ratelimit:
        ++summary.ratelimits;
        break;
      default:
        break;
    }
  }
  for (auto& [vcpu, followed] : vcpus) {
    followed.times.vcpu = vcpu;
    summary.vcpus.push_back(std::move(followed.times));
  }
  return summary;
}

LatencyReading wake_latencies(const XentraceSummary& summary, double hz) {
  LatencyReading reading;
  reading.step = from_ps(1e12 / hz);
  for (const TracedVcpuTimes& vcpu : summary.vcpus) {
    if (vcpu.wake_waits.empty()) continue;
    LatencySeries& series = reading.series.emplace_back(LatencySeries{to_text(vcpu.vcpu)});
    for (const std::uint64_t ticks : vcpu.wake_waits) {
      series.counts.push_back({from_ps(static_cast<double>(ticks) * 1e12 / hz), 1});
    }
  }
  return reading;
}

}  // namespace vecusim
