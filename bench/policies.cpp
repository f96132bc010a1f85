// How fast policies decide, beside what one event of the queue costs in the same run.
//
// A closed loop on four pCPUs drives a policy as a hypervisor does, hook by hook, but through no event queue: at every
// step of 20 us of simulated time one pCPU makes a pass, at which the running unit has blocked or not; every third step
// a blocked unit wakes; timers and slices that are due, and whatever the policy asks for, are served. What is counted
// is decisions; each carries its share of wake-ups, switches and timers. 200 ns are five million decisions per second.
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/event_queue.hpp"
#include "harness.hpp"
#include "schedulers/catalogue.hpp"

namespace vecusim::bench {
namespace {

constexpr std::size_t kPcpus = 4;
constexpr HvTime kStep = 20us;

/// A fixed sequence of numbers that look random.
class Numbers {
 public:
  std::uint32_t below(std::uint32_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(((state_ >> 32) * n) >> 32);
  }

 private:
  std::uint64_t state_ = 0x2545f4914f6cdd1d;
};

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

/// A policy in its closed loop.
class PolicyLoop {
 public:
  PolicyLoop(const PolicyEntry& entry, std::size_t units)
      : policy_(entry.make(*entry.config(), arm_machine(kPcpus, resolve_version(kDefaultXenVersion).behaviour))),
        units_(units) {
    state_.current.assign(kPcpus, kIdle);
    verdict_.reserve(kPcpus, units);
    slice_end_.fill(HvTime::max());
    for (std::size_t p = 0; p < kPcpus; ++p) {
      policy_->add_pcpu(context(PcpuId{}), static_cast<PcpuId>(p), verdict_);
      carry_out();
    }
    for (std::size_t u = 0; u < units; ++u) insert(static_cast<UnitId>(u));
    set_slots(units);
    for (std::size_t u = 0; u < units; ++u) wake(static_cast<UnitId>(u));
  }

  void run(std::uint64_t decisions) {
    const std::uint64_t end = decisions_ + decisions;
    while (decisions_ < end) step();
    keep(state_);
  }

 private:
  struct Flags {
    bool blocked = true;
    bool held = false;
    bool migrating = false;
  };

  HookContext context(PcpuId executing) const { return {now_, executing, state_}; }

  /// One vCPU in each domain; as in a common set-up, every domain has the default weight and no cap.
  void insert(UnitId unit) {
    const auto domain = static_cast<DomainId>(index(unit));
    const PcpuMask all = PcpuMask::first_n(kPcpus);
    policy_->new_domain(context(PcpuId{}), domain, verdict_);
    carry_out();
    state_.units.push_back({false, false, false, now_, all, all});
    policy_->insert(context(PcpuId{}), unit, {domain, static_cast<PcpuId>(index(unit) % kPcpus), true}, verdict_);
    carry_out();
  }

  /// For ARINC653: a slot for each unit.
  void set_slots(std::size_t units) {
    SlotTable table{static_cast<std::int64_t>(units) * 100us, {}};
    for (std::size_t u = 0; u < units; ++u) table.slots.push_back({static_cast<UnitId>(u), 100us});
    policy_->set_table(context(PcpuId{}), table);
  }

  void step() {
    now_ += kStep;
    for (std::size_t t = 0; t < due_.size(); ++t) {
      if (due_[t] > now_) continue;
      due_[t] = HvTime::max();
      policy_->timer(context(policy_->timers()[t].pcpu), static_cast<TimerId>(t), verdict_);
      carry_out();
    }
    for (std::size_t p = 0; p < kPcpus; ++p) {
      if (slice_end_[p] <= now_) pending_.insert(static_cast<PcpuId>(p));
    }
    const auto pcpu = static_cast<PcpuId>(++steps_ % kPcpus);
    const UnitId running = state_.current_of(pcpu);
    if (running != kIdle && numbers_.below(4) == 0) {
      flags_of(running).blocked = true;
      show(running);
    }
    pending_.insert(pcpu);
    if (numbers_.below(3) == 0) wake(static_cast<UnitId>(numbers_.below(static_cast<std::uint32_t>(units_.size()))));
    serve();
  }

  void wake(UnitId unit) {
    Flags& flags = flags_of(unit);
    if (!flags.blocked) return;
    flags.blocked = false;
    state_.units[index(unit)].online = true;
    show(unit);
    if (!runnable(unit)) return;
    policy_->wake(context(policy_->pcpu_of(unit)), unit, verdict_);
    carry_out();
  }

  void serve() {
    while (!pending_.empty()) {
      const PcpuId pcpu = pending_.first();
      pending_.erase(pcpu);
      pass(pcpu);
    }
  }

  void pass(PcpuId pcpu) {
    const UnitId previous = state_.current_of(pcpu);
    const Decision decision = policy_->schedule(context(pcpu), previous, verdict_);
    ++decisions_;
    carry_out();
    slice_end_[index(pcpu)] = decision.slice < HvTime{0} ? HvTime::max() : now_ + decision.slice;
    if (decision.unit == previous) return;
    state_.current[index(pcpu)] = decision.unit;
    if (decision.unit != kIdle) {
      state_.units[index(decision.unit)].running = true;
      state_.units[index(decision.unit)].entry_time = now_;
    }
    if (previous == kIdle) return;
    state_.units[index(previous)].running = false;
    state_.units[index(previous)].entry_time = now_;
    policy_->context_saved(context(pcpu), previous, verdict_);
    carry_out();
    if (flags_of(previous).migrating) finish_migration(pcpu, previous);
  }

  void finish_migration(PcpuId executing, UnitId unit) {
    const PcpuId to = policy_->pick(context(executing), unit);
    flags_of(unit).migrating = false;
    show(unit);
    policy_->migrate(context(executing), unit, to, verdict_);
    carry_out();
    if (!runnable(unit)) return;
    policy_->wake(context(executing), unit, verdict_);
    carry_out();
  }

  bool runnable(UnitId unit) const { return state_[unit].runnable && !units_[index(unit)].held; }
  Flags& flags_of(UnitId unit) { return units_[index(unit)]; }
  void show(UnitId unit) { state_.units[index(unit)].runnable = !flags_of(unit).blocked && !flags_of(unit).migrating; }

  void carry_out() {
    for (const Request& request : verdict_.requests()) {
      std::visit(Overloaded{
                     [&](Tickle r) { pending_.insert(r.pcpu); },
                     [&](Arm r) { due(r.timer) = r.at; },
                     [&](Cancel r) { due(r.timer) = HvTime::max(); },
                     [&](Park r) { flags_of(r.unit).held = true; },
                     [&](Unpark r) { flags_of(r.unit).held = false; },
                     [&](Pause r) { flags_of(r.unit).held = true; },
                     [&](Unpause r) { flags_of(r.unit).held = false; },
                     [&](Migrate r) {
                       flags_of(r.unit).migrating = true;
                       show(r.unit);
                     },
                 },
                 request);
    }
    verdict_.clear();
  }

  HvTime& due(TimerId timer) {
    if (due_.size() <= index(timer)) due_.resize(index(timer) + 1, HvTime::max());
    return due_[index(timer)];
  }

  std::unique_ptr<Policy> policy_;
  MachineState state_;
  std::vector<Flags> units_;
  std::vector<HvTime> due_;
  std::array<HvTime, kPcpus> slice_end_{};
  PcpuMask pending_;
  Verdict verdict_;
  Numbers numbers_;
  HvTime now_{};
  std::uint64_t steps_ = 0;
  std::uint64_t decisions_ = 0;
};

/// Timers that set themselves again when they fire.
class QueueLoop {
 public:
  explicit QueueLoop(std::size_t timers) {
    for (std::size_t t = 0; t < timers; ++t) rings_.emplace_back(*this).fire();
  }
  void run(std::uint64_t events) {
    for (; events != 0; --events) queue_.step();
    keep(queue_);
  }

 private:
  struct Ring {
    explicit Ring(QueueLoop& owner) : loop(owner), timer(owner.queue_, Delegate<void()>::to<&Ring::fire>(*this)) {}
    void fire() { timer.arm_in(1us * (1 + loop.numbers_.below(2000))); }
    QueueLoop& loop;
    Timer timer;
  };

  EventQueue queue_;
  Numbers numbers_;
  std::deque<Ring> rings_;
};

Comparison comparison_of(std::size_t units) {
  const std::size_t timers = units + 2 * kPcpus;
  Comparison comparison{std::to_string(units) + " units, 4 pCPUs", {}};
  comparison.contenders.push_back({"(queue: one event)", [loop = std::make_shared<QueueLoop>(timers)](
                                                             std::uint64_t events) { loop->run(events); }});
  for (const PolicyEntry& entry : policies()) {
    comparison.contenders.push_back(
        {std::string(entry.option.name),
         [loop = std::make_shared<PolicyLoop>(entry, units)](std::uint64_t decisions) { loop->run(decisions); }});
  }
  return comparison;
}

}  // namespace
}  // namespace vecusim::bench

int main() {
  using namespace vecusim::bench;
  constexpr std::uint64_t kDecisions = 200'000;
  print_header();
  for (const std::size_t units : {8, 64}) compare(comparison_of(units), kDecisions);
}
