// Import: what a file of any known form says, as facts, tables and samples.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/data_forms.hpp"
#include "analysis/read_edges.hpp"
#include "analysis/read_xl.hpp"
#include "analysis/read_xl_cfg.hpp"
#include "analysis/reading.hpp"
#include "system/json_node.hpp"

namespace vecusim {

struct ImportOptions {
  PairingRule pairing = {};
  /// Of the counter behind a trace's stamps; empty: as the trace tells.
  std::optional<double> counter_hz = {};
};

/// Rows of strings, numbers and nulls.
struct ImportTable {
  std::string key;
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<json::Node>> rows = {};
};

struct Imported {
  std::string name;
  const DataFormEntry* form = nullptr;
  std::vector<Fact> facts = {};
  std::vector<ImportTable> tables = {};
  /// Its latencies, if it has any; without facts and problems.
  LatencyReading latencies = {};
  /// A line for each frame of a capture: `time_us,bytes` since the first one.
  std::string times = {};
  std::optional<XlReading> xl = {};
  std::optional<XlConfig> config = {};
  /// Errors: records that could not be read.
  Problems problems = {};
};

/// Throws InvalidInput if the form is unknown.
Imported import_data(std::string_view bytes, const std::string& name, const ImportOptions& options);

/// All of some files; `-` is the standard input. Throws InvalidInput with every problem of those of which nothing can
/// be had; what is wrong with the others is in Imported::problems.
std::vector<Imported> import_files(const std::vector<std::string>& paths, const ImportOptions& options);

/// For a terminal of 80 columns.
std::string to_text(const std::vector<Imported>& files);
/// The document `vecusim/import/1`.
json::Node to_json(const std::vector<Imported>& files);
/// `latency_us,count` of all series as one sample, which is what `--data` takes; or the times of a capture. Empty if
/// there is neither.
std::string samples_csv(const Imported& file);
/// Every series, as `vecusim/samples/1`.
json::Node samples_json(const Imported& file);

}  // namespace vecusim
