// Reads bench data: the header decides what a record is, and each record is read strictly or reported.
#include "analysis/bench_data.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "analysis/bench_data_columns.hpp"
#include "analysis/bench_data_text.hpp"
#include "analysis/data_forms.hpp"
#include "analysis/latency_figures.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"
#include "system/utf8.hpp"

namespace vecusim {
namespace {

constexpr std::int64_t kMostOfOneValue = 10'000'000;
constexpr std::string_view kHeaders = "a header: seq,t_out_us,t_in_us or latency_us or n,min_us,mean_us,max_us";
/// A quarter of what a Duration can be, so that twice a difference of two figures still fits.
constexpr SignedWide kMostPs = Duration::max().count() / 4;
/// No bench counts further, and sums of counts still fit.
constexpr std::int64_t kMostCount = 1'000'000'000'000'000;
/// A common step of fewer different values may be chance.
constexpr std::size_t kEnoughValues = 10;

std::string shown(std::string_view text) { return text.empty() ? "nothing" : json::quoted(utf8_cut(text, 40)); }

/// Guesses the step in which latencies are printed.
class StepGuess {
 public:
  void add(Duration value, SignedWide digit) {
    digit_ = std::min(digit_, digit);
    common_ = std::gcd(common_, value.count());
    if (different_.size() < kEnoughValues) different_.insert(value);
  }
  Duration step() const {
    const auto digit = static_cast<std::int64_t>(std::min(digit_, kMostPs));
    return Duration{different_.size() < kEnoughValues ? digit : std::max(digit, common_)};
  }

 private:
  SignedWide digit_ = kMostPs;
  std::int64_t common_ = 0;
  std::set<Duration> different_;
};

using Column = BenchColumn;

class Reader {
 public:
  Reader(std::istream& in, const std::string& name)
      : name_(name), file_(std::make_shared<const std::string>(name)), lines_(in) {}

  BenchData read() {
    if (read_header()) {
      while (next_line()) read_record();
      require_content();
    }
    problems_.throw_if_errors();
    BenchData data{name_, {}, problems_};
    if (table_) {
      data.content = std::move(rows_);
    } else {
      data.content = BenchSamples{std::move(latencies_), missed_, stamps_ ? 2 * guess_.step() : guess_.step()};
    }
    return data;
  }

 private:
  // Lines.

  /// The next line that is no remark; none if what follows cannot be text.
  bool next_line() {
    do {
      if (stopped_ || !lines_.next(line_)) return false;
    } while (line_.starts_with('#'));
    const std::size_t zero = line_.find('\0');
    if (zero != std::string::npos || line_.size() > LineReader::kMostBytes) {
      report(1, "", "text in UTF-8, in lines of at most " + std::to_string(LineReader::kMostBytes) + " bytes",
             zero != std::string::npos ? "a zero byte" : "a longer line");
      stopped_ = true;
      return false;
    }
    split_fields(line_, fields_);
    return true;
  }

  bool is_blank() const { return fields_.size() == 1 && fields_[0].text.empty(); }

  void report(std::uint32_t column, std::string_view name, std::string expected, std::string found,
              std::string suggestion = {}, Severity severity = Severity::error) {
    std::string pointer;
    if (!name.empty()) pointer.append(1, '/').append(name);
    problems_.add({{file_, std::max(lines_.number(), 1U), column},
                   std::move(pointer),
                   std::move(expected),
                   std::move(found),
                   std::move(suggestion),
                   severity,
                   "bench-data"});
  }

  void report(const TextField& field, const Column& column, std::string expected) {
    report(field.column, column.name, std::move(expected), shown(field.text));
    bad_ = true;
  }

  // The header.

  bool read_header() {
    if (!next_line()) {
      if (!stopped_) report(1, "", std::string{kHeaders}, "an empty file");
      return false;
    }
    const std::string separators = ";\t";
    if (line_.find_first_of(separators) != std::string::npos) {
      std::string meant = line_;
      for (char& c : meant) c = separators.find(c) != std::string::npos ? ',' : c;
      report(1, "", "fields separated by commas, with decimal points", shown(line_), meant);
      return false;
    }
    for (const TextField& field : fields_) add_column(field);
    if (problems_.has_errors()) return false;
    return check_columns();
  }

  void add_column(const TextField& field) {
    const auto column = parse_column(field.text);
    if (!column) {
      report(field.column, "", std::string{kHeaders}, shown(field.text), nearest(field.text, known_columns()));
      return;
    }
    const bool twice = std::any_of(columns_.begin(), columns_.end(), [&](const Column& other) {
      return other.is == column->is && (column->is != Column::Is::figure || other.statistic == column->statistic);
    });
    if (twice) report(field.column, column->name, "each column once", "a second one");
    columns_.push_back(*column);
  }

  bool has(Column::Is is) const {
    return std::any_of(columns_.begin(), columns_.end(), [is](const Column& column) { return column.is == is; });
  }

  bool check_columns() {
    using Is = Column::Is;
    stamps_ = has(Is::t_out) && has(Is::t_in);
    table_ = has(Is::n) && has(Is::figure);
    const auto all_of = [this](std::initializer_list<Is> known) {
      return std::all_of(columns_.begin(), columns_.end(), [&](const Column& column) {
        return std::find(known.begin(), known.end(), column.is) != known.end();
      });
    };
    const bool samples = has(Is::latency) && all_of({Is::latency, has(Is::count) ? Is::count : Is::seq});
    const bool pairs = stamps_ && all_of({Is::t_out, Is::t_in, Is::seq});
    const bool rows = table_ && all_of({Is::n, Is::figure, Is::row, Is::lost});
    if (!samples && !pairs && !rows) report(1, "", std::string{kHeaders}, shown(line_));
    return samples || pairs || rows;
  }

  // Records.

  void read_record() {
    bad_ = false;
    if (is_blank() && columns_.size() > 1) {
      if (!blank_line_) blank_line_ = lines_.number();
      return;
    }
    report_blank_lines();
    if (fields_.size() != columns_.size()) {
      report_field_count();
    } else if (table_) {
      read_row();
    } else if (stamps_) {
      read_stamps();
    } else {
      read_latency();
    }
  }

  /// Blank lines at the end of a file are nothing; before a record they stand for one.
  void report_blank_lines() {
    if (blank_line_) {
      problems_.add({{file_, *blank_line_, 1}, {}, "a record", "a blank line", {}, Severity::error, "bench-data"});
    }
    blank_line_.reset();
  }

  void report_field_count() {
    const std::size_t wanted = columns_.size();
    std::string meant;
    if (fields_.size() == 2 * wanted) {
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        meant += std::string{fields_[i].text} + (i % 2 == 0 ? "." : i + 1 < fields_.size() ? "," : "");
      }
    }
    report(1, "", std::to_string(wanted) + (wanted == 1 ? " field" : " fields") + ", with decimal points",
           std::to_string(fields_.size()) + " fields", meant);
  }

  std::optional<Quantity> quantity(const TextField& field, const Column& column) {
    const auto value = parse_quantity(field.text, column.digits);
    if (!value) report(field, column, "a number, with a decimal point if any");
    return value;
  }

  /// What cannot be negative and must fit.
  std::optional<Duration> duration(const TextField& field, const Column& column, SignedWide ps) {
    if (ps >= 0 && ps <= kMostPs) return Duration{static_cast<std::int64_t>(ps)};
    report(field, column,
           ps < 0 ? "at least 0"
                  : "at most " + std::to_string(static_cast<std::int64_t>(kMostPs / 1'000'000'000'000)) + " s");
    return std::nullopt;
  }

  const TextField& field_of(Column::Is is, const Column** column) const {
    const auto at = std::find_if(columns_.begin(), columns_.end(), [is](const Column& c) { return c.is == is; });
    *column = &*at;
    return fields_[static_cast<std::size_t>(at - columns_.begin())];
  }

  void read_seq() {
    if (!has(Column::Is::seq)) return;
    const Column* column = nullptr;
    const TextField& field = field_of(Column::Is::seq, &column);
    const auto seq = parse_count(field.text);
    if (!seq) return report(field, *column, "a whole number of at least 0");
    if (seq_ && *seq <= *seq_) return report(field, *column, "more than " + std::to_string(*seq_));
    if (seq_ && *seq > *seq_ + 1) {
      report(field.column, column->name, std::to_string(*seq_ + 1) + " (the edges between are not counted as missed)",
             shown(field.text), {}, Severity::warning);
    }
    seq_ = *seq;
  }

  /// How many edges a record of a histogram stands for; none if that is wrong.
  std::int64_t read_count() {
    if (!has(Column::Is::count)) return 1;
    const Column* column = nullptr;
    const TextField& field = field_of(Column::Is::count, &column);
    const auto count = parse_count(field.text);
    if (count && *count > 0 && *count <= kMostOfOneValue) return *count;
    report(field, *column, "a whole number from 1 to 10^7");
    return 0;
  }

  void read_latency() {
    read_seq();
    const std::int64_t count = read_count();
    const Column* column = nullptr;
    const TextField& field = field_of(Column::Is::latency, &column);
    if (field.text.empty()) {
      if (columns_.size() == 1 && lines_.at_end()) {
        report(1, column->name, "no blank line at the end of the file (counted as a missed edge)", "one", {},
               Severity::warning);
      }
      missed_ += count;
      return;
    }
    const auto value = quantity(field, *column);
    for (std::int64_t i = 0; value && i < count && !bad_; ++i) {
      add_latency(field, *column, value->ps, value->step_ps);
    }
  }

  void read_stamps() {
    read_seq();
    const Column* out_column = nullptr;
    const TextField& out_field = field_of(Column::Is::t_out, &out_column);
    const Column* in_column = nullptr;
    const TextField& in_field = field_of(Column::Is::t_in, &in_column);
    const auto out = quantity(out_field, *out_column);
    if (in_field.text.empty()) {
      if (out && !bad_) ++missed_;
      return;
    }
    const auto in = quantity(in_field, *in_column);
    if (!out || !in) return;
    if (in->ps < out->ps) {
      return report(in_field, *in_column, "at least " + out_column->name + " = " + std::string{out_field.text});
    }
    add_latency(in_field, *in_column, in->ps - out->ps, std::max(in->step_ps, out->step_ps));
  }

  void add_latency(const TextField& field, const Column& column, SignedWide ps, SignedWide digit) {
    const auto value = duration(field, column, ps);
    if (!value || bad_) return;
    if (*value > Duration::max() - sum_) return report(field, column, "latencies of at most 106 days in all");
    sum_ += *value;
    latencies_.push_back(*value);
    guess_.add(*value, digit);
  }

  void read_row() {
    BenchRow row;
    row.place = {file_, lines_.number(), 1};
    if (!has(Column::Is::row)) row.name = std::to_string(rows_.size() + 1);
    for (std::size_t i = 0; i < columns_.size(); ++i) read_cell(fields_[i], columns_[i], row);
    if (!bad_) rows_.push_back(std::move(row));
  }

  void read_cell(const TextField& field, const Column& column, BenchRow& row) {
    switch (column.is) {
      case Column::Is::row:
        if (!names_.emplace(field.text).second) report(field, column, "a name that no other row has");
        row.name = field.text;
        return;
      case Column::Is::n: {
        const auto n = parse_count(field.text);
        if (!n || *n == 0 || *n > kMostCount) return report(field, column, "a whole number from 1 to 10^15");
        row.n = *n;
        return;
      }
      case Column::Is::lost:
        if (field.text.empty()) return;
        row.lost = parse_count(field.text);
        if (!row.lost || *row.lost > kMostCount) report(field, column, "a whole number from 0 to 10^15");
        return;
      default:
        break;
    }
    if (field.text.empty()) return;  // not printed
    const auto value = quantity(field, column);
    if (!value) return;
    const auto figure = duration(field, column, value->ps);
    if (figure) {
      row.figures[column.statistic] = {*figure, Duration{static_cast<std::int64_t>(std::min(value->step_ps, kMostPs))}};
    }
  }

  void require_content() {
    if (problems_.has_errors()) return;
    if (table_ && rows_.empty()) report(1, "", "at least one record", "none");
    if (!table_ && latencies_.empty()) {
      report(1, "", "at least one answered edge",
             missed_ == 0 ? "no record" : std::to_string(missed_) + " missed edges");
    }
  }

  std::string name_;
  std::shared_ptr<const std::string> file_;
  LineReader lines_;
  std::string line_;
  std::vector<TextField> fields_;
  std::vector<Column> columns_;
  Problems problems_;
  std::optional<std::uint32_t> blank_line_;  // the first of those read last
  bool table_ = false;
  bool stamps_ = false;
  bool stopped_ = false;
  bool bad_ = false;  // the record being read
  std::optional<std::int64_t> seq_;
  std::vector<Duration> latencies_;
  std::int64_t missed_ = 0;
  Duration sum_{};
  StepGuess guess_;
  std::vector<BenchRow> rows_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

PrintedRow BenchRow::printed() const {
  const auto figure = [this](Statistic statistic) -> std::optional<Figure> {
    const auto at = figures.find(statistic);
    if (at == figures.end()) return std::nullopt;
    return at->second;
  };
  return {n, figure(Statistic::min), figure(Statistic::mean), figure(Statistic::max)};
}

BenchData read_bench_data(std::istream& in, const std::string& name) {
  std::string content(std::istreambuf_iterator<char>(in), {});
  const DataFormEntry* form = data_form_of(content);
  if (form == nullptr || form->form == DataForm::bench) {  // what is unknown may be this with a wrong header
    std::istringstream lines(std::move(content));
    return Reader{lines, name}.read();
  }
  if (!has_latencies(form->form)) {
    throw InvalidInput(Problem{
        {std::make_shared<const std::string>(name), 1, 1}, {}, "a file of latencies", std::string(form->sentence)});
  }
  const LatencyReading reading = read_latencies(form->form, content, name);
  reading.problems.throw_if_errors();
  if (pooled(reading).n() == 0) {
    throw InvalidInput(Problem{{std::make_shared<const std::string>(name), 1, 1},
                               {},
                               "at least one latency",
                               std::string(form->sentence) + " without any"});
  }
  return bench_data_of(reading, name);
}

BenchData read_bench_file(const std::string& path) {
  if (path == "-") return read_bench_data(std::cin, path);
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  std::ifstream in{path, std::ios::binary};
  if (in && !folder) return read_bench_data(in, path);
  std::string found = "none of that name";
  if (folder) found = "a folder";
  if (!folder && std::filesystem::exists(path, error)) found = "no permission to read it";
  Problems problems;
  const Place place{std::make_shared<const std::string>(path), 1, 1};
  problems.add({place, {}, "a file of bench data", found});
  throw InvalidInput{problems};
}

}  // namespace vecusim
