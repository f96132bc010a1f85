// Lint of schedulers: settings that Xen takes and that do not do what their author probably expects.
//
// Pure functions over plain values. Every finding has a stable rule id, the JSON pointer of what causes it, and an
// empty place, which the caller fills in. Most are warnings; what Xen refuses is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedulers/catalogue.hpp"
#include "system/problem.hpp"

namespace vecusim {

/// A domain of a pool; what a scenario does not say is absent.
struct LintedDomain {
  /// "/domains/1"
  std::string pointer;
  std::string name;
  std::size_t vcpus = 1;
  std::optional<std::int64_t> weight;
  std::optional<std::int64_t> cap_pct;
  /// One for every vCPU, or none: all may run everywhere.
  std::vector<PcpuMask> affinity;
  std::optional<Duration> budget;
  std::optional<Duration> period;
  std::optional<bool> extratime;
};

/// A cpupool with its scheduler.
struct LintedPool {
  /// Of the scheduler: "/hypervisor/scheduler".
  std::string pointer;
  /// Its name in the catalogue of policies.
  std::string scheduler;
  PcpuMask pcpus;
  bool vwfi_native = false;
  /// In the order of their creation.
  std::vector<LintedDomain> domains;
  /// Of the schedulers that have it.
  std::optional<Duration> ratelimit;
  /// Credit
  std::optional<Duration> tslice;
  /// Credit2
  std::optional<Duration> cap_period;
  /// Credit2: each pCPU has a runqueue of its own.
  bool runqueue_per_pcpu = false;
  /// ARINC653; null: none.
  const NamedSlotTable* table = nullptr;
};

/// All findings, rule by rule.
std::vector<Problem> lint(const LintedPool& pool);

}  // namespace vecusim
