// Which stimulus an answer belongs to, and where the sample's time is booked.
#include "analysis/latency_sink.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace vecusim {
namespace {

/// Takes `excess` off the beginning of a flight: whole stages first, then of one stage its waits before its service.
void cut_front(std::span<StageTime> stages, Duration excess) {
  for (StageTime& stage : stages) {
    const auto cut = [&excess](Duration& part) {
      const Duration taken = std::min(part, excess);
      part -= taken;
      excess -= taken;
    };
    for (Duration& wait : stage.waits) cut(wait);
    cut(stage.service);
  }
  assert(excess == Duration::zero());
}

}  // namespace

Duration StageSum::total() const { return std::accumulate(waits.begin(), waits.end(), service); }

void LatencyTally::merge(const LatencyTally& other) {
  samples.merge(other.samples);
  lost += other.lost;
  merged += other.merged;
  late += other.late;
  misses += other.misses;
  assert(stages.size() == other.stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i].service += other.stages[i].service;
    for (std::size_t kind = 0; kind < kWaits; ++kind) stages[i].waits[kind] += other.stages[i].waits[kind];
  }
  batches.merge(other.batches);
}

LatencySink::LatencySink(const std::vector<LatencyRule>& rules, Time warmup) : warmup_(warmup) {
  for (const LatencyRule& rule : rules) {
    Interrupt& interrupt = interrupts_.emplace_back();
    interrupt.rule = rule;
    interrupt.tally.stages.resize(rule.stages);
    interrupt.scratch.resize(rule.stages);
  }
}

void LatencySink::on(const Stimulated& event) {
  Interrupt& interrupt = interrupts_[static_cast<std::size_t>(event.interrupt)];
  interrupt.newest = event.flight;
  if (event.at < warmup_) return;
  if (!interrupt.first_counted) interrupt.first_counted = event.flight;
  if (!interrupt.oldest_unanswered) interrupt.oldest_unanswered = {event.at, event.flight};
}

void LatencySink::on(const FlightDone& event) {
  Interrupt& interrupt = interrupts_[static_cast<std::size_t>(event.interrupt)];
  if (!counts(interrupt, event.flight)) return;
  if (interrupt.rule.late_answer == LateAnswer::counted) {
    answer_without_number(interrupt, event);
    return;
  }
  if (interrupt.newest > event.flight) ++interrupt.tally.late;
  sample(interrupt, event.stages, event.at - event.began);
}

void LatencySink::on(const Dropped& event) {
  Interrupt& interrupt = interrupts_[static_cast<std::size_t>(event.interrupt)];
  if (!counts(interrupt, event.flight)) return;
  ++(event.fate == Fate::lost ? interrupt.tally.lost : interrupt.tally.merged);
}

bool LatencySink::counts(const Interrupt& interrupt, std::uint64_t flight) {
  return interrupt.first_counted && flight >= *interrupt.first_counted;
}

void LatencySink::answer_without_number(Interrupt& interrupt, const FlightDone& event) {
  if (!interrupt.oldest_unanswered) {
    ++interrupt.tally.merged;
    return;
  }
  const auto [stimulated, flight] = *interrupt.oldest_unanswered;
  interrupt.oldest_unanswered.reset();
  if (interrupt.newest > flight) ++interrupt.tally.late;

  const Duration latency = event.at - stimulated;
  const Duration extra = latency - (event.at - event.began);
  std::copy(event.stages.begin(), event.stages.end(), interrupt.scratch.begin());
  if (extra >= Duration::zero()) {
    interrupt.scratch.front().waits[static_cast<std::size_t>(Wait::relay)] += extra;
  } else {
    cut_front(interrupt.scratch, -extra);
  }
  sample(interrupt, interrupt.scratch, latency);
}

void LatencySink::sample(Interrupt& interrupt, std::span<const StageTime> stages, Duration latency) {
  LatencyTally& tally = interrupt.tally;
  assert(stages.size() == tally.stages.size());
  tally.samples.add(latency);
  tally.batches.add(latency);
  if (interrupt.rule.limit && latency > *interrupt.rule.limit) ++tally.misses;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    tally.stages[i].service += stages[i].service;
    for (std::size_t kind = 0; kind < kWaits; ++kind) tally.stages[i].waits[kind] += stages[i].waits[kind];
  }
}

std::vector<LatencyTally> LatencySink::take() {
  std::vector<LatencyTally> result;
  for (Interrupt& interrupt : interrupts_) result.push_back(std::move(interrupt.tally));
  interrupts_.clear();
  return result;
}

}  // namespace vecusim
