// The forms of data that are read, each told by its content; the one list of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/reading.hpp"

namespace vecusim {

enum class DataForm : std::uint8_t {
  xentrace,
  capture,
  cyclictest_json,
  result,
  validation,
  own_document,
  timerlat,
  osnoise_histogram,
  osnoise,
  ftrace,
  xl,
  saleae,
  sigrok,
  cyclictest,
  latency_matrix,
  sweep,
  bench,
  xl_cfg
};

struct DataFormEntry {
  DataForm form;
  std::string_view name;
  /// What it is, for people.
  std::string_view sentence;
  bool (*fits)(std::string_view bytes);
};

/// In the order in which they are tried.
std::span<const DataFormEntry> data_forms();

/// Null if it is none of them.
const DataFormEntry* data_form_of(std::string_view bytes);

/// "xentrace's buffers, …": what was looked for.
std::string known_data_forms();

/// Whether latencies can be read from it, and they.
bool has_latencies(DataForm form);
LatencyReading read_latencies(DataForm form, std::string_view bytes, const std::string& name);

}  // namespace vecusim
