// The fields of a network.
#include "models/network_config.hpp"

#include <algorithm>
#include <array>

namespace vecusim {

namespace {

constexpr std::array kPaths = {
    Option{"native", "the one operating system has the device's queues"},
    Option{"bridge", "dom0 has them; a software bridge, netback and netfront lead to the domains"},
    Option{"rswitch2", "the domains have them; dom0 handles interrupts and doorbells for them"},
    Option{"passthrough", "a domain has them and their interrupt"}};
constexpr std::array kDirections = {Option{"rx", "from the wire to a program that waits at a socket"},
                                    Option{"tx", "from a program to the wire"}};
constexpr std::array kArrivals = {
    Option{"constant", "at constant distances"},
    Option{"poisson",
           "at random, as from many senders behind the switch's ports; only the mean rate is held to a port's"},
    Option{"burst",
           "burst_frames back to back, the bursts at constant distances: a sender that looks at the clock every "
           "millisecond sends 49 frames of 1538 bytes at 600 Mb/s"},
    Option{"window",
           "one after another, at most at the rate, while less than window_bytes is outstanding: until the program has "
           "read it or it has been dropped (rx), or until its buffer has been freed, as a socket's send buffer counts "
           "(tx)"},
    Option{"recorded", "as in a capture, once"}};

}  // namespace

void FlowConfig::fields(FieldVisitor& visit) {
  visit.text({"name", "how results name it", true}, name);
  visit.choice({"direction", "seen from the domain"}, direction, kDirections);
  visit.text({"domain", "where its program runs", true}, domain);
  visit.choice({"arrivals", "when frames come (rx), or when the program has one to send (tx)"}, arrivals, kArrivals);
  visit.number({"rate_mbps",
                "offered rate on the wire, preamble and gap included; of a window: the most; recorded frames have "
                "their own"},
               rate_mbps, {0.001, 100000.0, 0.0});
  visit.require(rate_mbps > 0.0 || arrivals == Arrivals::recorded, "rate_mbps", "the offered rate");
  visit.integer({"frame_bytes",
                 "of one frame on the wire, preamble, check sequence and gap included: 66 more than the "
                 "payload of UDP"},
                frame_bytes, {kLeastWireBytes, kMostWireBytes});
  visit.integer({"burst_frames", "burst: frames of one burst"}, burst_frames, {1, 100000});
  visit.integer({"window_bytes", "window: on the wire, as frame_bytes; a frame at least"}, window_bytes,
                {1, 1'000'000'000});
  visit.duration({"peer_us", "window, rx: what the sender takes from the end of a frame to the next one"}, peer,
                 {Duration::zero(), 1s});
  recorded(visit);
  visit.integer({"port", "external port of the device"}, port, {0, 63});
  visit.integer({"priority", "in the device's queues; a greater one goes first"}, priority, {0, 7});
  visit.flag({"routed", "looked up in the device's table of routes (L3) instead of that of addresses (L2)"}, routed);
}

void FlowConfig::recorded(FieldVisitor& visit) {
  const Field capture{
      "file",
      "recorded: a capture (pcap, pcapng) of Ethernet frames, read with the scenario and relative to its "
      "folder: times and lengths, no content"};
  if (visit.wants(capture, !file.empty())) {
    visit.text(capture, file);
  } else {
    file.clear();
  }
  const Field when{"times_us", "recorded: times of the frames since the start, ascending; filled in from the file"};
  if (visit.wants(when, arrivals == Arrivals::recorded)) {
    visit.durations(when, times, {Duration::zero(), Duration::max()});
    visit.require(std::is_sorted(times.begin(), times.end()), "times_us", "ascending times");
  }
  const Field lengths{"sizes_bytes", "recorded: their sizes on the wire, as frame_bytes; filled in from the file"};
  if (visit.wants(lengths, arrivals == Arrivals::recorded)) {
    visit.numbers(lengths, sizes_bytes, {static_cast<double>(kLeastWireBytes), static_cast<double>(kMostWireBytes)});
    visit.require(sizes_bytes.size() == times.size(), "sizes_bytes", "one for each of the times");
  }
}

void NetworkConfig::fields(FieldVisitor& visit) {
  visit.choice({"path", "the way of frames between device and domain", true}, path, kPaths);
  visit.integer({"ports", "external ports of the device"}, ports, {1, 64});
  visit.number({"port_mbps", "rate of an external port"}, port_mbps, {10.0, 100000.0});
  visit.integer({"rx_descriptors", "of a receive queue; a frame that finds none free is dropped"}, rx_descriptors,
                {1, 65536});
  visit.integer({"tx_descriptors", "of a transmit queue"}, tx_descriptors, {1, 65536});
  visit.duration({"moderation_us", "the device interrupts so long after the first frame, at most; 0: at once"},
                 moderation, {Duration::zero(), 10ms});
  visit.integer({"moderation_frames", "… or when so many frames wait"}, moderation_frames, {1, 65536});
  visit.flag({"tx_completion_irq", "rswitch2: sent frames raise the queue's interrupt, too"}, tx_completion_irq);
  visit.integer({"cpu", "CPU of the domain that the device's interrupts are routed to"}, cpu, {0, 1023});
  visit.list({"flows", "what is sent and received", true}, flows);
}

}  // namespace vecusim
