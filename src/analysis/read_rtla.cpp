// The rows and summary of rtla's histograms, and the table of osnoise top.
#include "analysis/read_rtla.hpp"

#include <algorithm>
#include <array>

#include "analysis/text_records.hpp"

namespace vecusim {
namespace {

constexpr std::size_t kMostColumns = 4096;

class HistogramReader {
 public:
  HistogramReader(std::string_view text, const std::string& name) : lines_(text, name, "rtla") {}

  LatencyReading read() {
    while (lines_.next()) read_line();
    if (reading_.series.empty()) {
      lines_.warn_at_end("a line of columns: Index IRQ-000 …", "the end of the file");
    } else if (!summarized_) {
      lines_.warn_at_end("over:, count:, min:, avg: and max: of each column", "the end of the file");
    }
    for (const LatencySeries& series : reading_.series) tell_censored(series);
    reading_.step = step_.value_or(unit());
    reading_.truncated = true;
    reading_.problems = lines_.take_problems();
    return std::move(reading_);
  }

 private:
  Duration unit() const { return digits_ == 6 ? Duration{1us} : Duration{1ns}; }

  void read_line() {
    const std::string_view text = without_blanks(lines_.line());
    if (text.empty() || after_all_) return;
    if (text.front() == '#') return read_remark(without_blanks(text.substr(1)));
    split_words(text, words_);
    if (words_[0] == "Index") return read_columns();
    if (words_[0].starts_with("ALL")) {
      after_all_ = true;  // newer versions repeat the summary for all CPUs together
      return;
    }
    if (reading_.series.empty()) return lines_.bad(text, "a line of columns: Index IRQ-000 …");
    if (words_.size() != reading_.series.size() + 1) {
      return lines_.bad(text, std::to_string(reading_.series.size()) + " numbers behind the index");
    }
    if (words_[0].ends_with(':')) return read_summary(words_[0]);
    read_row();
  }

  void read_remark(std::string_view text) {
    if (text.starts_with("Time unit is nanoseconds")) digits_ = 3;
    if (text.starts_with("Duration:")) reading_.facts.emplace_back("duration", without_blanks(text.substr(9)));
  }

  void read_columns() {
    if (!reading_.series.empty() || words_.size() > kMostColumns) return lines_.bad(words_[0], "one line of columns");
    for (std::size_t i = 1; i < words_.size(); ++i) reading_.series.push_back({std::string(words_[i])});
  }

  void read_row() {
    const auto value = parse_duration(words_[0], digits_);
    if (!value || (last_ && *value <= *last_)) return lines_.bad(words_[0], "a latency above that of the row before");
    for (std::size_t i = 1; i < words_.size(); ++i) {
      if (!parse_number(words_[i])) return lines_.bad(words_[i], "a whole number of at most 10^15");
    }
    if (last_) step_ = std::min(step_.value_or(*value - *last_), *value - *last_);
    last_ = value;
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const std::uint64_t n = *parse_number(words_[i]);
      if (n > 0) reading_.series[i - 1].counts.push_back({*value, n});
    }
  }

  void read_summary(std::string_view what) {
    constexpr std::array<std::string_view, 5> kKnown = {"over:", "count:", "min:", "avg:", "max:"};
    if (std::find(kKnown.begin(), kKnown.end(), what) == kKnown.end())
      return lines_.bad(what, "over:, count:, min:, avg: or max:");
    for (std::size_t i = 1; i < words_.size(); ++i) {
      if (words_[i] == "-") continue;  // no sample
      LatencySeries& series = reading_.series[i - 1];
      const auto number = parse_number(words_[i]);
      const auto time = parse_duration(words_[i], digits_);
      if (!time || (!number && (what == "over:" || what == "count:"))) return lines_.bad(words_[i], "a number");
      if (what == "over:") series.overflows = *number;
      if (what == "count:") series.printed_n = number;
      if (what == "min:") series.printed_min = time;
      if (what == "avg:") series.printed_mean = time;
      if (what == "max:") series.printed_max = time;
    }
    summarized_ = what == "max:";
  }

  void tell_censored(const LatencySeries& series) {
    if (series.overflows == 0) return;
    lines_.warn_at_end("all samples in the histogram", series.name + ": " + std::to_string(series.overflows) + " of " +
                                                           std::to_string(series.n()) + " beyond: the tail is cut off");
  }

  TextRecords lines_;
  std::vector<std::string_view> words_;
  LatencyReading reading_;
  int digits_ = 6;
  std::optional<Duration> last_;
  std::optional<Duration> step_;
  bool summarized_ = false;
  bool after_all_ = false;
};

std::optional<OsNoise> parse_osnoise(const std::vector<std::string_view>& words) {
  constexpr std::size_t kColumns = 12;
  if (words.size() != kColumns || !words[1].starts_with('#')) return std::nullopt;
  constexpr int kPercentDigits = 9;  // a percent as 10^9 "ps": only to read a decimal number strictly
  constexpr int kUs = 6;
  const auto available = parse_duration(words[4], kPercentDigits);
  std::array<std::optional<Duration>, 4> times = {parse_duration(words[2], kUs), parse_duration(words[3], kUs),
                                                  parse_duration(words[5], kUs), parse_duration(words[6], kUs)};
  std::array<std::optional<std::uint64_t>, 7> counts = {
      parse_number(words[0]), parse_number(words[1].substr(1)), parse_number(words[7]), parse_number(words[8]),
      parse_number(words[9]), parse_number(words[10]),          parse_number(words[11])};
  const auto given = [](const auto& value) { return value.has_value(); };
  if (!available || !std::all_of(times.begin(), times.end(), given) ||
      !std::all_of(counts.begin(), counts.end(), given)) {
    return std::nullopt;
  }
  return OsNoise{*counts[0], *counts[1], *times[0],  *times[1],  static_cast<double>(available->count()) * 1e-9,
                 *times[2],  *times[3],  *counts[2], *counts[3], *counts[4],
                 *counts[5], *counts[6]};
}

}  // namespace

LatencyReading read_rtla_histogram(std::string_view text, const std::string& name) {
  return HistogramReader{text, name}.read();
}

OsNoiseReading read_osnoise(std::string_view text, const std::string& name) {
  TextRecords lines(text, name, "rtla");
  OsNoiseReading reading;
  std::vector<std::string_view> words;
  bool headed = false;
  while (lines.next()) {
    const std::string_view line = without_blanks(lines.line());
    if (line.starts_with("CPU ")) {
      headed = true;
      reading.cpus.clear();  // the table is printed anew each second: the last one counts
    } else if (line.starts_with("duration:")) {
      reading.facts.assign(1, {"duration", std::string(without_blanks(line.substr(9, line.find('|') - 9)))});
    } else if (headed && !line.empty()) {
      split_words(line, words);
      const auto noise = parse_osnoise(words);
      if (noise) {
        reading.cpus.push_back(*noise);
      } else if (line.find("Operating System Noise") == std::string_view::npos) {
        lines.bad(line, "CPU #periods runtime noise %available max-noise max-single hw nmi irq softirq thread");
      }
    }
  }
  reading.problems = lines.take_problems();
  return reading;
}

}  // namespace vecusim
