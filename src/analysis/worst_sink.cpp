// A heap of the slowest flights.
#include "analysis/worst_sink.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace vecusim {

bool slower(const WorstFlight& a, const WorstFlight& b) {
  return std::tuple(b.latency, a.replication, a.flight) < std::tuple(a.latency, b.replication, b.flight);
}

std::vector<WorstFlight> merge_worst(std::vector<WorstFlight> a, std::vector<WorstFlight> b, std::size_t most) {
  std::vector<WorstFlight> result;
  std::merge(std::make_move_iterator(a.begin()), std::make_move_iterator(a.end()), std::make_move_iterator(b.begin()),
             std::make_move_iterator(b.end()), std::back_inserter(result), slower);
  if (result.size() > most) result.resize(most);
  return result;
}

WorstSink::WorstSink(const std::vector<std::size_t>& stages, std::size_t most, std::uint32_t replication, Time warmup)
    : most_(most), replication_(replication), warmup_(warmup) {
  for (const std::size_t count : stages) {
    std::vector<WorstFlight>& heap = heaps_.emplace_back();
    heap.reserve(most + 1);
    spare_.emplace_back().stages.resize(count);
  }
}

// With `slower` as the heap's order its front is the least slow: the next to be pushed out, and then reused.
void WorstSink::on(const FlightDone& event) {
  const auto interrupt = static_cast<std::size_t>(event.interrupt);
  std::vector<WorstFlight>& heap = heaps_[interrupt];
  if (event.began < warmup_ || most_ == 0) return;
  WorstFlight& candidate = spare_[interrupt];
  candidate.replication = replication_;
  candidate.flight = event.flight;
  candidate.began = event.began;
  candidate.latency = event.at - event.began;
  if (heap.size() == most_ && !slower(candidate, heap.front())) return;
  candidate.stages.assign(event.stages.begin(), event.stages.end());
  heap.push_back(std::move(candidate));
  std::push_heap(heap.begin(), heap.end(), slower);
  candidate = {};
  if (heap.size() <= most_) return;
  std::pop_heap(heap.begin(), heap.end(), slower);
  candidate = std::move(heap.back());
  heap.pop_back();
}

std::vector<std::vector<WorstFlight>> WorstSink::take() {
  for (std::vector<WorstFlight>& heap : heaps_) std::sort_heap(heap.begin(), heap.end(), slower);
  return std::exchange(heaps_, {});
}

}  // namespace vecusim
