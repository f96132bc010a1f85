// A policy on the ideal machine, moved by hand: what happens at which moment, and the decisions as text.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "schedulers/catalogue.hpp"
#include "system/golden_machine.hpp"

namespace vecusim::test {

constexpr UnitId unit_id(int number) { return static_cast<UnitId>(number); }
constexpr PcpuId pcpu_id(int number) { return static_cast<PcpuId>(number); }

class PolicyBench : private golden::PassObserver {
 public:
  PolicyBench(std::unique_ptr<Policy> policy, std::size_t pcpus) : machine_(std::move(policy), pcpus, *this) {
    machine_.add_pcpus();
    machine_.settle();
    log_.clear();
  }
  /// A policy of the catalogue with its defaults, on the machine that Arm describes.
  PolicyBench(std::string_view policy, std::size_t pcpus, std::string_view version = kDefaultXenVersion)
      : PolicyBench(make(policy, pcpus, version), pcpus) {}

  SchedCore& core() { return machine_.core(); }
  golden::IdealMachine& machine() { return machine_; }
  Moment moment() const { return machine_.moment(); }
  const Policy& policy() const { return machine_.policy(); }
  HookContext context() const { return machine_.core().context(moment()); }

  DomainId domain() { return core().add_domain(moment()); }
  UnitId unit(DomainId domain, int pcpu = 0, PcpuMask hard = PcpuMask::first_n(PcpuMask::kMaxPcpus)) {
    return core().add_unit(moment(), {domain, pcpu_id(pcpu), true}, hard);
  }

  /// Everything that is due until then, and at it.
  void until(HvTime at) {
    machine_.settle();
    while (machine_.queue().next() <= golden::to_time(at)) {
      machine_.queue().step();
      machine_.settle();
    }
    machine_.queue().run_until(golden::to_time(at));
    machine_.executes_on(PcpuId{0});
  }

  /// An event: what it does, then the passes that it asks for.
  void event(const std::function<void()>& what) {
    machine_.executes_on(PcpuId{0});
    what();
    machine_.settle();
  }
  /// An event at a later moment, in its place among all that is due then: behind what is armed already.
  void at(HvTime when, std::function<void()> what) {
    planned_.emplace_back(machine_.queue(), std::move(what)).timer.arm_at(golden::to_time(when));
  }

  void come_up(UnitId unit) {
    event([&] { core().come_up(moment(), unit); });
  }
  void block(UnitId unit) {
    event([&] { core().block(moment(), unit); });
  }
  void unblock(UnitId unit) {
    event([&] { core().unblock(moment(), unit); });
  }
  void pause(UnitId unit) {
    event([&] { core().pause(moment(), unit); });
  }
  void unpause(UnitId unit) {
    event([&] { core().unpause(moment(), unit); });
  }
  void set_hard_affinity(UnitId unit, PcpuMask mask) {
    event([&] { core().set_affinity(moment(), unit, mask, std::nullopt); });
  }
  void set_soft_affinity(UnitId unit, PcpuMask mask) {
    event([&] { core().set_affinity(moment(), unit, std::nullopt, mask); });
  }
  void poke(int pcpu) {
    event([&] { machine_.request_pass(pcpu_id(pcpu)); });
  }

  /// The decisions since the last call, each as "TIME_US pPCPU PREVIOUS>NEXT SLICE_US".
  std::vector<std::string> log() { return std::exchange(log_, {}); }
  void set_logging(bool on) { logging_ = on; }
  UnitId running_on(int pcpu) const { return machine_.core().state().current_of(pcpu_id(pcpu)); }

  static std::unique_ptr<Policy> make(std::string_view name, std::size_t pcpus, std::string_view version) {
    const PolicyEntry* const entry = find_policy(name);
    return entry->make(*entry->config(), arm_machine(pcpus, resolve_version(version).behaviour));
  }

 protected:
  void decided(PcpuId pcpu, UnitId previous, const Decision& decision) override {
    if (!logging_) return;
    std::ostringstream line;
    line << us(machine_.now()) << " p" << index(pcpu) << ' ' << name(previous) << '>' << name(decision.unit) << ' '
         << (decision.slice == kNoSlice ? std::string("-") : us(decision.slice));
    log_.push_back(line.str());
  }
  void switched(PcpuId, UnitId, UnitId) override {}

 private:
  struct Planned {
    Planned(EventQueue& queue, std::function<void()> action)
        : what(std::move(action)), timer(queue, Delegate<void()>::to<&Planned::fire>(*this)) {}
    void fire() { what(); }

    std::function<void()> what;
    Timer timer;
  };

  static std::string us(HvTime time) {
    std::ostringstream text;
    text << static_cast<double>(time.count()) / 1000.0;
    return text.str();
  }
  static std::string name(UnitId unit) { return unit == kIdle ? "idle" : 'u' + std::to_string(index(unit)); }

  golden::IdealMachine machine_;
  std::list<Planned> planned_;
  std::vector<std::string> log_;
  bool logging_ = true;
};

using Log = std::vector<std::string>;

}  // namespace vecusim::test
