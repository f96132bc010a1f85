// Reads what xl prints: info, list, vcpu-list, the schedulers' verbs and cpupool-list, in one text or in several.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reading.hpp"

namespace vecusim {

/// pCPUs; empty: all of them.
using XlCpus = std::optional<std::vector<std::int64_t>>;

/// "all", "1", "2-3", "0,3-5". Ascending, each once. Nothing if it is anything else or names a pCPU above 255.
std::optional<XlCpus> parse_xl_cpus(std::string_view text);

/// A line of `xl list`.
struct XlDomain {
  std::string name;
  std::uint64_t id;
  std::uint64_t memory_mib;
  std::uint64_t vcpus;
  std::string state;
  Duration time;
};

/// A line of `xl vcpu-list`.
struct XlVcpu {
  std::string domain;
  std::uint64_t id;
  std::uint64_t vcpu;
  /// Empty if it is offline.
  std::optional<std::uint64_t> pcpu;
  std::string state;
  Duration time;
  XlCpus hard;
  XlCpus soft;
};

/// A line of `xl sched-credit2` or `xl sched-credit`.
struct XlShare {
  std::string domain;
  std::uint64_t id;
  std::uint64_t weight;
  std::uint64_t cap;
};

/// A line of `xl sched-rtds`.
struct XlBudget {
  std::string domain;
  std::uint64_t id;
  /// Empty if all of its vCPUs are shown as one.
  std::optional<std::uint64_t> vcpu;
  Duration period;
  Duration budget;
  bool extratime;
};

/// What is said of a cpupool; what is not said is empty.
struct XlPool {
  std::string name;
  std::string scheduler = {};
  std::optional<std::uint64_t> ratelimit_us = {};
  std::optional<std::uint64_t> tslice_ms = {};
  std::optional<std::uint64_t> pcpus = {};
  XlCpus cpus = {};
};

struct XlReading {
  /// Of `xl info`, without the host's name.
  std::vector<Fact> info = {};
  std::vector<XlDomain> domains = {};
  std::vector<XlVcpu> vcpus = {};
  std::vector<XlShare> shares = {};
  std::vector<XlBudget> budgets = {};
  std::vector<XlPool> pools = {};
  Problems problems = {};

  /// Empty if `xl info` does not have it.
  std::string_view info_of(std::string_view key) const;
};

XlReading read_xl(std::string_view text, const std::string& name);

}  // namespace vecusim
