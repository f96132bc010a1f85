// Validations as text for people.
#include <string>
#include <string_view>

#include "analysis/hypotheses_text.hpp"
#include "analysis/text_layout.hpp"
#include "analysis/validate.hpp"
#include "analysis/validate_cells.hpp"

namespace vecusim {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kName = 12;
constexpr std::size_t kNumber = 10;
constexpr std::size_t kInterval = 21;
constexpr std::size_t kJudgement = 9;
constexpr std::size_t kNaive = 15;

std::string line(std::string_view name, std::string_view measured, std::string_view predicted,
                 std::string_view interval, std::string_view judged, std::string_view naive) {
  return flush_left("", 2) + flush_left(name, kName) + flush_right(measured, kNumber) +
         flush_right(predicted, kNumber) + flush_right(interval, kInterval) + flush_right(judged, kJudgement) +
         flush_right(naive, kNaive) + "\n";
}

std::string verdict_of(const JudgedRow& row, const Paint& paint) {
  if (!row.verdict) return "no verdict";
  const std::string verdict{name_of(*row.verdict)};
  if (*row.verdict == row.expect) return paint.good(verdict) + ", as expected";
  return paint.bad(verdict) + ", expected was " + std::string{name_of(row.expect)};
}

std::string text_of(const JudgedRow& row, const Paint& paint) {
  std::string text = paint.heading(row.case_name + " / " + row.row) + " (" + std::string{name_of(row.role)} +
                     (row.n ? ", n = " + std::to_string(*row.n) : "") + "): " + verdict_of(row, paint) + "\n";
  text += line("", "measured", "predicted", "95 % interval", "judged", "naive");
  for (const JudgedStatistic& judged : row.statistics) {
    text += line(judged.name(), four_digits(judged.measured), number_cell(judged.predicted),
                 interval_cell(judged.interval95), judgement_cell(judged), naive_cell(judged));
  }
  if (!row.note.empty()) text += "  " + wrapped(row.note, kWidth, 2, 2) + "\n";
  return text + "\n";
}

}  // namespace

std::string to_text(const Validation& validation, bool colour) {
  const Paint paint(colour);
  std::string text;
  for (const JudgedRow& row : validation.rows) text += text_of(row, paint);
  for (const HypothesisComparison& comparison : validation.comparisons) text += to_text(comparison, paint);
  return text + counts_line(validation);
}

}  // namespace vecusim
