// TimelineSink: turns what a replication tells into a Timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/timeline.hpp"
#include "engine/trace.hpp"
#include "system/replication.hpp"

namespace vecusim {

/// It follows the replication from its start, so that it knows what is the case when the window begins, and keeps what
/// overlaps the window. When it has `most_records` it keeps no more: the timeline then ends where that was.
class TimelineSink final : public TraceSink {
 public:
  /// `replication` must outlive it.
  TimelineSink(const Replication& replication, const TimelineWindow& window, std::size_t most_records);

  void on(const Occupied& event) override;
  void on(const Loaded& event) override;
  void on(const Halted& event) override;
  void on(const Scheduled& event) override;
  void on(const Counted& event) override;
  void on(const Stimulated& event) override;
  void on(const StageDone& event) override;
  void on(const FlightDone& event) override;
  void on(const Dropped& event) override;

  /// At the replication's end. Leaves the sink empty.
  Timeline take(Time end);

 private:
  using Name = Timeline::Name;

  /// What a row shows; without a state it is idle.
  struct Shown {
    std::optional<Timeline::State> state = {};
    std::optional<Wait> wait = {};
    Name what = 0;
    bool operator==(const Shown&) const = default;
  };
  struct Line {
    std::uint32_t row = 0;
    Shown shown = {};
    Time since = kStart;
  };
  struct Cpu {
    bool physical;
    bool hosts;  // a pCPU on which vCPUs run
    Line line;   // of the pCPU, or of the vCPU's runstate
    Line inside;
    Context context = Context::idle;
    Name party = 0;
    Name vcpu = 0;  // of a pCPU: whose registers it has
    Runstate runstate = Runstate::blocked;
    CpuId runs_on{};
    std::optional<Wait> halted = {};
    Name halted_for = 0;
  };
  using FlightKey = std::pair<std::uint16_t, std::uint64_t>;

  Name intern(std::string_view name);
  Name name_of(Party party);
  Name name_of(CpuId id) { return timeline_.rows[cpu(id).line.row].name; }
  Cpu& cpu(CpuId id) { return cpus_[static_cast<std::size_t>(id)]; }
  std::uint32_t row_of(InterruptId interrupt) const;
  bool covers(Time begin);
  void count(Time now, std::size_t records);
  void show(Line& line, Time now, const Shown& next);
  void close(Line& line, Time now);
  void show_pcpu(Cpu& pcpu, Time now);
  void show_vcpu(Cpu& vcpu, Time now);
  void mark(std::uint32_t row, Time now, Timeline::Mark what, std::uint64_t number = 0, Name name = 0);
  void end_flight(const FlightKey& key, Time began, Time now, Timeline::Fate fate,
                  std::span<const StageTime> spent = {});
  void assign_lanes();

  const Replication& replication_;
  Time from_;
  Time to_;
  Time window_end_;
  std::size_t most_;
  std::size_t kept_ = 0;
  bool full_ = false;
  Timeline timeline_;
  std::vector<Cpu> cpus_;
  std::uint32_t first_interrupt_ = 0;  // row
  std::vector<Name> parties_;
  std::map<std::string, Name, std::less<>> interned_;
  std::map<FlightKey, Timeline::Flight> under_way_;
};

}  // namespace vecusim
