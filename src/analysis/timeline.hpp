// Timeline: what a window of one replication did, moment by moment, as plain data: for traces in others' formats and
// for pictures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// A part of a replication, from its start: `from` is in it, `to` is not.
struct TimelineWindow {
  Time from = kStart;
  Time to = kNever;
};

/// Times are in ps from the replication's start. A `Name` is an index into `names`, whose first is empty.
struct Timeline {
  using Name = std::uint32_t;

  enum class RowKind : std::uint8_t {
    pcpu,       ///< what a pCPU executes
    vcpu,       ///< a vCPU's runstate
    guest,      ///< what is executed inside that vCPU
    interrupt,  ///< one of the scenario's interrupts; it has instants and flights, no intervals
  };
  struct Row {
    RowKind kind;
    Name name;    ///< "pcpu0", "dom0/1" (of both its rows), "edge"
    Name domain;  ///< whose work is executed; empty for a pCPU that vCPUs run on, and for an interrupt
  };

  enum class State : std::uint8_t {
    // Of pcpu and guest rows. Where they have no interval they are idle. `what` is who is executed.
    user,
    kernel,
    softirq,
    irq,
    hypervisor,  ///< of a pcpu row that vCPUs run on: on behalf of the vCPU `what`, if any
    guest,       ///< of a pcpu row: the vCPU `what` has it, and its guest executes or idles
    // Of vcpu rows, without a gap.
    running,   ///< on the pCPU `what`; with `wait` it makes no progress, because the pCPU does something else for it
    runnable,  ///< `wait` says why it does not run, `what` for whom
    blocked,
    offline,
  };
  struct Interval {
    std::int64_t begin_ps;
    std::int64_t end_ps;
    std::uint32_t row;
    State state;
    std::optional<Wait> wait;
    Name what;
  };

  enum class Mark : std::uint8_t {
    interrupt,  ///< of a pcpu or guest row: a kernel takes the interrupt `number` of its processor
    wake,       ///< of a vcpu row: no longer blocked
    refused,    ///< of a vcpu row: the rate limit keeps `what` running instead of it
    migration,  ///< of a vcpu row: to another pCPU
    stimulus,   ///< of an interrupt's row: flight `number` begins
    merged,     ///< …, it met another one and gets no answer of its own
    lost,       ///< …, it gets no answer
  };
  struct Instant {
    std::int64_t at_ps;
    std::uint32_t row;
    Mark mark;
    std::uint64_t number;
    Name what;
  };

  /// A stage that took time; `service_ps` and `waits_ps` tile it, and are zero if the flight got no answer.
  struct Stage {
    Name name;
    std::int64_t begin_ps;
    std::int64_t end_ps;
    std::int64_t service_ps;
    std::array<std::int64_t, kWaits> waits_ps;
    Name longest_for;  ///< whom its longest single wait was for
  };
  enum class Fate : std::uint8_t { answered, merged, lost, under_way };
  /// From its stimulus, or from where measuring begins, to its answer. Whole, where it reaches beyond the window.
  struct Flight {
    std::uint32_t row;
    std::uint64_t number;
    std::int64_t begin_ps;
    std::int64_t end_ps;
    Fate fate;
    /// Flights of an interrupt that overlap have different lanes, from 0.
    std::uint32_t lane;
    std::vector<Stage> stages;
  };

  std::string_view name(Name index) const { return names[index]; }

  std::string title;
  std::uint64_t seed = 0;
  std::uint32_t replication = 0;
  /// What is covered: the window, as far as the replication and the room for records reached.
  std::int64_t from_ps = 0;
  std::int64_t to_ps = 0;
  /// Room for records ended at to_ps: so many that came later were not kept.
  std::uint64_t cut = 0;

  std::vector<std::string> names = {""};
  std::vector<Row> rows;
  std::vector<Interval> intervals;  ///< by begin, then row
  std::vector<Instant> instants;    ///< by time
  std::vector<Flight> flights;      ///< by begin, then row and number
};

inline constexpr std::size_t kRowKinds = 4;
inline constexpr std::array<std::string_view, kRowKinds> kRowKindNames = {"pcpu", "vcpu", "guest", "interrupt"};
inline constexpr std::size_t kTimelineStates = 10;
inline constexpr std::array<std::string_view, kTimelineStates> kTimelineStateNames = {
    "user", "kernel", "softirq", "irq", "hypervisor", "guest", "running", "runnable", "blocked", "offline"};
inline constexpr std::size_t kMarks = 7;
inline constexpr std::array<std::string_view, kMarks> kMarkNames = {"interrupt", "wake",   "refused", "migration",
                                                                    "stimulus",  "merged", "lost"};
inline constexpr std::size_t kTimelineFates = 4;
inline constexpr std::array<std::string_view, kTimelineFates> kTimelineFateNames = {"answered", "merged", "lost",
                                                                                    "under way"};

inline std::string_view name_of(Timeline::RowKind kind) { return kRowKindNames[static_cast<std::size_t>(kind)]; }
inline std::string_view name_of(Timeline::State state) { return kTimelineStateNames[static_cast<std::size_t>(state)]; }
inline std::string_view name_of(Timeline::Mark mark) { return kMarkNames[static_cast<std::size_t>(mark)]; }
inline std::string_view name_of(Timeline::Fate fate) { return kTimelineFateNames[static_cast<std::size_t>(fate)]; }

/// Intervals, instants and stages that a timeline has room for: about 100 MB.
inline constexpr std::size_t kMostTimelineRecords = 2'000'000;

/// Runs one replication once more and records it. Throws InvalidInput if a model lacks a cost, Interrupted if stopped.
Timeline record_timeline(const Scenario& scenario, std::uint32_t replication, const TimelineWindow& window,
                         const std::stop_token& stop = {}, std::size_t most_records = kMostTimelineRecords);

}  // namespace vecusim
