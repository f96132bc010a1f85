// What a simulation tells its observers: typed events, sent to sinks that may look and not touch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/account.hpp"
#include "engine/time.hpp"

namespace vecusim {

/// A processor: pCPUs first, in the board's order, then vCPUs in the order of domains.
enum class CpuId : std::uint16_t {};
/// One of the scenario's interrupts, in their order.
enum class InterruptId : std::uint16_t {};

/// One of the scenario's flows of frames, in their order.
enum class FlowId : std::uint16_t {};

/// What a CPU is doing.
enum class Context : std::uint8_t { idle, user, kernel, softirq, irq, hypervisor };
inline constexpr std::size_t kContexts = 6;
inline constexpr std::array<std::string_view, kContexts> kContextNames = {"idle",    "user", "kernel",
                                                                          "softirq", "irq",  "hypervisor"};

/// From `at` on, a CPU works in this context, for this party.
struct Occupied {
  Time at;
  CpuId cpu;
  Context context;
  Party party;
};

/// A pCPU has this vCPU's registers from now on (nobody's: it idles): what the hypervisor does there is on its behalf.
struct Loaded {
  Time at;
  CpuId pcpu;
  std::optional<CpuId> vcpu;
};

/// A processor makes no progress from now on, and why; without a kind it goes on. Told when that changes.
struct Halted {
  Time at;
  CpuId cpu;
  std::optional<Wait> kind;
  Party for_whom;
};

/// What a vCPU is to whoever schedules it, in Xen's four words.
enum class Runstate : std::uint8_t { running, runnable, blocked, offline };
inline constexpr std::size_t kRunstates = 4;
inline constexpr std::array<std::string_view, kRunstates> kRunstateNames = {"running", "runnable", "blocked",
                                                                            "offline"};

/// A vCPU's runstate from now on; until the first of them it is blocked.
struct Scheduled {
  Time at;
  CpuId vcpu;
  Runstate state;
  CpuId pcpu;  ///< running: where
};

/// Something has happened to frames of a flow.
enum class FrameEvent : std::uint8_t { offered, delivered, dropped, batch };
struct Frames {
  Time at;
  FlowId flow;
  FrameEvent what;
  std::uint64_t count;
  /// delivered: how long each of them took.
  std::span<const Duration> took = {};
};

/// A stage of a flight has ended.
struct StageDone {
  Time began;
  Time at;
  InterruptId interrupt;
  std::uint64_t flight;
  std::uint16_t stage;
};

/// An edge of the stimulus, before anything answers to it. An interrupt's flights are numbered upwards; one of
/// FlightDone and Dropped follows for each, unless the run ends first.
struct Stimulated {
  Time at;
  InterruptId interrupt;
  std::uint64_t flight;
};

/// A flight has reached the end of what is measured. `stages` is indexed like the path's stages and tiles at - began.
struct FlightDone {
  Time began;
  Time at;
  InterruptId interrupt;
  std::uint64_t flight;
  std::span<const StageTime> stages;
};

/// A stimulus that gets no answer of its own.
enum class Fate : std::uint8_t { merged, lost };
struct Dropped {
  Time at;
  InterruptId interrupt;
  std::uint64_t flight;
  Fate fate;
};

/// Something countable happened.
enum class Count : std::uint8_t { stimulus, interrupt, context_switch, migration, decision };
inline constexpr std::size_t kCounts = 5;
struct Counted {
  Time at;
  Count what;
  /// The processor that takes the interrupt or switches, the pCPU that is decided for, or the vCPU that migrates.
  CpuId cpu;
  /// The interrupt's number at that processor.
  std::uint16_t irq = 0;
};

/// An observer. It gets const events and nothing else; it must not touch the simulation.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void on(const Occupied&) {}
  virtual void on(const Loaded&) {}
  virtual void on(const Halted&) {}
  virtual void on(const Scheduled&) {}
  virtual void on(const Frames&) {}
  virtual void on(const Stimulated&) {}
  virtual void on(const StageDone&) {}
  virtual void on(const FlightDone&) {}
  virtual void on(const Dropped&) {}
  virtual void on(const Counted&) {}
};

/// Sinks are called in the order of attachment; without sinks an event costs one test.
class Trace {
 public:
  void attach(TraceSink& sink) { sinks_.push_back(&sink); }
  template <class Event>
  void emit(const Event& event) const {
    for (TraceSink* sink : sinks_) sink->on(event);
  }

 private:
  std::vector<TraceSink*> sinks_;
};

}  // namespace vecusim
