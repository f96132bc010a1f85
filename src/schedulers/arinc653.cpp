// ARINC653: a table of slots, repeated every major frame; nothing outside its slot (specification of the Xen
// schedulers, 4).
#include <algorithm>
#include <optional>

#include "schedulers/catalogue.hpp"

namespace vecusim {
namespace {

constexpr HvTime kDefaultSlot = 10ms;
constexpr std::size_t kMaxSlots = 64;
constexpr DomainId kDom0{0};

class Arinc653 final : public Policy {
 public:
  struct Config final : ConfigOf<Config> {
    std::optional<NamedSlotTable> table;

    void fields(FieldVisitor& visit) override {
      const Field frame{"major_frame_us",
                        "length of the frame that is repeated; without it every dom0 vCPU gets 10 ms"};
      std::optional<Duration> major_frame;
      if (table) major_frame = table->major_frame;
      visit.optional(frame, major_frame, [&](Duration& v) { visit.duration(frame, v, whole(1us, Duration::max())); });
      std::vector<NamedSlot> slots;
      if (table) slots = table->slots;
      visit.list({"entries", "the slots, 1 to 64, in their order; Xen refuses a table longer than the frame"}, slots);
      check(visit, major_frame, slots);
      table.reset();
      if (major_frame) table = NamedSlotTable{*major_frame, std::move(slots)};
    }

   private:
    static void check(FieldVisitor& visit, const std::optional<Duration>& major_frame,
                      const std::vector<NamedSlot>& slots) {
      visit.require(major_frame.has_value() == !slots.empty(), "entries",
                    "at least one slot exactly if there is a major frame");
      visit.require(slots.size() <= kMaxSlots, "entries", "at most 64 slots: Xen refuses a longer table");
      if (!major_frame) return;
      Duration left = *major_frame;
      for (const NamedSlot& slot : slots) left -= std::min(left + 1us, slot.runtime);
      visit.require(left >= Duration{0}, "entries", "slots that fit into the major frame: Xen refuses a longer table");
    }
  };

  Arinc653(const Config&, const MachineDescription& machine) : fixed_grid_(machine.behaviour.arinc653_fixed_grid) {
    table_.slots.reserve(kMaxSlots);
  }

  void add_pcpu(const HookContext&, PcpuId, Verdict&) override {}

  void insert(const HookContext&, UnitId unit, const UnitSpec& spec, Verdict&) override {
    if (units_.size() <= index(unit)) units_.resize(index(unit) + 1);
    units_[index(unit)] = {true, false, spec.pcpu};
    if (spec.domain == kDom0 && table_.slots.size() < kMaxSlots) {
      table_.slots.push_back({unit, kDefaultSlot});
      table_.major_frame += kDefaultSlot;
    }
  }

  void remove(const HookContext&, UnitId unit, Verdict&) override { units_[index(unit)].exists = false; }

  void wake(const HookContext&, UnitId unit, Verdict& verdict) override {
    units_[index(unit)].awake = true;
    verdict.tickle(pcpu_of(unit));
  }

  void sleep(const HookContext& context, UnitId unit, Verdict& verdict) override {
    units_[index(unit)].awake = false;
    if (context.machine.current_of(pcpu_of(unit)) == unit) verdict.tickle(pcpu_of(unit));
  }

  Decision schedule(const HookContext& context, UnitId, Verdict&) override {
    move_on(context.now);
    return {may_run(context) ? table_.slots[position_].unit : kIdle, next_switch_ - context.now, false};
  }

  PcpuId pick(const HookContext&, UnitId unit) override { return pcpu_of(unit); }
  void migrate(const HookContext&, UnitId unit, PcpuId to, Verdict&) override { units_[index(unit)].pcpu = to; }

  bool set_table(const HookContext& context, const SlotTable& table) override {
    if (table.major_frame <= HvTime{0} || table.slots.empty() || table.slots.size() > kMaxSlots) return false;
    HvTime left = table.major_frame;
    for (const Slot& slot : table.slots) {
      if (slot.runtime <= HvTime{0} || slot.runtime > left) return false;
      left -= slot.runtime;
    }
    table_ = table;
    next_frame_ = context.now;
    return true;
  }

  PcpuId pcpu_of(UnitId unit) const override { return units_[index(unit)].pcpu; }

  Hold held(const HookContext& context, UnitId unit) const override {
    const bool in_slot = position_ < table_.slots.size() && table_.slots[position_].unit == unit;
    const HvTime next = in_slot ? context.now : next_slot_of(unit);
    return next > context.now ? Hold{HoldReason::slot, next} : Hold{};
  }

  Figures figures(UnitId unit) const override {
    Figures figures;
    figures.add("awake", units_[index(unit)].awake ? 1 : 0);
    figures.add("slot", static_cast<std::int64_t>(position_));
    figures.add("next_switch", next_switch_);
    figures.add("next_frame", next_frame_);
    return figures;
  }

 private:
  struct Unit {
    bool exists = false;
    bool awake = false;
    PcpuId pcpu{};
  };

  /// To the slot of this moment.
  void move_on(HvTime now) {
    const std::size_t n = table_.slots.size();
    if (fixed_grid_) {
      if (now >= next_frame_) begin_frame(next_frame_ + (now - next_frame_) / frame() * frame());
    } else if (n == 0) {
      next_frame_ = now + kDefaultSlot;
    } else if (now >= next_frame_) {
      begin_frame(now);
    }
    while (now >= next_switch_ && position_ < n) {
      ++position_;
      if (position_ < n) next_switch_ += table_.slots[position_].runtime;
    }
    if (position_ >= n) next_switch_ = next_frame_;
  }

  HvTime frame() const { return table_.slots.empty() ? kDefaultSlot : table_.major_frame; }

  void begin_frame(HvTime at) {
    position_ = 0;
    next_frame_ = at + frame();
    next_switch_ = table_.slots.empty() ? next_frame_ : at + table_.slots.front().runtime;
  }

  /// When a slot of the unit begins, after the present one; the end of time if it has none.
  HvTime next_slot_of(UnitId unit) const {
    HvTime begin = next_switch_;
    for (std::size_t p = position_ + 1; p < table_.slots.size(); ++p) {
      if (table_.slots[p].unit == unit) return begin;
      begin += table_.slots[p].runtime;
    }
    begin = next_frame_;
    for (const Slot& slot : table_.slots) {
      if (slot.unit == unit) return begin;
      begin += slot.runtime;
    }
    return HvTime::max();
  }

  bool may_run(const HookContext& context) const {
    if (position_ >= table_.slots.size()) return false;
    const UnitId unit = table_.slots[position_].unit;
    if (index(unit) >= units_.size() || !units_[index(unit)].exists) return false;
    return units_[index(unit)].awake && context.machine[unit].runnable && pcpu_of(unit) == context.pcpu;
  }

  const bool fixed_grid_;
  SlotTable table_;
  /// Of the present slot; the number of slots: idle until the frame ends.
  std::size_t position_ = 0;
  HvTime next_switch_{};
  HvTime next_frame_{};
  std::vector<Unit> units_;
};

}  // namespace

PolicyEntry policy_arinc653() {
  return entry_of<Arinc653>({"arinc653", "a fixed table of slots, repeated every major frame"},
                            "From 4.21 (4.19.3) frames lie on a fixed grid; before, each began at its first pass and "
                            "so drifted. Not modelled: before 4.21 "
                            "all pools with ARINC653 share one position in their tables, and between these two and "
                            "4.22 (4.21.2, 4.20.4) the default table "
                            "has an idle period.");
}

}  // namespace vecusim
