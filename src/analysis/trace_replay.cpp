// Recorded wakes and work on the ideal machine of the golden traces, wake by wake beside what was recorded.
#include "analysis/trace_replay.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "analysis/text_layout.hpp"
#include "hypervisors/xen_config.hpp"
#include "system/golden_case_replay.hpp"
#include "system/json_pointer.hpp"

namespace vecusim {

namespace {

/// Passes, switches and the tracing itself take time in a recording: a wait up to this is none.
constexpr std::int64_t kAtOnceNs = 50'000;
/// Within the same stretch of the rate limit, and no longer a different decision.
constexpr std::int64_t kSameNs = 100'000;

// ---- Who ran where, when ----

struct Stint {
  std::int64_t from_ns;
  std::string vcpu;
};

/// By pCPU, each by time; an empty name is idle.
class Stints {
 public:
  void begin(std::uint16_t pcpu, std::int64_t now, std::string vcpu) {
    stints_[pcpu].push_back({now, std::move(vcpu)});
  }
  /// Who runs there just before a moment.
  const Stint* at(std::uint16_t pcpu, std::int64_t now) const {
    const auto found = stints_.find(pcpu);
    if (found == stints_.end()) return nullptr;
    const auto after = std::lower_bound(found->second.begin(), found->second.end(), now,
                                        [](const Stint& stint, std::int64_t time) { return stint.from_ns < time; });
    return after == found->second.begin() ? nullptr : &*std::prev(after);
  }

 private:
  std::map<std::uint16_t, std::vector<Stint>> stints_;
};

WakeOutcome outcome(const Stints& stints, std::uint16_t pcpu, std::int64_t now, std::int64_t waited) {
  const Stint* const runner = stints.at(pcpu, now);
  if (runner == nullptr || runner->vcpu.empty()) return {waited, 0, {}};
  return {waited, now - runner->from_ns, runner->vcpu};
}

/// A wake, and the pCPU on which it was answered.
struct Wake {
  std::int64_t at_ns;
  std::int64_t waited_ns;
  std::uint16_t pcpu;
};
using Wakes = std::map<std::string, std::vector<Wake>>;

// ---- What was recorded ----

struct Recording {
  Stints stints;
  Wakes wakes;
};

// A wake with which the trace begins has nothing before it that could have been decided.
Recording recording_of(const Xentrace& trace, double counter_hz) {
  Recording recording;
  std::map<TracedVcpu, std::int64_t> woken;
  const std::uint64_t begin = trace.records.empty() ? 0 : trace.records.front().ticks;
  for (const XentraceRecord& record : trace.records) {
    const auto change = runstate_change(record);
    if (!change) continue;
    const auto now = std::llround(static_cast<double>(record.ticks - begin) * 1e9 / counter_hz);
    const std::string name = change->vcpu.idle() ? std::string() : to_text(change->vcpu);
    if (change->to == Runstate::running) {
      recording.stints.begin(record.pcpu, now, name);
      const auto wake = woken.find(change->vcpu);
      if (wake == woken.end() || name.empty()) continue;
      recording.wakes[name].push_back({wake->second, now - wake->second, record.pcpu});
      woken.erase(wake);
    } else if (change->from == Runstate::blocked && change->to == Runstate::runnable && now > 0) {
      woken[change->vcpu] = now;
    }
  }
  return recording;
}

// ---- The replay ----

golden::Vcpu workload_of(const TracedActivity& activity) {
  golden::Vcpu vcpu;
  vcpu.name = to_text(activity.vcpu);
  for (const Episode& episode : activity.episodes) {
    if (episode.woke_ns > 0) vcpu.workload.steps.emplace_back(golden::BlockUntil{HvTime{episode.woke_ns}});
    vcpu.workload.steps.emplace_back(golden::Run{HvTime{episode.ran_ns}});
  }
  vcpu.workload.steps.emplace_back(golden::WaitForEvent{});
  return vcpu;
}

HvTime whole_ns(Duration time) { return std::chrono::duration_cast<HvTime>(time); }

const DomainConfig& config_of(const LoadedScenario& loaded, const std::string& name) {
  const std::vector<DomainConfig>& domains = loaded.scenario.domains;
  const auto found = std::find_if(domains.begin(), domains.end(), [&](const auto& d) { return d.name == name; });
  if (found != domains.end()) return *found;
  throw InvalidInput(Problem{loaded.document.place, "/domains", "the domain \"" + name + "\" of the recorded trace",
                             "none of that name"});
}

golden::Case case_of(const TracedSystem& system, const LoadedScenario& loaded, const XenConfig& xen) {
  golden::Case made;
  made.file = loaded.name;
  made.policy = &xen.scheduler.entry();
  made.config = xen.scheduler.config().clone();
  const std::size_t pcpus = system.pcpus.empty() ? 1 : system.pcpus.back() + std::size_t{1};
  made.pcpus = arm_machine(pcpus, resolve_version(xen.version).behaviour).pcpus;
  made.duration = HvTime{system.span_ns};
  std::optional<std::uint16_t> number;
  for (const TracedActivity& activity : system.vcpus) {
    const DomainConfig& config = config_of(loaded, "d" + std::to_string(activity.vcpu.domain));
    if (number != activity.vcpu.domain) {
      number = activity.vcpu.domain;
      golden::Domain& domain = made.domains.emplace_back();
      if (config.weight) domain.weight = static_cast<std::int32_t>(*config.weight);
      if (config.cap_pct) domain.cap_pct = static_cast<std::int32_t>(*config.cap_pct);
    }
    golden::Vcpu vcpu = workload_of(activity);
    if (config.budget && config.period) {
      vcpu.server = ServerParameters{};
      vcpu.server->period = whole_ns(*config.period);
      vcpu.server->budget = whole_ns(*config.budget);
      vcpu.server->extratime = config.extratime;
    }
    PcpuMask mask;
    for (const std::uint16_t pcpu : activity.pcpus) mask.insert(static_cast<PcpuId>(pcpu));
    if (!activity.pcpus.empty()) vcpu.affinity = mask;
    made.domains.back().vcpus.push_back(std::move(vcpu));
  }
  return made;
}

/// What follows `key` in a line of a golden trace, up to the next separator.
std::string_view value_of(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = line.substr(at + key.size());
  return rest.substr(0, rest.find_first_of(",\"}"));
}

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Keeps of a golden trace who woke, and who ran where.
class ReplaySink final : public golden::LineSink {
 public:
  bool line(std::string_view text) override {
    const std::int64_t now = number_of(value_of(text, "{\"t\":"));
    if (value_of(text, "\"ev\":\"") == "wake") woken_[std::string(value_of(text, "\"v\":\""))] = now;
    const std::string next(value_of(text, "\"next\":\""));
    if (next.empty() || next == value_of(text, "\"prev\":\"")) return true;
    const auto pcpu = static_cast<std::uint16_t>(number_of(value_of(text, "\"cpu\":")));
    recording.stints.begin(pcpu, now, next == "idle" ? std::string() : next);
    const auto wake = woken_.find(next);
    if (wake == woken_.end()) return true;
    recording.wakes[next].push_back({wake->second, now - wake->second, pcpu});
    woken_.erase(wake);
    return true;
  }

  Recording recording;

 private:
  std::map<std::string, std::int64_t> woken_;
};

// ---- Beside each other ----

WakeDifference difference_of(const WakeOutcome& recorded, const WakeOutcome& replayed, std::int64_t ratelimit) {
  const bool held = recorded.waited_ns > kAtOnceNs;
  if (held != (replayed.waited_ns > kAtOnceNs)) {
    if ((recorded.stint_ns < ratelimit) == (replayed.stint_ns < ratelimit)) return WakeDifference::credits;
    return std::abs(recorded.stint_ns - replayed.stint_ns) <= kSameNs ? WakeDifference::edge : WakeDifference::stint;
  }
  const bool same = std::abs(recorded.waited_ns - replayed.waited_ns) <= kSameNs;
  return !held || same ? WakeDifference::none : WakeDifference::held_longer;
}

std::int64_t ratelimit_of(const LoadedScenario& loaded, std::string_view scheduler) {
  constexpr std::int64_t kDefaultUs = 1000;
  if (scheduler != "credit2" && scheduler != "credit") return 0;
  const json::Node* const given = json::find(loaded.document, "/hypervisor/scheduler/ratelimit_us");
  return (given == nullptr ? kDefaultUs : given->as_int64().value_or(kDefaultUs)) * 1000;
}

}  // namespace

std::array<std::size_t, kWakeDifferences> TraceReplay::counts() const {
  std::array<std::size_t, kWakeDifferences> all{};
  for (const ReplayedWake& wake : wakes) ++all[static_cast<std::size_t>(wake.difference)];
  return all;
}

TraceReplay replay(const Xentrace& trace, double counter_hz, const LoadedScenario& loaded) {
  const auto* const xen = dynamic_cast<const XenConfig*>(&loaded.scenario.hypervisor.model.config());
  if (xen == nullptr || !xen->cpupools.empty()) {
    throw InvalidInput(
        Problem{loaded.document.place, "/hypervisor", "Xen with one cpupool, as in the trace", "something else"});
  }
  TraceReplay result;
  result.scheduler = xen->scheduler.name();
  result.ratelimit_ns = ratelimit_of(loaded, result.scheduler);
  const Recording recorded = recording_of(trace, counter_hz);
  const TracedSystem system = episodes_of(trace, counter_hz);
  ReplaySink sink;
  golden::replay_case(case_of(system, loaded, *xen))->run(sink);
  for (const TracedActivity& activity : system.vcpus) {
    const std::string name = to_text(activity.vcpu);
    const auto wakes = recorded.wakes.find(name);
    if (wakes == recorded.wakes.end()) continue;
    const std::vector<Wake>& replayed = sink.recording.wakes[name];
    for (const Wake& wake : wakes->second) {
      ReplayedWake& both = result.wakes.emplace_back();
      both.vcpu = activity.vcpu;
      both.at_ns = wake.at_ns;
      both.recorded = outcome(recorded.stints, wake.pcpu, wake.at_ns, wake.waited_ns);
      const auto same =
          std::find_if(replayed.begin(), replayed.end(), [&](const Wake& w) { return w.at_ns == wake.at_ns; });
      if (same == replayed.end()) {
        both.difference = WakeDifference::merged;
        continue;
      }
      both.replayed = outcome(sink.recording.stints, same->pcpu, same->at_ns, same->waited_ns);
      both.difference = difference_of(both.recorded, both.replayed, result.ratelimit_ns);
    }
  }
  std::stable_sort(result.wakes.begin(), result.wakes.end(),
                   [](const ReplayedWake& a, const ReplayedWake& b) { return a.at_ns < b.at_ns; });
  return result;
}

// ---- Text ----

namespace {

std::string us(std::int64_t ns) { return four_digits(static_cast<double>(ns) * 1e-3) + " µs"; }

std::string of(const WakeOutcome& outcome) {
  std::string text = "waited " + us(outcome.waited_ns);
  if (!outcome.runner.empty()) text += ", " + outcome.runner + " had run " + us(outcome.stint_ns);
  return text;
}

constexpr std::array<std::string_view, kWakeDifferences> kExplanations = {
    "decided alike",
    "the vCPU is still awake in the replay: it got the pCPU later there, so it blocks later",
    "one held, one not: the wake came at the edge of the rate limit, and what tracing, passes and switches took in the "
    "recording puts the runner on its other side",
    "one held, one not: the runner had begun at another time, because an earlier decision differed",
    "one held, one not, and no rate limit tells them apart: credits, budgets or slots decided, and those with which "
    "the "
    "trace begins are not in it",
    "held in both, but not as long: the runner's slice, or what was left of its credits, was another one",
};

}  // namespace

std::string to_text(const TraceReplay& replayed) {
  const auto counts = replayed.counts();
  std::string text = std::to_string(replayed.wakes.size()) + " wakes replayed with " + replayed.scheduler;
  if (replayed.ratelimit_ns > 0) text += ", rate limit " + us(replayed.ratelimit_ns);
  text += ": " + std::to_string(counts[0]) + " decided alike\n";
  for (std::size_t kind = 1; kind < kWakeDifferences; ++kind) {
    if (counts[kind] == 0) continue;
    text += "\n" + flush_right(std::to_string(counts[kind]), 5) + "  " + wrapped(kExplanations[kind], 80, 7, 7) + "\n";
    const auto first = std::find_if(replayed.wakes.begin(), replayed.wakes.end(), [&](const ReplayedWake& wake) {
      return static_cast<std::size_t>(wake.difference) == kind;
    });
    text += "       first: " + to_text(first->vcpu) + " at " + us(first->at_ns) + "\n";
    text += "         recorded: " + of(first->recorded) + "\n";
    if (first->difference != WakeDifference::merged) text += "         replayed: " + of(first->replayed) + "\n";
  }
  return text;
}

}  // namespace vecusim
