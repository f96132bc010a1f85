// A window of a timeline as lanes, in µs since the slowest answer's stimulus.
#include "analysis/report_timeline.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/text_layout.hpp"
#include "analysis/timeline.hpp"

namespace vecusim::report {
namespace {

using json::Node;

/// What a page draws at ease; a longer window is shown in part.
constexpr std::size_t kMostRows = 6000;
/// Of the latency, shown before and after it.
constexpr int kMargin = 8;
constexpr Duration kLeastMargin = 20us;

/// "runqueue: while another vCPU ran, for domU/0"
std::string why(std::optional<Wait> wait, std::string_view whom) {
  if (!wait) return {};
  const auto kind = static_cast<std::size_t>(*wait);
  return std::string(kWaitNames[kind]) + ": " + std::string(clause_of(*wait)) +
         (whom.empty() ? "" : ", for " + std::string(whom));
}

class Lanes {
 public:
  Lanes(const Timeline& timeline, Time zero, Part& part)
      : timeline_(timeline), zero_ps_(zero.time_since_epoch().count()), part_(part), used_(timeline.rows.size()) {}

  /// Everything that is something to see, by its beginning. False if there was no room for all.
  bool fill() {
    for (const Timeline::Flight& flight : timeline_.flights) add(flight);
    for (const Timeline::Interval& interval : timeline_.intervals) add(interval);
    for (const Timeline::Instant& instant : timeline_.instants) {
      const std::string number = instant.number > 0 ? " " + std::to_string(instant.number) : "";
      row(instant.row, std::string(name_of(instant.mark)), std::string(timeline_.name(instant.what)) + number,
          instant.at_ps, {}, {});
    }
    return rows_ <= kMostRows;
  }

  /// In the scenario's order: interrupts, then pCPUs, vCPUs and what is in them; those that have something.
  Node names() const {
    std::vector<std::size_t> order(timeline_.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t at) { return timeline_.rows[at].kind == Timeline::RowKind::interrupt; });
    Node list = Node::array();
    for (const std::size_t at : order) {
      if (used_[at]) list.push_back(Node::string(name(at)));
    }
    return list;
  }

 private:
  std::string name(std::size_t at) const {
    const Timeline::Row& row = timeline_.rows[at];
    std::string text(timeline_.name(row.name));
    if (row.kind == Timeline::RowKind::vcpu) return text + " runs";
    if (row.kind == Timeline::RowKind::guest) return text + " inside";
    return text;
  }

  Node us_since(std::int64_t at_ps) const { return us(Duration{at_ps - zero_ps_}); }

  void row(std::size_t at, std::string state, std::string what, std::int64_t from_ps, std::optional<std::int64_t> to_ps,
           std::string reason) {
    if (++rows_ > kMostRows) return;
    used_[at] = true;
    part_.row({Node::string(name(at)), Node::string(std::move(state)), Node::string(std::move(what)), us_since(from_ps),
               to_ps ? us_since(*to_ps) : Node{}, Node::string(std::move(reason))});
  }

  void add(const Timeline::Flight& flight) {
    for (const Timeline::Stage& stage : flight.stages) {
      std::string waits;
      std::int64_t waited = 0;
      for (std::size_t kind = 0; kind < kWaits; ++kind) {
        if (stage.waits_ps[kind] == 0) continue;
        waited += stage.waits_ps[kind];
        waits += (waits.empty() ? "waits " : ", ") + in_us(to_us(Duration{stage.waits_ps[kind]})) + " " +
                 std::string(kWaitNames[kind]);
      }
      const std::string_view whom = timeline_.name(stage.longest_for);
      if (!waits.empty() && !whom.empty()) waits += ", longest for " + std::string(whom);
      row(flight.row, waited > stage.service_ps ? "waits" : "work", std::string(timeline_.name(stage.name)),
          stage.begin_ps, stage.end_ps, std::move(waits));
    }
  }

  void add(const Timeline::Interval& interval) {
    using State = Timeline::State;
    if (interval.state == State::blocked || interval.state == State::offline) return;
    const bool stalled = interval.state == State::running && interval.wait;
    const std::string_view what = timeline_.name(interval.what);
    row(interval.row, stalled ? "stalled" : std::string(name_of(interval.state)), std::string(what), interval.begin_ps,
        interval.end_ps, why(interval.wait, what));
  }

  const Timeline& timeline_;
  std::int64_t zero_ps_;
  Part& part_;
  std::vector<bool> used_;
  std::size_t rows_ = 0;
};

}  // namespace

Part timeline_part(const LatencyView& view, const Scenario& scenario, const std::stop_token& stop) {
  const WorstFlight& worst = view.explanation->worst.front();
  const Duration margin = std::max(kLeastMargin, worst.latency / kMargin);
  const TimelineWindow window{std::max(kStart, worst.began - margin), worst.began + worst.latency + margin};
  const Timeline timeline = record_timeline(scenario, worst.replication, window, stop);
  Part part("timeline", view.id + "-timeline", "Timeline of the slowest answer",
            {{"lane", "lane"},
             {"state", "state"},
             {"what", "who"},
             {"from", "from", "µs"},
             {"to", "to", "µs"},
             {"why", "why"}});
  Lanes lanes(timeline, worst.began, part);
  const bool whole = lanes.fill();
  part.set("lanes", lanes.names());
  part.set("from", us(window.from - worst.began)).set("to", us(window.to - worst.began));
  part.set("latency", us(worst.latency));
  part.note(
      std::string("Shaded is the answer's time, from its stimulus on. Pale is waiting; thin lines are moments. Hover "
                  "for the cause; drag, or the buttons, to zoom and pan.") +
      (whole ? "" : " So much happened that not all of it is shown."));
  return part;
}

}  // namespace vecusim::report
