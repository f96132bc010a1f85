// A golden case as its document is written (golden trace format, section 1): keys, ranges, sentences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/fields.hpp"
#include "schedulers/policy.hpp"

namespace vecusim::golden {

// Two of them can be added.
inline constexpr std::int64_t kMaxTime = (std::int64_t{1} << 62) - 1;
inline constexpr Range<std::int64_t> kTimes{0, kMaxTime};
inline constexpr Range<std::int64_t> kLengths{1, kMaxTime};
inline constexpr Range<std::int64_t> kPcpus{0, static_cast<std::int64_t>(PcpuMask::kMaxPcpus) - 1};

struct PeriodicForm {
  std::int64_t period = 1;
  std::int64_t phase = 0;
  void fields(FieldVisitor& visit) {
    visit.integer({"period", "ns", true}, period, kLengths);
    visit.integer({"phase", "ns", true}, phase, kTimes);
  }
};

struct StepForm {
  std::optional<std::int64_t> run;
  std::optional<std::int64_t> block;
  std::optional<std::int64_t> block_until;
  std::optional<PeriodicForm> block_periodic;
  std::optional<bool> wait;
  std::optional<bool> yield;
  std::optional<std::string> kick;

  void fields(FieldVisitor& visit) {
    const auto time = [&](const Field& field, std::optional<std::int64_t>& value) {
      visit.optional(field, value, [&](std::int64_t& v) { visit.integer(field, v, kTimes); });
    };
    const auto flag = [&](const Field& field, std::optional<bool>& value) {
      visit.optional(field, value, [&](bool& v) { visit.flag(field, v); });
    };
    time({"run", "needs so many ns of CPU time"}, run);
    time({"block", "blocks for so many ns"}, block);
    time({"block_until", "blocks until this moment in ns"}, block_until);
    const Field periodic{"block_periodic", "blocks until the next moment of a grid"};
    visit.optional(periodic, block_periodic, [&](PeriodicForm& v) { visit.object(periodic, v); });
    flag({"wait", "blocks until an event comes"}, wait);
    flag({"yield", "yields the pCPU"}, yield);
    const Field target{"kick", "sends an event to this vCPU"};
    visit.optional(target, kick, [&](std::string& v) { visit.text(target, v); });
  }
};

struct WorkloadForm {
  std::vector<StepForm> prologue;
  std::vector<StepForm> steps;
  bool repeat = false;
  void fields(FieldVisitor& visit) {
    visit.list({"prologue", "steps that run once"}, prologue);
    visit.list({"steps", "steps that run then", true}, steps);
    visit.flag({"repeat", "whether the steps are repeated for ever"}, repeat);
  }
};

struct ServerForm {
  std::int64_t period_us = 0;
  std::int64_t budget_us = 0;
  std::int64_t extratime = 1;
  void fields(FieldVisitor& visit) {
    visit.integer({"period_us", "period of the server", true}, period_us, {1, kMaxTime / 1000});
    visit.integer({"budget_us", "budget of the server", true}, budget_us, {1, kMaxTime / 1000});
    visit.integer({"extratime", "0 or 1", true}, extratime, Range<std::int64_t>{0, 1});
  }
};

struct VcpuForm {
  std::int64_t start = 0;
  std::vector<std::vector<std::int64_t>> affinity;
  std::optional<ServerForm> rtds;
  WorkloadForm workload;
  void fields(FieldVisitor& visit) {
    visit.integer({"start", "when it comes up, in ns"}, start, kTimes);
    visit.index_lists({"affinity", "the pCPUs that it may run on"}, affinity, kPcpus);
    const Field server{"rtds", "its RTDS parameters"};
    visit.optional(server, rtds, [&](ServerForm& v) { visit.object(server, v); });
    visit.object({"workload", "what it does", true}, workload);
  }
};

struct DomainForm {
  std::int64_t id = 0;
  std::optional<std::int64_t> weight;
  std::optional<std::int64_t> cap;
  std::vector<VcpuForm> vcpus;
  void fields(FieldVisitor& visit) {
    visit.integer({"id", "its number: its place in the list", true}, id, kTimes);
    const Field weight_field{"weight", "share under contention"};
    visit.optional(weight_field, weight, [&](std::int64_t& v) {
      visit.integer(weight_field, v, {std::int64_t{1}, std::int64_t{kMaxWeight}});
    });
    const Field cap_field{"cap", "percent of one pCPU; 0 is none"};
    visit.optional(cap_field, cap, [&](std::int64_t& v) { visit.integer(cap_field, v, {0, 100'000}); });
    visit.list({"vcpus", "its vCPUs", true}, vcpus);
  }
};

struct InterruptForm {
  std::int64_t t = 0;
  std::vector<std::string> v;
  void fields(FieldVisitor& visit) {
    visit.integer({"t", "when, in ns", true}, t, kTimes);
    visit.texts({"v", "the vCPU or vCPUs that it wakes", true}, v);
  }
};

struct TopologyForm {
  std::vector<std::vector<std::int64_t>> socket;
  std::vector<std::vector<std::int64_t>> core;
  bool smt = false;
  void fields(FieldVisitor& visit) {
    visit.index_lists({"socket", "socket of each pCPU", true}, socket, kTimes);
    visit.index_lists({"core", "core of each pCPU", true}, core, kTimes);
    visit.flag({"smt", "whether pCPUs of the same socket and core are siblings"}, smt);
  }
};

struct EntryForm {
  std::string v;
  std::int64_t runtime = 1;
  void fields(FieldVisitor& visit) {
    visit.text({"v", "the vCPU that the slot belongs to", true}, v);
    visit.integer({"runtime", "length of the slot in ns", true}, runtime, kLengths);
  }
};

struct TableForm {
  std::int64_t major_frame = 1;
  std::vector<EntryForm> entries;
  void fields(FieldVisitor& visit) {
    visit.integer({"major_frame", "length of the frame in ns", true}, major_frame, kLengths);
    visit.list({"entries", "the slots", true}, entries);
  }
};

struct CaseForm {
  std::string name;
  std::string scheduler;
  std::int64_t pcpus = 1;
  std::optional<TopologyForm> topology;
  std::int64_t duration = 0;
  std::vector<DomainForm> domains;
  std::vector<InterruptForm> interrupts;
  std::optional<TableForm> arinc653;

  void fields(FieldVisitor& visit) {
    visit.text({"name", "name of the case", true}, name);
    visit.text({"scheduler", "the scheduler that is driven", true}, scheduler);
    visit.integer({"pcpus", "number of pCPUs", true}, pcpus, {1, static_cast<std::int64_t>(PcpuMask::kMaxPcpus)});
    const Field topology_field{"topology", "where the pCPUs sit"};
    visit.optional(topology_field, topology, [&](TopologyForm& v) { visit.object(topology_field, v); });
    visit.integer({"duration", "when the case ends, in ns", true}, duration, kTimes);
    visit.list({"domains", "the domains in the order of creation", true}, domains);
    visit.list({"interrupts", "the external events"}, interrupts);
    const Field table_field{"arinc653", "the schedule of ARINC653"};
    visit.optional(table_field, arinc653, [&](TableForm& v) { visit.object(table_field, v); });
  }
};

}  // namespace vecusim::golden
