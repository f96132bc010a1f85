// How each form is recognised: by what its first lines or bytes must be.
#include "analysis/data_forms.hpp"

#include <algorithm>
#include <array>

#include "analysis/bench_data_columns.hpp"
#include "analysis/ftrace_summary.hpp"
#include "analysis/read_cyclictest.hpp"
#include "analysis/read_edges.hpp"
#include "analysis/read_rtla.hpp"
#include "analysis/text_records.hpp"
#include "analysis/xentrace_summary.hpp"
#include "system/utf8.hpp"

namespace vecusim {
namespace {

/// What a form is told by is near its beginning.
constexpr std::size_t kHead = 4096;

std::string_view head_of(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  return bytes.substr(0, kHead);
}

bool has(std::string_view bytes, std::string_view text) { return head_of(bytes).find(text) != std::string_view::npos; }

/// Whether one of the first lines is such a one.
template <class Predicate>
bool any_line(std::string_view bytes, Predicate predicate) {
  std::string_view head = head_of(bytes);
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    std::string_view line = head.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (predicate(line)) return true;
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end + 1);
  }
  return false;
}

/// The first line that is not blank and does not begin with #.
std::string_view first_record(std::string_view bytes) {
  std::string_view first;
  any_line(bytes, [&](std::string_view line) {
    if (without_blanks(line).empty() || line.starts_with('#')) return false;
    first = line;
    return true;
  });
  return first;
}

std::string_view first_line(std::string_view bytes) {
  const std::string_view head = head_of(bytes);
  return head.substr(0, head.find_first_of("\r\n"));
}

bool is_json(std::string_view bytes) {
  const std::string_view head = head_of(bytes);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{';
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool fits_capture(std::string_view bytes) {
  constexpr std::array<std::string_view, 5> kMagic = {
      std::string_view{"\xa1\xb2\xc3\xd4", 4}, std::string_view{"\xd4\xc3\xb2\xa1", 4},
      std::string_view{"\xa1\xb2\x3c\x4d", 4}, std::string_view{"\x4d\x3c\xb2\xa1", 4},
      std::string_view{"\x0a\x0d\x0d\x0a", 4}};
  return std::any_of(kMagic.begin(), kMagic.end(), [&](auto magic) { return bytes.starts_with(magic); });
}

bool fits_cyclictest_json(std::string_view bytes) {
  return is_json(bytes) && has(bytes, "\"file_version\"") && has(bytes, "\"thread\"");
}

bool fits_result(std::string_view bytes) { return is_json(bytes) && has(bytes, "\"vecusim/result/1\""); }
bool fits_validation(std::string_view bytes) { return is_json(bytes) && has(bytes, "\"vecusim/validation/1\""); }
bool fits_own(std::string_view bytes) { return is_json(bytes) && has(bytes, "\"vecusim/"); }

bool fits_timerlat(std::string_view bytes) { return has(bytes, "# RTLA timerlat histogram"); }
bool fits_osnoise_histogram(std::string_view bytes) { return has(bytes, "# RTLA osnoise histogram"); }
bool fits_osnoise(std::string_view bytes) { return has(bytes, "Operating System Noise"); }

/// TASK-PID [001] … 12.345678: event
bool is_ftrace_line(std::string_view line) {
  const std::size_t open = line.find(" [");
  const std::size_t close = open == std::string_view::npos ? open : line.find("] ", open);
  if (close == std::string_view::npos || !is_digits(line.substr(open + 2, close - open - 2))) return false;
  const std::size_t dot = line.find('.', close);
  const std::size_t colon = dot == std::string_view::npos ? dot : line.find(": ", close);
  std::string_view stamp =
      colon == std::string_view::npos ? std::string_view{} : line.substr(close + 2, colon - close - 2);
  stamp = without_blanks(stamp);
  stamp = stamp.substr(stamp.find_last_of(" \t") + 1);
  return stamp.find_first_not_of("0123456789.") == std::string_view::npos && !stamp.empty();
}

bool fits_ftrace(std::string_view bytes) {
  return head_of(bytes).starts_with("# tracer:") || any_line(bytes, is_ftrace_line);
}

bool fits_xl(std::string_view bytes) {
  return any_line(bytes, [](std::string_view line) {
    if (line.starts_with("Cpupool ") || line.starts_with("xen_version ") || line.starts_with("xen_major ")) return true;
    if (!line.starts_with("Name ")) return false;
    std::vector<std::string_view> words;
    split_words(line, words);
    return words.size() > 2 && (words[1] == "ID" || words[1] == "CPUs" || words[1] == "CPU");
  });
}

bool fits_saleae(std::string_view bytes) {
  const std::string_view line = first_line(bytes);
  return line.starts_with("Time") && line.find("[s]") < line.find(',');
}

bool fits_sigrok(std::string_view bytes) {
  const std::string_view line = first_line(bytes);
  return (line.starts_with(';') || line.starts_with('#')) && (has(bytes, "sigrok") || has(bytes, "amplerate:"));
}

/// thread:cycle:value
bool is_value_line(std::string_view line) {
  std::size_t colons = 0;
  std::size_t digits = 0;
  for (const char c : line) {
    if (c == ':') {
      ++colons;
    } else if (c >= '0' && c <= '9') {
      ++digits;
    } else if (c != ' ') {
      return false;
    }
  }
  return colons == 2 && digits > 2;
}

bool fits_cyclictest(std::string_view bytes) {
  return any_line(bytes, [](std::string_view line) {
    return line.starts_with("# /dev/cpu_dma_latency") || line == "# Histogram" || line.starts_with("T: ") ||
           line.starts_with("policy: ") || is_value_line(line);
  });
}

bool fits_matrix(std::string_view bytes) {
  std::vector<std::string_view> words;
  split_words(first_line(bytes), words);
  return words.size() > 1 && std::all_of(words.begin(), words.end(), is_digits);
}

std::vector<std::string_view> columns_of(std::string_view bytes) {
  std::string_view line = first_record(bytes);
  std::vector<std::string_view> columns;
  while (true) {
    const std::size_t comma = line.find(',');
    columns.push_back(without_blanks(line.substr(0, comma)));
    if (comma == std::string_view::npos) return columns;
    line.remove_prefix(comma + 1);
  }
}

bool fits_sweep(std::string_view bytes) {
  const auto columns = columns_of(bytes);
  return columns.front().starts_with('/') && std::find(columns.begin(), columns.end(), "replications") != columns.end();
}

bool fits_bench(std::string_view bytes) {
  const auto columns = columns_of(bytes);
  return std::any_of(columns.begin(), columns.end(), [](auto column) { return parse_column(column).has_value(); });
}

/// name = "value"
bool fits_xl_cfg(std::string_view bytes) {
  const std::string_view line = first_record(bytes);
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view key = without_blanks(line.substr(0, equals));
  const std::string_view value = without_blanks(line.substr(equals + 1));
  return !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string_view::npos &&
         !value.empty() && std::string_view("\"'[0123456789").find(value.front()) != std::string_view::npos;
}

constexpr std::array<DataFormEntry, 18> kForms = {{
    {DataForm::xentrace, "xentrace", "a trace of Xen's scheduler (xentrace)", looks_like_xentrace},
    {DataForm::capture, "capture", "a capture of Ethernet frames (pcap, pcapng)", fits_capture},
    {DataForm::cyclictest_json, "cyclictest-json", "cyclictest --json", fits_cyclictest_json},
    {DataForm::result, "result", "a result of vecusim", fits_result},
    {DataForm::validation, "validation", "a validation of vecusim", fits_validation},
    {DataForm::own_document, "document", "another document of vecusim", fits_own},
    {DataForm::timerlat, "timerlat", "rtla timerlat hist", fits_timerlat},
    {DataForm::osnoise_histogram, "osnoise-histogram", "rtla osnoise hist", fits_osnoise_histogram},
    {DataForm::osnoise, "osnoise", "rtla osnoise top", fits_osnoise},
    {DataForm::ftrace, "ftrace", "an ftrace, or trace-cmd report", fits_ftrace},
    {DataForm::xl, "xl", "what xl prints (info, list, vcpu-list, sched-…, cpupool-list)", fits_xl},
    {DataForm::saleae, "saleae", "edges of a Saleae logic analyser (CSV)", fits_saleae},
    {DataForm::sigrok, "sigrok", "samples of sigrok or PulseView (CSV)", fits_sigrok},
    {DataForm::cyclictest, "cyclictest", "cyclictest (histogram, status lines or -v)", fits_cyclictest},
    {DataForm::latency_matrix, "latency-matrix", "a latency plot's data as OSADL publishes them", fits_matrix},
    {DataForm::sweep, "sweep", "a sweep's points (CSV)", fits_sweep},
    {DataForm::bench, "bench", "a bench's CSV: seq,t_out_us,t_in_us or latency_us or n,min_us,mean_us,max_us",
     fits_bench},
    {DataForm::xl_cfg, "xl-cfg", "a domain's configuration for xl", fits_xl_cfg},
}};

LatencyReading pair(EdgesReading edges) {
  LatencyReading reading;
  reading.step = 2 * edges.step;
  const bool two = edges.channels.size() > 1;
  if (two) reading.series.push_back(pair_edges(edges, {}));
  reading.facts = std::move(edges.facts);
  reading.problems = std::move(edges.problems);
  return reading;
}

LatencyReading traced_wakes(std::string_view bytes, const std::string& name) {
  const Xentrace trace = read_xentrace(bytes, name);
  const auto hz = guess_counter_hz(trace);
  LatencyReading reading;
  if (hz) reading = wake_latencies(summarize(trace), *hz);
  reading.problems = trace.problems;
  return reading;
}

LatencyReading task_wakes(std::string_view bytes, const std::string& name) {
  FtraceReading trace = read_ftrace(bytes, name);
  LatencyReading reading = summarize(trace).wakeups;
  reading.problems = std::move(trace.problems);
  return reading;
}

}  // namespace

std::span<const DataFormEntry> data_forms() { return kForms; }

const DataFormEntry* data_form_of(std::string_view bytes) {
  const auto found = std::find_if(kForms.begin(), kForms.end(), [&](const auto& entry) { return entry.fits(bytes); });
  return found == kForms.end() ? nullptr : &*found;
}

std::string known_data_forms() {
  std::string text;
  for (const DataFormEntry& entry : kForms) text.append(text.empty() ? "" : "; ").append(entry.sentence);
  return text;
}

bool has_latencies(DataForm form) {
  constexpr std::array kMeasured = {DataForm::xentrace, DataForm::cyclictest_json,   DataForm::timerlat,
                                    DataForm::ftrace,   DataForm::osnoise_histogram, DataForm::saleae,
                                    DataForm::sigrok,   DataForm::cyclictest,        DataForm::latency_matrix};
  return std::find(kMeasured.begin(), kMeasured.end(), form) != kMeasured.end();
}

LatencyReading read_latencies(DataForm form, std::string_view bytes, const std::string& name) {
  switch (form) {
    case DataForm::xentrace:
      return traced_wakes(bytes, name);
    case DataForm::cyclictest_json:
      return read_cyclictest_json(bytes, name);
    case DataForm::timerlat:
    case DataForm::osnoise_histogram:
      return read_rtla_histogram(bytes, name);
    case DataForm::ftrace:
      return task_wakes(bytes, name);
    case DataForm::saleae:
      return pair(read_saleae(bytes, name));
    case DataForm::sigrok:
      return pair(read_sigrok(bytes, name));
    default:
      return read_cyclictest(bytes, name);
  }
}

}  // namespace vecusim
