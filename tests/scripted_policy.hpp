// A policy that writes down which hook it was called by, on which pCPU, and decides what the test says.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "schedulers/catalogue.hpp"

namespace vecusim::test {

/// What the test and the policy share.
struct Script {
  std::vector<std::string> calls;
  /// Called in each pass.
  std::function<Decision(const HookContext&, UnitId previous, Verdict&)> schedule = [](const HookContext&, UnitId,
                                                                                       Verdict&) { return Decision{}; };
  /// Called in each wake.
  std::function<void(const HookContext&, UnitId, Verdict&)> wake = [](const HookContext&, UnitId, Verdict&) {};
  std::vector<TimerInfo> timers;
};

class ScriptedPolicy final : public Policy {
 public:
  struct Config final : ConfigOf<Config> {
    Script* script = nullptr;
    void fields(FieldVisitor&) override {}
  };

  explicit ScriptedPolicy(Script& script) : script_(script) {}
  ScriptedPolicy(const Config& config, const MachineDescription&) : script_(*config.script) {}

  void add_pcpu(const HookContext&, PcpuId, Verdict&) override {}
  void insert(const HookContext&, UnitId unit, const UnitSpec& spec, Verdict&) override {
    if (pcpu_.size() <= index(unit)) pcpu_.resize(index(unit) + 1);
    pcpu_[index(unit)] = spec.pcpu;
  }
  void remove(const HookContext&, UnitId, Verdict&) override {}
  void wake(const HookContext& context, UnitId unit, Verdict& verdict) override {
    note("wake", context, unit);
    script_.wake(context, unit, verdict);
  }
  void sleep(const HookContext& context, UnitId unit, Verdict&) override { note("sleep", context, unit); }
  void yield(const HookContext& context, UnitId unit, Verdict&) override { note("yield", context, unit); }
  Decision schedule(const HookContext& context, UnitId previous, Verdict& verdict) override {
    note("schedule", context, previous);
    const Decision decision = script_.schedule(context, previous, verdict);
    if (decision.unit != kIdle) pcpu_[index(decision.unit)] = context.pcpu;
    return decision;
  }
  void context_saved(const HookContext& context, UnitId unit, Verdict&) override {
    note(context.machine[unit].running ? "context_saved (running)" : "context_saved", context, unit);
  }
  PcpuId pick(const HookContext& context, UnitId unit) override {
    note("pick", context, unit);
    return context.machine[unit].hard.first();
  }
  void migrate(const HookContext& context, UnitId unit, PcpuId to, Verdict&) override {
    note("migrate", context, unit);
    pcpu_[index(unit)] = to;
  }
  void timer(const HookContext& context, TimerId timer, Verdict&) override {
    script_.calls.push_back("timer " + std::to_string(index(timer)) + " on p" + std::to_string(index(context.pcpu)));
  }
  PcpuId pcpu_of(UnitId unit) const override { return pcpu_[index(unit)]; }
  std::span<const TimerInfo> timers() const override { return script_.timers; }
  Hold held(const HookContext&, UnitId) const override { return {}; }
  Figures figures(UnitId) const override { return {}; }

 private:
  void note(const std::string& hook, const HookContext& context, UnitId unit) {
    script_.calls.push_back(hook + (unit == kIdle ? " idle" : " u" + std::to_string(index(unit))) + " on p" +
                            std::to_string(index(context.pcpu)));
  }

  Script& script_;
  std::vector<PcpuId> pcpu_;
};

}  // namespace vecusim::test
