// Reads what xentrace writes: the trace buffers of Xen, window by window, merged by time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/trace.hpp"
#include "system/problem.hpp"

namespace vecusim {

/// A vCPU as a trace names it. Idle is domain 32767, its vCPU the pCPU's number.
struct TracedVcpu {
  static constexpr std::uint16_t kIdleDomain = 32767;

  std::uint16_t domain = 0;
  std::uint16_t vcpu = 0;

  bool idle() const { return domain == kIdleDomain; }
  friend bool operator==(const TracedVcpu&, const TracedVcpu&) = default;
  friend bool operator<(const TracedVcpu& a, const TracedVcpu& b) {
    return std::pair(a.domain, a.vcpu) < std::pair(b.domain, b.vcpu);
  }
};

/// "d0v1", or "idle2".
std::string to_text(TracedVcpu vcpu);

/// The events of xentrace that have a meaning here. Numbers are those of the record's header, runstate changes with
/// their states taken out; every other event is kept as it is.
enum class XenEvent : std::uint32_t {
  lost_records = 0x1f001,
  runstate_change = 0x21001,
  continue_running = 0x21002,
  domain_add = 0x28001,
  wake = 0x28004,               ///< domain, vcpu
  yield = 0x28005,              ///< domain, vcpu
  block = 0x28006,              ///< domain, vcpu
  switched = 0x2800a,           ///< domain and vcpu before, domain and vcpu after
  switch_from = 0x2800e,        ///< domain, vcpu, ns that it ran
  switch_to = 0x2800f,          ///< domain, vcpu, ns since it was descheduled last (not since it woke), slice in ns
  switch_none = 0x28011,        ///< domain, vcpu, ns that it ran, slice in ns: it goes on
  credit2_burn = 0x22203,       ///< vcpu, credit, budget, delta
  credit2_tickle = 0x22206,     ///< pCPU
  credit2_reset = 0x22207,      ///< vcpu, credit before, credit after
  credit2_queued = 0x2220d,     ///< vcpu (TICKLE_NEW: a wake reached the run queue), processor, credit
  credit2_ratelimit = 0x22216,  ///< vcpu, ns that it ran
  rtds_replenish = 0x22804,     ///< vcpu, priority level, deadline (2 words), budget (2 words)
};

/// One record.
struct XentraceRecord {
  static constexpr std::size_t kMostWords = 7;

  /// In ticks of the counter (on Arm the generic timer's, of which the file does not tell the frequency). A record
  /// without a stamp has that of the one before it on its pCPU.
  std::uint64_t ticks = 0;
  /// Of the header in the file.
  std::uint64_t offset = 0;
  std::uint32_t event = 0;
  std::uint16_t pcpu = 0;
  std::uint8_t words = 0;
  std::array<std::uint32_t, kMostWords> word{};

  XenEvent kind() const;
  /// Named by words 0 and 1 as verbose records do, or by word 0 alone as those of schedulers and runstates do.
  TracedVcpu vcpu_of_two() const { return {static_cast<std::uint16_t>(word[0]), static_cast<std::uint16_t>(word[1])}; }
  TracedVcpu vcpu_of_one() const {
    return {static_cast<std::uint16_t>(word[0] >> 16U), static_cast<std::uint16_t>(word[0])};
  }
};

std::string_view name_of(Runstate state);

struct RunstateChange {
  TracedVcpu vcpu;
  Runstate from;
  Runstate to;
};

/// Empty if the record is none.
std::optional<RunstateChange> runstate_change(const XentraceRecord& record);

struct Xentrace {
  /// By time; of the same tick, by pCPU and as in the file. 56 bytes each, where the file has 4 at least.
  std::vector<XentraceRecord> records;
  /// pCPUs that wrote, ascending.
  std::vector<std::uint16_t> pcpus;
  /// That the buffers had no room for.
  std::uint64_t lost_records = 0;
  /// Warnings: places (column: byte from 1) where something is missing or makes no sense, and what was left out.
  Problems problems;
};

/// Whether it begins with a window, as every such file but an empty one does.
bool looks_like_xentrace(std::string_view bytes);

/// Never fails: what is sound is read, and what is not is told. Little-endian, as all that Xen runs on today.
Xentrace read_xentrace(std::string_view bytes, const std::string& name);

/// The counter's frequency, if the trace tells: from the times that vCPUs ran, which are there in ns beside the ticks.
/// Good to a part in a thousand. Empty if there are fewer than ten such runs of 100 µs or more.
std::optional<double> guess_counter_hz(const Xentrace& trace);

}  // namespace vecusim
