// Exports: what a simulation found, in formats that others' tools read.
#pragma once

#include <string>
#include <vector>

#include "analysis/experiment.hpp"
#include "analysis/result.hpp"
#include "analysis/tally.hpp"
#include "analysis/text_stream.hpp"
#include "system/json_node.hpp"
#include "system/scenario.hpp"

namespace vecusim {

// ---- Samples, one line each, by replication and then by the time of their end ----
//
// As a bench has them, from each stimulus to its own answer, whatever `late_answer` says; what was stimulated in the
// warm-up is left out. `interrupts`: indices into the scenario's. Throws Interrupted if stopped.

/// `interrupt,replication,seq,t_out_us,t_in_us,latency_us,fate`; without an answer the times that there are not are
/// empty fields.
void write_samples_csv(const Scenario& scenario, const std::vector<std::size_t>& interrupts, const Parallel& parallel,
                       TextStream& out);
/// The same as objects, with stages.
void write_samples_ndjson(const Scenario& scenario, const std::vector<std::size_t>& interrupts,
                          const Parallel& parallel, TextStream& out);

// ---- Distributions of latencies, as a result counts them ----

/// An interrupt's, to be written beside others'.
struct NamedLatency {
  std::string name;
  const LatencyTally* tally;
};

/// Percentiles as HdrHistogram prints them, in µs; of one interrupt, which must have samples.
void write_hgrm(const NamedLatency& latency, TextStream& out);
/// The text of cyclictest's histogram in µs, an interrupt in place of a thread. Latencies of 1 s and more are its
/// overflows. `remark`: the first line.
void write_cyclictest(const std::vector<NamedLatency>& latencies, const std::string& remark, TextStream& out);
/// The matrix that OSADL plots: a line for each µs, a column for each interrupt.
void write_osadl(const std::vector<NamedLatency>& latencies, TextStream& out);

// ---- JUnit XML ----

/// One thing that was to be so.
struct Testcase {
  std::string suite;
  std::string name;
  /// Empty if it is so.
  std::string failure = {};
  /// Why it cannot be said; empty if it can.
  std::string skipped = {};
};

/// A testcase for each requirement.
std::vector<Testcase> testcases_of(const std::string& scenario, const Result& result);
/// A testcase for each row of the document vecusim/validation/1. Throws InvalidInput if it is none.
std::vector<Testcase> testcases_of(const json::Node& validation);
/// One suite after the other, in the order of their first testcases.
void write_junit(const std::vector<Testcase>& testcases, TextStream& out);

}  // namespace vecusim
