// What a bus demands of its frames, and whether it has room for them.
#include "system/check_frames.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "system/findings.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"

namespace vecusim {

namespace {

class FrameRules {
 public:
  explicit FrameRules(const Scenario& scenario) : scenario_(scenario), spec_(scenario.board.spec()) {
    for (const BusConfig& bus : scenario.buses) names_.push_back(bus.name);
  }

  std::vector<Problem> all() {
    std::set<std::string> seen;
    for (std::size_t b = 0; b < scenario_.buses.size(); ++b) {
      const std::string pointer = json::child("/buses", b);
      if (!seen.insert(names_[b]).second) {
        found_.error(json::child(pointer, "name"), "a name of its own for each bus",
                     json::quoted(names_[b]) + " again");
      }
      const BusConfig& bus = scenario_.buses[b];
      for (std::size_t t = 0; t < bus.traffic.size(); ++t) {
        const std::string frame = json::child(json::child(pointer, "traffic"), t);
        form(bus, bus.traffic[t].form, frame);
        own_identifier(b, bus.traffic[t].form, frame);
      }
    }
    for (std::size_t i = 0; i < scenario_.interrupts.size(); ++i) interrupt(i);
    for (std::size_t b = 0; b < scenario_.buses.size(); ++b) load(b);
    return found_.take();
  }

 private:
  void interrupt(std::size_t index) {
    const InterruptConfig& config = scenario_.interrupts[index];
    const std::string pointer = json::child("/interrupts", index);
    if (!config.frame) {
      if (config.measure.from == Point::producer) {
        found_.error(json::child(json::child(pointer, "measure"), "from"), "\"edge\" or \"kernel\" without a frame",
                     "\"producer\"");
      }
      return;
    }
    const auto source = source_of(spec_, config.source);
    const bool device =
        source && (source->kind == InterruptSource::Kind::line || source->kind == InterruptSource::Kind::pin);
    if (!device) {
      found_.error(json::child(pointer, "source"), "a line or a pin of the board, at which the bus's device is",
                   json::quoted(config.source));
    }
    if (config.measure.late_answer == LateAnswer::counted) {
      found_.error(json::child(json::child(pointer, "measure"), "late_answer"),
                   "\"separate\": frames can be told apart by what is in them", "\"counted\"");
    }
    frame(*config.frame, source, json::child(pointer, "frame"));
  }

  void frame(const FrameConfig& frame, const std::optional<InterruptSource>& source, const std::string& pointer) {
    const bool keeps =
        source && source->kind == InterruptSource::Kind::line && spec_.lines[source->index].trigger == Trigger::level;
    if (frame.rx_fifo > 1 && !keeps) {
      found_.error(json::child(pointer, "rx_fifo"), "1 where the source is no level line: an edge tells of one frame",
                   std::to_string(frame.rx_fifo));
    }
    const auto named = std::find(names_.begin(), names_.end(), frame.bus);
    if (named == names_.end()) {
      found_.error(json::child(pointer, "bus"), "the name of a bus", json::quoted(frame.bus),
                   nearest(frame.bus, names_));
      return;
    }
    const auto index = static_cast<std::size_t>(named - names_.begin());
    const BusConfig& bus = scenario_.buses[index];
    form(bus, frame.form, pointer);
    own_identifier(index, frame.form, pointer);
    own_slot(index, frame, pointer);
    const bool slotted = bus.model == BusModel::flexray;
    if (slotted && (!frame.slot || *frame.slot > bus.slots)) {
      found_.error(json::child(pointer, "slot"), "a static slot, 1 to " + std::to_string(bus.slots),
                   frame.slot ? std::to_string(*frame.slot) : "nothing");
    }
    if (!slotted && frame.slot) found_.error(json::child(pointer, "slot"), "no such key but on flexray", "\"slot\"");
    if (slotted && received(bus.bits(frame.form), bus.rates(), kUnstuffed) > bus.slot) {
      found_.error(json::child(pointer, "bytes"), "a payload whose frame fits into the slot",
                   std::to_string(frame.form.bytes));
    }
  }

  void form(const BusConfig& bus, const FrameForm& form, const std::string& pointer) {
    const bool can = bus.model == BusModel::can || bus.model == BusModel::canfd;
    if (can && !form.id)
      found_.error(json::child(pointer, "id"), "an identifier, which decides who goes first", "nothing");
    constexpr std::int64_t kLastStandard = 0x7ff;
    if (can && form.id.value_or(0) > kLastStandard && !form.extended) {
      found_.error(json::child(pointer, "id"), "at most 2047, or \"extended\": true", std::to_string(*form.id));
    }
    if (!can && form.id) found_.error(json::child(pointer, "id"), "no such key but on can and canfd", "\"id\"");
    if (bus.model != BusModel::ethernet && form.pcp) {
      found_.error(json::child(pointer, "pcp"), "no such key but on ethernet", "\"pcp\"");
    }
    if (fits(bus.model, form.bytes)) return;
    static constexpr const char* kSizes[] = {"0 to 8", "0 to 8, 12, 16, 20, 24, 32, 48 or 64", "0 to 254",
                                             "84 to 1542, the shortest and the longest frame with preamble and gap"};
    found_.error(json::child(pointer, "bytes"), kSizes[static_cast<std::size_t>(bus.model)],
                 std::to_string(form.bytes));
  }

  // Arbitration decides between identifiers: two frames with the same one would be on the wire together.
  void own_identifier(std::size_t bus, const FrameForm& form, const std::string& pointer) {
    const BusModel model = scenario_.buses[bus].model;
    if ((model != BusModel::can && model != BusModel::canfd) || !form.id) return;
    if (identifiers_.insert({bus, *form.id, form.extended}).second) return;
    found_.error(json::child(pointer, "id"), "an identifier of its own for each frame of a bus",
                 std::to_string(*form.id) + " again");
  }

  void own_slot(std::size_t bus, const FrameConfig& frame, const std::string& pointer) {
    if (scenario_.buses[bus].model != BusModel::flexray || !frame.slot) return;
    if (slots_.insert({bus, *frame.slot}).second) return;
    found_.error(json::child(pointer, "slot"), "a slot of its own for each frame of a bus",
                 std::to_string(*frame.slot) + " again");
  }

  static bool fits(BusModel model, std::int64_t bytes) {
    static const std::set<std::int64_t> kLong = {12, 16, 20, 24, 32, 48, 64};
    switch (model) {
      case BusModel::can:
        return bytes <= 8;
      case BusModel::canfd:
        return bytes <= 8 || kLong.contains(bytes);
      case BusModel::flexray:
        return bytes <= 254;
      case BusModel::ethernet:
        break;
    }
    return 84 <= bytes && bytes <= 1542;
  }

  // A bus that is offered more than it carries makes its frames wait for ever longer.
  void load(std::size_t index) {
    const BusConfig& bus = scenario_.buses[index];
    if (bus.model == BusModel::flexray) return;
    const double share = bus.stuffing == Stuffing::none ? kUnstuffed : kFullyStuffed;
    double busy = 0.0;
    const auto add = [&](const FrameForm& form, double per_s) {
      busy += per_s * to_s(occupied(bus.bits(form), bus.rates(), share));
    };
    for (const TrafficConfig& traffic : bus.traffic) add(traffic.form, 1.0 / to_s(traffic.period));
    for (std::size_t i = 0; i < scenario_.interrupts.size(); ++i) {
      const InterruptConfig& interrupt = scenario_.interrupts[i];
      if (!interrupt.frame || interrupt.frame->bus != bus.name) continue;
      add(interrupt.frame->form, rate_of(scenario_.interrupts[leader_of(scenario_.interrupts, i)].stimulus));
    }
    if (busy < 1.0) return;
    found_.warn(json::child("/buses", index), "bus-load", "frames that take less than all of the bus's time",
                std::to_string(std::lround(100.0 * busy)) + " % at their longest");
  }

  // Edges per second in the long run; of recorded times nothing is known.
  static double rate_of(const StimulusConfig& stimulus) {
    switch (stimulus.model) {
      case StimulusModel::periodic:
        return 1.0 / to_s(stimulus.period);
      case StimulusModel::poisson:
        return 1.0 / to_s(stimulus.mean_interval);
      case StimulusModel::burst:
        return static_cast<double>(stimulus.edges) / to_s(stimulus.period);
      case StimulusModel::recorded:
      case StimulusModel::follows:
        break;
    }
    return 0.0;
  }

  const Scenario& scenario_;
  BoardSpec spec_;
  std::vector<std::string> names_;
  std::set<std::tuple<std::size_t, std::int64_t, bool>> identifiers_;  // bus, identifier, a long one
  std::set<std::pair<std::size_t, std::int64_t>> slots_;
  Findings found_;
};

}  // namespace

std::vector<Problem> frame_problems(const Scenario& scenario) { return FrameRules(scenario).all(); }

}  // namespace vecusim
