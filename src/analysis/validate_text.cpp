// Validations as text for people.
#include <string>
#include <string_view>

#include "analysis/hypotheses_text.hpp"
#include "analysis/text_layout.hpp"
#include "analysis/validate.hpp"
#include "system/utf8.hpp"

namespace vecusim {
namespace {

constexpr std::string_view kNothing = "–";
constexpr std::size_t kWidth = 80;
constexpr std::size_t kName = 12;
constexpr std::size_t kNumber = 10;
constexpr std::size_t kInterval = 21;
constexpr std::size_t kJudgement = 9;
constexpr std::size_t kNaive = 15;

std::string cell(const std::optional<double>& value) { return value ? four_digits(*value) : std::string{kNothing}; }

std::string interval_cell(const std::optional<Interval>& interval) {
  return interval ? four_digits(interval->lo) + " … " + four_digits(interval->hi) : std::string{kNothing};
}

std::string judgement(const JudgedStatistic& judged) {
  if (!judged.inside) return std::string{kNothing};
  if (judged.mark) return *judged.inside ? "in mark" : "off mark";
  return *judged.inside ? "inside" : "outside";
}

std::string naive_cell(const JudgedStatistic& judged) {
  if (!judged.naive) return std::string{kNothing};
  std::string value = four_digits(*judged.naive);
  if (!judged.better_than_naive) return value;
  return value + (*judged.better_than_naive ? ", worse" : ", as good");
}

std::string line(std::string_view name, std::string_view measured, std::string_view predicted,
                 std::string_view interval, std::string_view judged, std::string_view naive) {
  return flush_left("", 2) + flush_left(name, kName) + flush_right(measured, kNumber) +
         flush_right(predicted, kNumber) + flush_right(interval, kInterval) + flush_right(judged, kJudgement) +
         flush_right(naive, kNaive) + "\n";
}

/// Two blanks in front, broken at blanks so that no line is longer than the terminal if its words are not.
std::string wrapped(std::string_view text) {
  constexpr std::size_t kIndent = 2;
  std::string result;
  std::size_t used = kWidth;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    const std::size_t width = utf8_characters(word);
    if (used + 1 + width > kWidth) {
      if (!result.empty()) result += '\n';
      result.append(kIndent, ' ');
      used = kIndent;
    } else {
      result += ' ';
      ++used;
    }
    result += word;
    used += width;
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  if (!result.empty()) result += '\n';
  return result;
}

std::string verdict_of(const JudgedRow& row, const Paint& paint) {
  if (!row.verdict) return "no verdict";
  const std::string verdict{name_of(*row.verdict)};
  if (*row.verdict == row.expect) return paint.good(verdict) + ", as expected";
  return paint.bad(verdict) + ", expected was " + std::string{name_of(row.expect)};
}

std::string text_of(const JudgedRow& row, const Paint& paint) {
  std::string text = paint.heading(row.case_name + " / " + row.row) + " (" + std::string{name_of(row.role)} +
                     ", n = " + std::to_string(row.n) + "): " + verdict_of(row, paint) + "\n";
  text += line("", "measured", "predicted", "95 % interval", "judged", "naive");
  for (const JudgedStatistic& judged : row.statistics) {
    text += line(name_of(judged.statistic), four_digits(judged.measured), cell(judged.predicted),
                 interval_cell(judged.interval95), judgement(judged), naive_cell(judged));
  }
  return text + wrapped(row.note) + "\n";
}

}  // namespace

std::string to_text(const Validation& validation, bool colour) {
  const Paint paint(colour);
  std::string text;
  for (const JudgedRow& row : validation.rows) text += text_of(row, paint);
  for (const HypothesisComparison& comparison : validation.comparisons) text += to_text(comparison, paint);
  const std::size_t passed = validation.passed();
  const std::size_t failed = validation.failed();
  text += std::to_string(passed) + " passed, " + std::to_string(failed) + " failed";
  const std::size_t open = validation.rows.size() - passed - failed;
  if (open > 0) text += ", " + std::to_string(open) + " without verdict";
  return text + "\n";
}

}  // namespace vecusim
