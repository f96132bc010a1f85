// Traces in formats that others read: one timeline, five ways to write it down.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/text_stream.hpp"
#include "analysis/timeline.hpp"

namespace vecusim {

struct TraceFormat {
  std::string_view name;
  /// Of files that are written in it without being asked.
  std::string_view ending;
  std::string_view sentence;
  void (*write)(const Timeline& timeline, TextStream& out);
};

/// All there are.
const std::vector<TraceFormat>& trace_formats();
/// Null if there is none of that name.
const TraceFormat* find_trace_format(std::string_view name);
/// By the ending of a file's name; null if none has it.
const TraceFormat* trace_format_of(std::string_view file);

// One file each, trace_NAME.cpp.
void write_chrome(const Timeline& timeline, TextStream& out);
void write_btf(const Timeline& timeline, TextStream& out);
void write_vcd(const Timeline& timeline, TextStream& out);
void write_trace_csv(const Timeline& timeline, TextStream& out);
void write_trace_ndjson(const Timeline& timeline, TextStream& out);

/// One record of a timeline, for formats that list them by time.
struct TimelineEntry {
  enum class Kind : std::uint8_t { flight, stage, interval, instant };
  std::int64_t at_ps;  ///< its begin
  Kind kind;
  std::size_t index;
  std::size_t stage = 0;  ///< of the flight `index`
};

/// Everything by time; of one moment in the order of Kind.
std::vector<TimelineEntry> by_time(const Timeline& timeline);

/// The rows of these names (of a row, or of a domain for all of its rows) with what belongs to them.
Timeline only(Timeline timeline, const std::vector<std::string>& names);
/// What `only` understands of a scenario's timelines: rows and domains, each once.
std::vector<std::string> timeline_names(const Scenario& scenario);

}  // namespace vecusim
