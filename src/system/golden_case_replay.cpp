// Workloads, interrupts and the trace of a golden case.
#include "system/golden_case_replay.hpp"

#include <array>
#include <deque>
#include <utility>

#include "system/golden_machine.hpp"
#include "system/golden_text.hpp"

namespace vecusim::golden {
namespace {

/// More steps and events than this at one instant, and the workloads will never let time pass.
constexpr std::size_t kMaxAtOnce = 1'000'000;

/// The figures that a decision line shows, in the order of its keys.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kShown = {{
    {"credit", "cr"},
    {"budget", "bud"},
    {"runqueue", "rq"},
    {"deadline", "dl"},
    {"level", "pl"},
    {"priority", "pri"},
}};

class CaseReplay final : public Replay, private PassObserver {
 public:
  explicit CaseReplay(Case golden_case)
      : case_(std::move(golden_case)),
        machine_(case_.policy->make(*case_.config, {case_.pcpus, resolve_version(kDefaultXenVersion).behaviour}),
                 case_.pcpus.size(), *this) {}

  void run(LineSink& sink) override {
    sink_ = &sink;
    set_up();
    arm_events();
    while (wanted_ && machine_.queue().next() < to_time(case_.duration)) {
      machine_.queue().step();
      count_step();
      machine_.settle();
    }
    if (wanted_) write_totals();
  }

  std::string describe(std::string_view unit) const override {
    for (const VcpuRun& vcpu : vcpus_) {
      if (vcpu.vcpu.name == unit) return describe_unit(machine_.core(), vcpu.unit);
    }
    return {};
  }

 private:
  /// One vCPU on its way through its workload.
  struct VcpuRun {
    VcpuRun(CaseReplay& owner, const Vcpu& what, UnitId id)
        : replay(owner),
          vcpu(what),
          unit(id),
          start(owner.machine_.queue(), Delegate<void()>::to<&VcpuRun::starts>(*this)),
          burst(owner.machine_.queue(), Delegate<void()>::to<&VcpuRun::burst_ends>(*this)),
          own_wake(owner.machine_.queue(), Delegate<void()>::to<&VcpuRun::wakes>(*this)) {}

    void starts() { replay.start(*this); }
    void burst_ends() { replay.advance(*this); }
    void wakes() {
      replay.machine_.executes_on(replay.machine_.policy().pcpu_of(unit));
      replay.send_event(*this);
    }

    /// The step that comes next; after the last one of a workload that does not repeat, an endless wait.
    Step take_step() {
      const Workload& workload = vcpu.workload;
      if (next_step == workload.steps.size() && workload.repeat) next_step = workload.prologue;
      return next_step == workload.steps.size() ? Step{WaitForEvent{}} : workload.steps[next_step++];
    }

    CaseReplay& replay;
    const Vcpu& vcpu;
    UnitId unit;
    Timer start;
    /// Armed while the vCPU runs: the end of its present `run`, or the moment to go on with its next step.
    Timer burst;
    Timer own_wake;
    std::size_t next_step = 0;
    /// While it does not run: what is left of its present `run`.
    Duration rest{};
    bool event_pending = false;
  };

  struct InterruptRun {
    InterruptRun(CaseReplay& owner, const ExternalInterrupt& what)
        : replay(owner),
          interrupt(what),
          timer(owner.machine_.queue(), Delegate<void()>::to<&InterruptRun::arrives>(*this)) {}
    void arrives() { replay.deliver(interrupt); }

    CaseReplay& replay;
    const ExternalInterrupt& interrupt;
    Timer timer;
  };

  // ---- Set-up ----

  void set_up() {
    machine_.add_pcpus();
    machine_.settle();
    for (const Domain& domain : case_.domains) add_domain(domain);
    if (case_.table && !machine_.core().set_table(machine_.moment(), *case_.table))
      refuse("an ARINC653 table that Xen accepts");
    machine_.settle();
  }

  void add_domain(const Domain& domain) {
    const DomainId id = machine_.core().add_domain(machine_.moment());
    const std::size_t first = vcpus_.size();
    const PcpuMask all = PcpuMask::first_n(machine_.core().pcpus());
    for (const Vcpu& vcpu : domain.vcpus) {
      const bool leads = vcpus_.size() == first;
      const PcpuId home = leads ? all.first() : all.cycle(machine_.policy().pcpu_of(vcpus_.back().unit));
      vcpus_.emplace_back(
          *this, vcpu,
          machine_.core().add_unit(machine_.moment(), {.domain = id, .pcpu = home, .home_queue_locked = true}, all));
    }
    for (std::size_t v = first; v < vcpus_.size(); ++v) {
      const VcpuRun& run = vcpus_[v];
      if (run.vcpu.affinity) machine_.core().set_affinity(machine_.moment(), run.unit, run.vcpu.affinity, std::nullopt);
    }
    if (domain.weight || domain.cap_pct) {
      if (!machine_.core().adjust_domain(machine_.moment(), id, {domain.weight, domain.cap_pct, std::nullopt}))
        refuse("a weight and cap that Xen accepts");
    }
    for (std::size_t v = first; v < vcpus_.size(); ++v) {
      const VcpuRun& run = vcpus_[v];
      if (run.vcpu.server && !machine_.core().adjust_unit(machine_.moment(), run.unit, *run.vcpu.server))
        refuse("RTDS parameters that Xen accepts");
    }
  }

  void arm_events() {
    for (VcpuRun& vcpu : vcpus_) vcpu.start.arm_at(to_time(vcpu.vcpu.start));
    for (const ExternalInterrupt& interrupt : case_.interrupts) {
      interrupts_.emplace_back(*this, interrupt).timer.arm_at(to_time(interrupt.at));
    }
  }

  [[noreturn]] void refuse(std::string expected) const {
    fail(case_.file, 0, std::move(expected),
         "one that scheduler " + std::string(case_.policy->option.name) + " refuses");
  }

  // ---- Events ----

  void start(VcpuRun& vcpu) {
    machine_.executes_on(machine_.policy().pcpu_of(vcpu.unit));
    write_event("start", vcpu);
    machine_.core().come_up(machine_.moment(), vcpu.unit);
  }

  void deliver(const ExternalInterrupt& interrupt) {
    machine_.executes_on(machine_.policy().pcpu_of(interrupt.targets.front()));
    for (const UnitId target : interrupt.targets) send_event(vcpus_[index(target)]);
  }

  void send_event(VcpuRun& vcpu) {
    if (!machine_.core().blocked(vcpu.unit)) {
      write_event("pend", vcpu);
      vcpu.event_pending = true;
      return;
    }
    vcpu.own_wake.disarm();
    write_event("wake", vcpu);
    machine_.core().unblock(machine_.moment(), vcpu.unit);
  }

  /// The running vCPU goes on with its next step, and the next, until one takes time.
  void advance(VcpuRun& vcpu) {
    machine_.executes_on(machine_.policy().pcpu_of(vcpu.unit));
    for (;;) {
      count_step();
      const Step step = vcpu.take_step();
      if (const auto* const run = std::get_if<Run>(&step)) {
        vcpu.burst.arm_at(to_time(machine_.now() + run->time));
        return;
      }
      if (std::holds_alternative<Yield>(step)) {
        write_event("yield", vcpu);
        vcpu.burst.arm_at(machine_.queue().now());
        machine_.core().yield(machine_.moment(), vcpu.unit);
        return;
      }
      if (const auto* const kick = std::get_if<Kick>(&step)) {
        send_event(vcpus_[index(kick->target)]);
      } else if (blocks(vcpu, step)) {
        return;
      }
    }
  }

  /// A blocking step; false if it is over at once, because an event is pending or its moment has passed.
  bool blocks(VcpuRun& vcpu, const Step& step) {
    if (std::exchange(vcpu.event_pending, false)) return false;
    const std::optional<HvTime> until = own_wake_of(step);
    if (until && *until <= machine_.now()) return false;
    if (until) vcpu.own_wake.arm_at(to_time(*until));
    write_event("block", vcpu);
    machine_.core().block(machine_.moment(), vcpu.unit);
    return true;
  }

  std::optional<HvTime> own_wake_of(const Step& step) const {
    const HvTime now = machine_.now();
    if (const auto* const block = std::get_if<Block>(&step)) return now + block->time;
    if (const auto* const until = std::get_if<BlockUntil>(&step)) return until->at;
    if (const auto* const grid = std::get_if<BlockPeriodic>(&step)) {
      if (now < grid->phase) return grid->phase;
      return grid->phase + ((now - grid->phase) / grid->period + 1) * grid->period;
    }
    return std::nullopt;
  }

  void count_step() {
    if (std::exchange(instant_, machine_.now()) != machine_.now()) at_once_ = 0;
    if (++at_once_ > kMaxAtOnce) fail(case_.file, 0, "workloads that let time pass", "an endless loop at one instant");
  }

  // ---- Passes ----

  void decided(PcpuId pcpu, UnitId previous, const Decision& decision) override {
    ++decisions_;
    line_ = "{\"t\":";
    append(machine_.now().count());
    append(",\"cpu\":", static_cast<std::int64_t>(index(pcpu)));
    line_ += ",\"prev\":\"";
    line_ += name_of(previous);
    line_ += "\",\"next\":\"";
    line_ += name_of(decision.unit);
    append("\",\"slice\":", decision.slice.count());
    if (decision.unit != kIdle) append_figures(machine_.policy().figures(decision.unit));
    line_ += '}';
    write_line();
  }

  void append_figures(const Figures& figures) {
    for (const auto& [name, key] : kShown) {
      const std::optional<std::int64_t> value = figures.find(name);
      if (!value) continue;
      line_ += ",\"";
      line_ += key;
      append("\":", *value);
    }
  }

  void switched(PcpuId, UnitId previous, UnitId next) override {
    const Time now = machine_.queue().now();
    if (previous != kIdle) {
      VcpuRun& vcpu = vcpus_[index(previous)];
      vcpu.rest = vcpu.burst.armed() ? vcpu.burst.due() - now : Duration{};
      vcpu.burst.disarm();
    }
    if (next != kIdle) {
      VcpuRun& vcpu = vcpus_[index(next)];
      vcpu.burst.arm_at(vcpu.rest < kNever - now ? now + vcpu.rest : kNever);
    }
  }

  // ---- The trace ----

  std::string_view name_of(UnitId unit) const {
    return unit == kIdle ? "idle" : std::string_view(vcpus_[index(unit)].vcpu.name);
  }

  void append(std::int64_t value) { line_ += std::to_string(value); }
  void append(std::string_view before, std::int64_t value) {
    line_ += before;
    append(value);
  }

  void write_event(std::string_view event, const VcpuRun& vcpu) {
    line_ = "{\"t\":";
    append(machine_.now().count());
    line_ += ",\"ev\":\"";
    line_ += event;
    line_ += "\",\"v\":\"";
    line_ += vcpu.vcpu.name;
    line_ += "\"}";
    write_line();
  }

  void write_totals() {
    line_ = "{\"end\":";
    append(case_.duration.count());
    append(",\"decisions\":", static_cast<std::int64_t>(decisions_));
    line_ += ",\"totals\":{";
    for (const VcpuRun& vcpu : vcpus_) {
      const RunTotals totals = machine_.core().totals(vcpu.unit, case_.duration);
      if (vcpu.unit != UnitId{0}) line_ += ',';
      line_ += '"';
      line_ += vcpu.vcpu.name;
      append("\":{\"run\":", totals.in(Runstate::running).count());
      append(",\"runnable\":", totals.in(Runstate::runnable).count());
      append(",\"blocked\":", totals.in(Runstate::blocked).count());
      append(",\"offline\":", totals.in(Runstate::offline).count());
      append(",\"in\":", static_cast<std::int64_t>(totals.switched_in));
      line_ += '}';
    }
    line_ += "},\"idle\":[";
    for (std::size_t p = 0; p < machine_.core().pcpus(); ++p) {
      append(p == 0 ? "" : ",", machine_.idle_time(static_cast<PcpuId>(p), case_.duration).count());
    }
    line_ += "]}";
    write_line();
  }

  void write_line() {
    if (wanted_) wanted_ = sink_->line(line_);
  }

  Case case_;
  IdealMachine machine_;
  std::deque<VcpuRun> vcpus_;
  std::deque<InterruptRun> interrupts_;
  LineSink* sink_ = nullptr;
  bool wanted_ = true;
  std::string line_;
  std::size_t decisions_ = 0;
  HvTime instant_{-1};
  std::size_t at_once_ = 0;
};

}  // namespace

std::unique_ptr<Replay> replay_case(Case golden_case) { return std::make_unique<CaseReplay>(std::move(golden_case)); }

}  // namespace vecusim::golden
