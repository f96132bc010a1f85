// Stimulus: where edges come from: periodic with phase and jitter, Poisson, bursts, recorded times, or those of another
// stimulus.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fields.hpp"
#include "engine/line.hpp"
#include "engine/simulation.hpp"

namespace vecusim {

enum class StimulusModel : std::uint8_t { periodic, poisson, burst, recorded, follows };

struct StimulusConfig {
  StimulusModel model = StimulusModel::periodic;
  /// periodic, burst: from edge to edge, or from burst to burst.
  Duration period = 1s;
  /// The first edge; if not given, uniform in one period, drawn once per replication: a stimulus is not in step with
  /// ticks.
  std::optional<Duration> phase;
  /// periodic, burst: the generator's clock is off by a constant of at most this, drawn once per replication. Two
  /// crystals never agree, so edges wander through the phases of the target's ticks instead of meeting the same one
  /// every time.
  double clock_error_ppm = 30.0;
  /// periodic: each edge is moved by a uniform draw in ±jitter.
  Duration jitter{};
  /// poisson: the mean distance.
  Duration mean_interval = 1s;
  /// burst: edges per burst and their distance.
  std::int64_t edges = 2;
  Duration spacing = 1ms;
  /// recorded: the file that they are in, if they are in one, and ascending times since the start.
  std::string file;
  std::vector<Duration> times;
  /// follows: the interrupt whose stimulus it follows, and how much later.
  std::string interrupt;
  Duration delay{};
  /// Edges in all; 0: as long as the run lasts. recorded: all times.
  std::int64_t count = 0;

  void fields(FieldVisitor& visit);
};

class Stimulus {
 public:
  Stimulus(Simulation& simulation, std::string_view name, const StimulusConfig& config);
  /// At assembly, of a stimulus that follows: the one that leads.
  void follow(Stimulus& leader);
  /// Edges come by themselves from now on.
  void start();
  /// Instead, for who keeps the time himself: the first edge later than `now`. Those in between are skipped and do not
  /// count. kNever if there are no more.
  Time next_after(Time now);

  /// One call per edge.
  Line<> edge;
  /// Edges so far, and whether there will be no more.
  std::uint64_t sent() const { return sent_; }
  bool finished() const { return leader_ == nullptr ? finished_ : leader_->finished() && following_.empty(); }

 private:
  void fire();
  void led();
  void arm_next();
  bool exhausted() const;
  Time place_of_next();
  Duration after(std::uint64_t index);

  Simulation* simulation_;
  StimulusConfig config_;
  RandomStream stream_;
  Distribution exponential_ = Distribution::constant({});
  Timer timer_;
  Time grid_{};  // the edge's place before jitter
  std::uint64_t sent_ = 0;
  std::uint64_t skipped_ = 0;
  bool finished_ = false;
  const Stimulus* leader_ = nullptr;
  std::deque<Time> following_;  // edges that the leader has sent and this one has not
};

}  // namespace vecusim
