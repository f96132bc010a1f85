// BenchRecorder: writes down each edge and its answer, as a bench with a logic analyser would.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/trace.hpp"

namespace vecusim {

/// CSV lines `seq,t_out_us,t_in_us` of one interrupt, in the order of the edges, after a header; an edge without an
/// answer has no t_in_us. Times are in µs since the start, exact to the picosecond. What began before `warmup` is left
/// out.
class BenchRecorder final : public TraceSink {
 public:
  using Write = std::function<void(std::string_view)>;
  BenchRecorder(InterruptId interrupt, Time warmup, Write write);

  void on(const Stimulated& event) override;
  void on(const FlightDone& event) override;
  void on(const Dropped& event) override;
  /// Writes the edges that the end of the run left without an answer.
  void finish();

 private:
  struct Edge {
    std::uint64_t flight;
    Time out;
    std::optional<Time> in = {};
    bool settled = false;
  };

  Edge* find(InterruptId interrupt, std::uint64_t flight);
  void write_settled();
  void write(const Edge& edge);

  InterruptId interrupt_;
  Time warmup_;
  Write write_;
  /// From the oldest that is not settled on; flights are numbered upwards.
  std::deque<Edge> edges_;
};

}  // namespace vecusim
