// The lines of cyclictest: rows of a histogram, its summary, status lines and single values.
#include "analysis/read_cyclictest.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "analysis/text_records.hpp"

namespace vecusim {
namespace {

using Numbers = std::vector<std::uint64_t>;
constexpr Duration kUnit = 1us;
constexpr std::uint64_t kMostUs = 1'000'000'000'000;
constexpr std::uint64_t kMostThreads = 4096;

/// What else it prints, and what wrappers print around it.
constexpr std::array<std::string_view, 7> kRemarks = {"policy:", "Max CPUs", "Online CPUs", "Thread ",
                                                      "WARN",    "INFO",     "defaulting"};

/// Terminals are told to go up before each status line.
std::string_view without_escapes(std::string_view line) {
  while (line.starts_with("\x1b[")) {
    const std::size_t end = line.find_first_not_of("0123456789;", 2);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return line;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : lines_(text, name, "cyclictest") {}

  LatencyReading read() {
    while (lines_.next()) read_line(without_escapes(lines_.line()));
    LatencyReading reading;
    reading.step = kUnit;
    reading.truncated = true;
    finish_histogram();
    finish_values();
    for (auto& [thread, series] : series_) reading.series.push_back(std::move(series));
    reading.facts = std::move(facts_);
    reading.problems = lines_.take_problems();
    return reading;
  }

 private:
  void read_line(std::string_view line) {
    const std::string_view text = without_blanks(line);
    if (text.empty()) return;
    if (text.front() == '#') return read_remark(text);
    if (text.starts_with("T:")) return read_status(text);
    if (is_digit(text.front())) return text.find(':') == std::string_view::npos ? read_row(text) : read_value(text);
    const bool remark =
        std::any_of(kRemarks.begin(), kRemarks.end(), [&](auto start) { return text.starts_with(start); });
    if (!remark) lines_.bad(text, "a row of a histogram, a status line or thread:cycle:value");
  }

  LatencySeries& series(std::uint64_t thread) {
    LatencySeries& series = series_[thread];
    if (series.name.empty()) series.name = "thread " + std::to_string(thread);
    return series;
  }

  // 000066 000032	000004

  void read_row(std::string_view text) {
    split_words(text, words_);
    Numbers row;
    for (const std::string_view word : words_) {
      const auto number = parse_number(word);
      if (!number) return lines_.bad(word, "a whole number of at most 10^15");
      row.push_back(*number);
    }
    const std::size_t columns = row.size() - 1;
    if (columns == 0 || columns > kMostThreads) return lines_.bad(text, "a latency in us, and a count for each thread");
    if (columns_ != 0 && columns != columns_) {
      return lines_.bad(text, std::to_string(columns_) + " counts as in the rows before");
    }
    if (row[0] > kMostUs || (bucket_ && row[0] <= *bucket_)) {
      return lines_.bad(words_[0], bucket_ ? "more than " + std::to_string(*bucket_) : "at most 10^12 us");
    }
    columns_ = columns;
    bucket_ = row[0];
    histogram_.resize(columns);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      if (row[i + 1] > 0) histogram_[i].push_back({kUnit * static_cast<std::int64_t>(row[0]), row[i + 1]});
      if (i + 1 < columns) sum += row[i + 1];
    }
    if (row.back() != sum) last_is_sum_ = false;
  }

  // # Total: 000000300 000000298

  void read_remark(std::string_view text) {
    constexpr std::array<std::string_view, 5> kSummaries = {
        "Total:", "Min Latencies:", "Avg Latencies:", "Max Latencies:", "Histogram Overflows:"};
    commented_ = true;
    text = without_blanks(text.substr(1));
    for (std::size_t i = 0; i < kSummaries.size(); ++i) {
      if (text.starts_with(kSummaries[i])) return read_summary(text.substr(kSummaries[i].size()), summary_[i]);
    }
    if (text.starts_with("Thread ")) read_overflow_cycles(text.substr(7));
  }

  void read_summary(std::string_view text, Numbers& numbers) {
    split_words(text, words_);
    numbers.clear();
    for (const std::string_view word : words_) {
      const auto number = parse_number(word);
      if (!number) return lines_.bad(word, "a whole number for each thread");
      numbers.push_back(*number);
    }
  }

  void read_overflow_cycles(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || !parse_number(text.substr(0, colon))) return;
    const std::string_view cycles = without_blanks(text.substr(colon + 1));
    if (!cycles.empty()) facts_.emplace_back("overflow_cycles_thread_" + std::string(text.substr(0, colon)), cycles);
  }

  // T: 0 ( 3431) P:99 I:1000 C: 100000 Min:      5 Act:   10 Avg:   14 Max:   39242

  std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = text.substr(std::min(text.find_first_not_of(' ', at + key.size()), text.size()));
    return parse_number(rest.substr(0, rest.find_first_not_of("0123456789")));
  }

  void read_status(std::string_view text) {
    const auto thread = number_after(text, "T:");
    const auto n = number_after(text, " C:");
    const auto min = number_after(text, " Min:");
    const auto mean = number_after(text, " Avg:");
    const auto max = number_after(text, " Max:");
    if (!thread || *thread >= kMostThreads || !n || !min || !mean || !max || std::max({*min, *mean, *max}) > kMostUs) {
      return lines_.bad(text, "a status line: T: 0 (…) P:… I:… C: … Min: … Act: … Avg: … Max: …");
    }
    LatencySeries& its = series(*thread);
    its.printed_n = n;
    if (*n > 0) set_printed(its, min, mean, max);
  }

  static void set_printed(LatencySeries& its, std::optional<std::uint64_t> min, std::optional<std::uint64_t> mean,
                          std::optional<std::uint64_t> max) {
    const auto us = [](std::optional<std::uint64_t> value) -> std::optional<Duration> {
      if (!value || *value > kMostUs) return std::nullopt;
      return kUnit * static_cast<std::int64_t>(*value);
    };
    its.printed_min = us(min);
    its.printed_mean = us(mean);
    its.printed_max = us(max);
  }

  //        0:       1:      92

  void read_value(std::string_view text) {
    const std::size_t first = text.find(':');
    const std::size_t second = text.find(':', first + 1);
    const auto part = [&](std::size_t from, std::size_t to) { return without_blanks(text.substr(from, to - from)); };
    const auto thread = parse_number(part(0, first));
    const auto cycle = second == std::string_view::npos ? std::nullopt : parse_number(part(first + 1, second));
    const auto value = second == std::string_view::npos ? std::nullopt : parse_number(part(second + 1, text.size()));
    if (!thread || *thread >= kMostThreads || !cycle || !value || *value > kMostUs) {
      return lines_.bad(text, "thread:cycle:value");
    }
    series(*thread).counts.push_back({kUnit * static_cast<std::int64_t>(*value), 1});
    std::uint64_t& last = last_cycle_[*thread];
    if (last != 0 && *cycle > last + 1) skipped_ += *cycle - last - 1;
    last = *cycle;
  }

  void finish_values() {
    if (skipped_ > 0) lines_.warn_at_end("a value of every cycle", std::to_string(skipped_) + " cycles without one");
  }

  void finish_histogram() {
    if (!bucket_) return;
    const auto& [totals, mins, means, maxima, overflows] = summary_;
    // -H: one more column, the sum of the others, which minima and averages lack.
    if (columns_ > 1 && (mins.empty() ? last_is_sum_ : mins.size() + 1 == columns_)) {
      if (!last_is_sum_) lines_.warn_at_end("sums of all threads in the last column (-H)", "other numbers");
      histogram_.pop_back();
    }
    const auto at = [](const Numbers& numbers, std::size_t i) {
      return i < numbers.size() ? std::optional(numbers[i]) : std::nullopt;
    };
    for (std::size_t i = 0; i < histogram_.size(); ++i) {
      LatencySeries& its = series(i);
      if (!commented_) its.name = "core " + std::to_string(i);
      its.counts = std::move(histogram_[i]);
      if (!mins.empty()) set_printed(its, at(mins, i), at(means, i), at(maxima, i));
      const auto total = at(totals, i);
      if (total && *total != its.counted()) {
        lines_.warn_at_end("# Total: " + std::to_string(its.counted()) + " of " + its.name, std::to_string(*total));
      }
      its.overflows = std::max(at(overflows, i).value_or(0), missing_in_histogram(its));
      tell_censored(its);
    }
    if (commented_ && totals.empty()) lines_.warn_at_end("# Total: and the lines behind it", "the end of the file");
  }

  /// A status line counts all cycles.
  static std::uint64_t missing_in_histogram(const LatencySeries& its) {
    const std::uint64_t counted = its.counted();
    return its.printed_n && *its.printed_n > counted ? *its.printed_n - counted : 0;
  }

  void tell_censored(const LatencySeries& its) {
    const Duration limit = kUnit * static_cast<std::int64_t>(*bucket_ + 1);
    const bool beyond = its.overflows > 0 || (its.printed_max && *its.printed_max >= limit);
    if (!beyond) return;
    std::string found = its.name + ": " + std::to_string(its.overflows) + " of " + std::to_string(its.n()) + " beyond";
    if (its.printed_max) found += ", up to " + std::to_string(*its.printed_max / kUnit) + " us";
    lines_.warn_at_end("all samples below the histogram's limit of " + std::to_string(limit / kUnit) + " us",
                       found + ": the tail is cut off");
  }

  TextRecords lines_;
  std::vector<std::string_view> words_;
  std::map<std::uint64_t, LatencySeries> series_;
  std::vector<Fact> facts_;
  bool commented_ = false;
  // Of the histogram.
  std::size_t columns_ = 0;
  std::optional<std::uint64_t> bucket_;
  std::vector<std::vector<LatencyCount>> histogram_;
  bool last_is_sum_ = true;
  std::array<Numbers, 5> summary_;
  // Of single values.
  std::map<std::uint64_t, std::uint64_t> last_cycle_;
  std::uint64_t skipped_ = 0;
};

}  // namespace

LatencyReading read_cyclictest(std::string_view text, const std::string& name) { return Reader{text, name}.read(); }

}  // namespace vecusim
