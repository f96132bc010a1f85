// LatencySink: samples of each interrupt's latency, and into which stages and waits their time went.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/batches.hpp"
#include "analysis/samples.hpp"
#include "engine/trace.hpp"
#include "models/measure.hpp"

namespace vecusim {

/// How the flights of one interrupt are counted.
struct LatencyRule {
  std::size_t stages = 0;
  LateAnswer late_answer = LateAnswer::separate;
  /// The requirement's limit.
  std::optional<Duration> limit = {};
};

/// Time of one stage, summed over samples.
struct StageSum {
  Duration service{};
  std::array<Duration, kWaits> waits{};

  Duration total() const;
  /// For bytes.hpp.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    bytes(service);
    bytes(waits);
  }
};

/// What has been seen of one interrupt. n + lost + merged is the number of stimuli that are settled.
struct LatencyTally {
  Samples samples;
  std::uint64_t lost = 0;
  std::uint64_t merged = 0;
  /// Samples whose answer came after the next stimulus.
  std::uint64_t late = 0;
  /// Samples beyond the limit.
  std::uint64_t misses = 0;
  /// Tile samples.sum().
  std::vector<StageSum> stages;
  Batches batches;

  void merge(const LatencyTally& other);
  /// For bytes.hpp; the names stand for all members in their order.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    auto& [samples_, lost_, merged_, late_, misses_, stages_, batches_] = *this;
    bytes(samples_);
    bytes(lost_);
    bytes(merged_);
    bytes(late_);
    bytes(misses_);
    bytes(stages_);
    bytes(batches_);
  }
};

/// Counts flights whose stimulus came at `warmup` or later.
///
/// A late answer is one that comes after the next stimulus. `separate`: it is a sample like any other, measured from
/// its own stimulus, and also counted as late. `counted`: the bench knows no numbers of stimuli, so an answer is
/// measured from the oldest stimulus without an answer and settles all stimuli up to now; a later answer to one of
/// those is seen by nobody, and its stimulus counts as merged. After a lost edge the next answer therefore takes longer
/// by the time between the edges, which is booked as a wait of kind `relay` in the first stage.
class LatencySink final : public TraceSink {
 public:
  LatencySink(const std::vector<LatencyRule>& rules, Time warmup);

  void on(const Stimulated& event) override;
  void on(const FlightDone& event) override;
  void on(const Dropped& event) override;

  /// By interrupt. Leaves the sink empty.
  std::vector<LatencyTally> take();

 private:
  struct Interrupt {
    LatencyRule rule;
    LatencyTally tally;
    /// The first flight after the warm-up.
    std::optional<std::uint64_t> first_counted;
    std::uint64_t newest = 0;
    struct Stimulus {
      Time at;
      std::uint64_t flight;
    };
    std::optional<Stimulus> oldest_unanswered;
    std::vector<StageTime> scratch;
  };

  static bool counts(const Interrupt& interrupt, std::uint64_t flight);
  static void sample(Interrupt& interrupt, std::span<const StageTime> stages, Duration latency);
  void answer_without_number(Interrupt& interrupt, const FlightDone& event);

  std::vector<Interrupt> interrupts_;
  Time warmup_;
};

}  // namespace vecusim
