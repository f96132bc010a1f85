// The lines of a bench file.
#include "app/bench_recorder.hpp"

#include <algorithm>
#include <utility>

namespace vecusim {

namespace {

std::string microseconds(Time time) {
  const auto ps = time.time_since_epoch().count();
  const std::string fraction = std::to_string(1'000'000 + ps % 1'000'000);
  return std::to_string(ps / 1'000'000) + "." + fraction.substr(1);
}

}  // namespace

BenchRecorder::BenchRecorder(InterruptId interrupt, Time warmup, Write write)
    : interrupt_(interrupt), warmup_(warmup), write_(std::move(write)) {
  write_("seq,t_out_us,t_in_us\n");
}

void BenchRecorder::on(const Stimulated& event) {
  if (event.interrupt == interrupt_ && event.at >= warmup_) edges_.push_back({event.flight, event.at});
}

// What is measured may begin after the edge: at the handler's time stamp, for example.
void BenchRecorder::on(const FlightDone& event) {
  if (Edge* edge = find(event.interrupt, event.flight)) {
    edge->out = event.began;
    edge->in = event.at;
    edge->settled = true;
    write_settled();
  }
}

void BenchRecorder::on(const Dropped& event) {
  if (Edge* edge = find(event.interrupt, event.flight)) {
    edge->settled = true;
    write_settled();
  }
}

void BenchRecorder::finish() {
  for (const Edge& edge : std::exchange(edges_, {})) write(edge);
}

BenchRecorder::Edge* BenchRecorder::find(InterruptId interrupt, std::uint64_t flight) {
  if (interrupt != interrupt_) return nullptr;
  const auto found = std::lower_bound(edges_.begin(), edges_.end(), flight,
                                      [](const Edge& edge, std::uint64_t number) { return edge.flight < number; });
  return found != edges_.end() && found->flight == flight ? &*found : nullptr;
}

void BenchRecorder::write_settled() {
  while (!edges_.empty() && edges_.front().settled) {
    write(edges_.front());
    edges_.pop_front();
  }
}

void BenchRecorder::write(const Edge& edge) {
  write_(std::to_string(edge.flight) + "," + microseconds(edge.out) + "," + (edge.in ? microseconds(*edge.in) : "") +
         "\n");
}

}  // namespace vecusim
