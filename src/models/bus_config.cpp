// The fields of buses and frames.
#include "models/bus_config.hpp"

#include <array>

namespace vecusim {

namespace {

constexpr std::array kModels = {Option{"can", "CAN 2.0: the frame with the smallest identifier goes first"},
                                Option{"canfd", "CAN FD (ISO) with a faster data phase"},
                                Option{"flexray", "the static segment of FlexRay: each frame has its slot"},
                                Option{"ethernet", "a link of Ethernet, and the switches behind it"}};
constexpr std::array kStuffings = {
    Option{"any",
           "each frame draws from none to the most, all being as likely: 9 % under the longest frame on average"},
    Option{"none", "none: the shortest frame"}, Option{"most", "the most that any content needs: the longest frame"}};

constexpr double kCanRate = 500e3;
constexpr double kFlexRayRate = 10e6;
constexpr double kEthernetRate = 1e9;

class BusFields final : public Alternatives {
 public:
  explicit BusFields(BusConfig& config) : config_(config) {}
  std::span<const Option> options() const override { return kModels; }
  std::size_t current() const override { return static_cast<std::size_t>(config_.model); }
  void select(std::size_t option) override {
    config_.model = static_cast<BusModel>(option);
    config_.bitrate_hz = config_.model == BusModel::ethernet  ? kEthernetRate
                         : config_.model == BusModel::flexray ? kFlexRayRate
                                                              : kCanRate;
  }
  void fields(FieldVisitor& visit) override {
    switch (config_.model) {
      case BusModel::can:
        can(visit);
        return;
      case BusModel::canfd:
        can(visit);
        visit.number({"data_bitrate_hz", "bit rate from the switch of bit rates to the CRC"}, config_.data_bitrate_hz,
                     {10e3, 20e6});
        return;
      case BusModel::flexray:
        flexray(visit);
        return;
      case BusModel::ethernet:
        ethernet(visit);
        return;
    }
  }

 private:
  void can(FieldVisitor& visit) {
    visit.number({"bitrate_hz", "bit rate; of CAN FD that of arbitration"}, config_.bitrate_hz, {1e3, 5e6});
    visit.choice({"stuffing", "how many of the possible stuff bits a frame has"}, config_.stuffing, kStuffings);
    visit.list({"traffic", "all other frames on the bus"}, config_.traffic);
  }
  void flexray(FieldVisitor& visit) {
    constexpr auto kTimes = Range<Duration>{1us, 1s};
    visit.number({"bitrate_hz", "bit rate"}, config_.bitrate_hz, {1e6, 20e6});
    visit.duration({"cycle_us", "communication cycle"}, config_.cycle, kTimes);
    visit.duration({"slot_us", "length of a static slot"}, config_.slot, kTimes);
    visit.integer({"slots", "static slots; the cycle begins with them"}, config_.slots, {1, 1023});
    const Field field{"phase_us", "when the first cycle begins; if absent, one draw per replication"};
    visit.optional(field, config_.phase, [&](Duration& phase) {
      visit.duration(field, phase, {Duration::zero(), 1s});
    });
    visit.require(config_.slot * config_.slots <= config_.cycle, "slots", "so many as the cycle has room for");
  }
  void ethernet(FieldVisitor& visit) {
    visit.number({"bitrate_hz", "bit rate of every link"}, config_.bitrate_hz, {1e6, 1e12});
    visit.integer({"switches", "switches on the way: each receives the whole frame before it sends it"},
                  config_.switches, {0, 64});
    visit.duration({"switch_us", "what a switch takes beside that; 1 to 5 are usual"}, config_.switch_delay,
                   {Duration::zero(), 1s});
    visit.duration({"moderation_us", "the receiver interrupts so long after the first frame that it has not told of"},
                   config_.moderation, {Duration::zero(), 1s});
    visit.list({"traffic", "all other frames on the producer's link"}, config_.traffic);
  }

  BusConfig& config_;
};

}  // namespace

std::string_view word_of(BusModel model) { return kModels[static_cast<std::size_t>(model)].name; }

void FrameForm::fields(FieldVisitor& visit) {
  visit.integer(
      {"bytes", "payload (flexray: in words of two); ethernet: all that is on the wire, preamble and gap included",
       true},
      bytes, {0, 10000});
  const Field identifier{"id", "can, canfd: its identifier; the smaller one goes first"};
  visit.optional(identifier, id, [&](std::int64_t& v) { visit.integer(identifier, v, {0, (1 << 29) - 1}); });
  visit.flag(
      {"extended", "can, canfd: an identifier of 29 bits; the first 11 compete with short ones, which win a tie"},
      extended);
  const Field priority{"pcp", "ethernet: its priority code point; the greater one goes first; 0 if absent"};
  visit.optional(priority, pcp, [&](std::int64_t& v) { visit.integer(priority, v, {0, 7}); });
}

void FrameConfig::fields(FieldVisitor& visit) {
  visit.text({"bus", "the name of the bus it comes on", true}, bus);
  form.fields(visit);
  const Field place{"slot", "flexray: its static slot, from 1"};
  visit.optional(place, slot, [&](std::int64_t& v) { visit.integer(place, v, {1, 1023}); });
  visit.integer({"rx_fifo",
                 "frames that the device keeps for its handler; 1: a mailbox, in which a second one merges; more: a "
                 "queue that the handler empties, and what finds it full is lost"},
                rx_fifo, {1, 65536});
}

void TrafficConfig::fields(FieldVisitor& visit) {
  form.fields(visit);
  visit.duration({"period_ms", "from one to the next; the first one's time is a draw", true}, period, {1us, 1000s});
}

void BusConfig::fields(FieldVisitor& visit) {
  visit.text({"name", "how frames name it", true}, name);
  BusFields alternatives(*this);
  visit.alternatives({"model", "which bus", true}, alternatives);
}

FrameBits BusConfig::bits(const FrameForm& form) const {
  switch (model) {
    case BusModel::can:
      return can_frame(form.bytes, form.extended);
    case BusModel::canfd:
      return canfd_frame(form.bytes, form.extended);
    case BusModel::flexray:
      return flexray_frame((form.bytes + 1) / 2);
    case BusModel::ethernet:
      break;
  }
  return ethernet_frame(form.bytes);
}

}  // namespace vecusim
