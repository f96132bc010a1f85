// Reads what logic analysers record of digital lines (Saleae, sigrok), and pairs edges into latencies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reading.hpp"

namespace vecusim {

struct LineEdge {
  Duration at;
  std::uint16_t channel;
  bool rise;
};

struct EdgesReading {
  /// Names as the file gives them; two may be the same, so channels are chosen by index.
  std::vector<std::string> channels = {};
  /// By time.
  std::vector<LineEdge> edges = {};
  /// Of the stamps.
  Duration step{};
  /// When the record ends: for stimuli without an answer.
  Duration end{};
  std::vector<Fact> facts = {};
  Problems problems = {};
};

/// Saleae's CSV: `Time [s],Channel 0,…`, and a row for each change.
EdgesReading read_saleae(std::string_view text, const std::string& name);

/// sigrok-cli's CSV: remarks behind `;`, and a row for each sample at the rate that the remarks give; with a column of
/// times as PulseView writes them, if there is one.
EdgesReading read_sigrok(std::string_view text, const std::string& name);

struct PairingRule {
  std::uint16_t stimulus = 0;
  std::uint16_t response = 1;
  /// Which edges of both lines count; empty: all.
  std::optional<bool> rise = true;
  /// An answer that comes later is none.
  std::optional<Duration> timeout = {};
  /// An edge that follows another one of its line sooner is a bounce.
  Duration min_gap{};
};

/// Each response belongs to the last stimulus before it, and answers it if it is the first to do so. A stimulus that
/// another one follows before any response is missed; the last one too if the record ends first.
LatencySeries pair_edges(const EdgesReading& edges, const PairingRule& rule);

}  // namespace vecusim
