// Bench data: what a bench wrote, as samples or as rows of a table.
//
// A file of any form that has latencies in it (data_forms.hpp): what cyclictest, rtla, logic analysers, ftrace or
// xentrace wrote, or comma-separated text with a header that says what it is. U is the unit: ns, us, ms or s.
//   seq,t_out_U,t_in_U       one record per edge: when it went out, when the answer came in; no t_in: no answer
//   latency_U                one record per edge: the latency; an empty line: no answer
//   latency_U,count          one record per value: how many edges had it; for a histogram
//   n,min_U,mean_U,max_U     one record per experiment of n samples: what a table prints; also p50_U, p90_U, p99_U,
//                            p99_9_U, p99_99_U, std_U, lost, and the name of the experiment as `row`
// Columns may stand in any order, blanks around fields and a byte-order mark are ignored, lines end in LF or CR LF, and
// lines that begin with # are remarks.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/case_statistic.hpp"
#include "analysis/feasibility.hpp"
#include "engine/time.hpp"
#include "system/place.hpp"
#include "system/problem.hpp"

namespace vecusim {

/// Every edge of one experiment.
struct BenchSamples {
  /// In the order of the file.
  std::vector<Duration> latencies;
  std::int64_t missed = 0;
  /// The true latency is within half a step of the printed one. Guessed from the digits and, where at least ten
  /// different values have a coarser step in common, from that; twice as much where a latency is the difference of two
  /// stamps.
  Duration step{};
};

/// One row of a table of experiments.
struct BenchRow {
  /// Its number, from 1, if the table has no column `row`.
  std::string name;
  std::int64_t n = 0;
  std::map<Statistic, Figure> figures;
  std::optional<std::int64_t> lost;
  Place place;

  PrintedRow printed() const;
};

struct BenchData {
  /// As it was given to the reader.
  std::string name;
  std::variant<BenchSamples, std::vector<BenchRow>> content;
  /// What was accepted and is strange: a gap in `seq`, a blank last line.
  Problems warnings;
};

/// Reads to the end, keeping the text and eight bytes per sample. Throws InvalidInput with every record that is wrong:
/// a negative latency, an answer before its edge, `seq` that does not ascend, a decimal comma, … and if there is no
/// sample at all.
BenchData read_bench_data(std::istream& in, const std::string& name);
/// The same from a file, or from the standard input if `path` is "-".
BenchData read_bench_file(const std::string& path);

}  // namespace vecusim
