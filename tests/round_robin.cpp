// Round robin: the template of a policy. Copy it, rename it, and list it in the catalogue; this one is for tests only.
#include "round_robin.hpp"

#include <algorithm>
#include <vector>

namespace vecusim {
namespace {

class RoundRobin final : public Policy {
 public:
  struct Config final : ConfigOf<Config> {
    Duration slice = 5ms;

    void fields(FieldVisitor& visit) override {
      visit.duration({"slice_us", "how long a unit runs before it goes to the end of the queue"}, slice,
                     whole(1us, 1s));
    }
  };

  RoundRobin(const Config& config, const MachineDescription&)
      : slice_(std::chrono::duration_cast<HvTime>(config.slice)) {}

  void add_pcpu(const HookContext&, PcpuId pcpu, Verdict&) override { pool_.insert(pcpu); }

  void insert(const HookContext&, UnitId unit, const UnitSpec& spec, Verdict&) override {
    if (pcpu_.size() <= index(unit)) pcpu_.resize(index(unit) + 1);
    queue_.reserve(pcpu_.size());
    pcpu_[index(unit)] = spec.pcpu;
  }

  void remove(const HookContext&, UnitId unit, Verdict&) override { std::erase(queue_, unit); }

  void wake(const HookContext& context, UnitId unit, Verdict& verdict) override {
    if (context.machine[unit].running || queued(unit)) return;
    enqueue(context, unit, verdict);
  }

  void sleep(const HookContext& context, UnitId unit, Verdict& verdict) override {
    if (context.machine.current_of(pcpu_of(unit)) == unit) verdict.tickle(pcpu_of(unit));
    std::erase(queue_, unit);
  }

  Decision schedule(const HookContext& context, UnitId previous, Verdict&) override {
    const auto first = std::find_if(queue_.begin(), queue_.end(),
                                    [&](UnitId unit) { return context.machine[unit].hard.contains(context.pcpu); });
    if (first == queue_.end()) {
      const bool stays = previous != kIdle && context.machine[previous].runnable;
      return {stays ? previous : kIdle, stays ? slice_ : kNoSlice, false};
    }
    const UnitId unit = *first;
    queue_.erase(first);
    const bool migrated = pcpu_of(unit) != context.pcpu;
    pcpu_[index(unit)] = context.pcpu;
    return {unit, slice_, migrated};
  }

  void context_saved(const HookContext& context, UnitId unit, Verdict& verdict) override {
    if (context.machine[unit].runnable) enqueue(context, unit, verdict);
  }

  PcpuId pick(const HookContext& context, UnitId unit) override {
    return (pool_ & context.machine[unit].hard).test_or_cycle(pcpu_of(unit));
  }
  void migrate(const HookContext&, UnitId unit, PcpuId to, Verdict&) override { pcpu_[index(unit)] = to; }

  PcpuId pcpu_of(UnitId unit) const override { return pcpu_[index(unit)]; }
  Hold held(const HookContext& context, UnitId unit) const override { return queued_hold(context, unit, pool_); }
  Figures figures(UnitId unit) const override {
    Figures figures;
    figures.add("queued", queued(unit) ? 1 : 0);
    return figures;
  }

 private:
  bool queued(UnitId unit) const { return std::find(queue_.begin(), queue_.end(), unit) != queue_.end(); }

  void enqueue(const HookContext& context, UnitId unit, Verdict& verdict) {
    queue_.push_back(unit);
    for (const PcpuId pcpu : pool_& context.machine[unit].hard) {
      if (context.machine.current_of(pcpu) == kIdle) return verdict.tickle(pcpu);
    }
  }

  const HvTime slice_;
  PcpuMask pool_;
  std::vector<PcpuId> pcpu_;
  /// Runnable units that do not run, in order of arrival.
  std::vector<UnitId> queue_;
};

}  // namespace

PolicyEntry policy_round_robin() {
  return entry_of<RoundRobin>({"round_robin", "equal slices in turn, over all pCPUs"}, "");
}

}  // namespace vecusim
