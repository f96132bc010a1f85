// Validations as a page: what was predicted, what was fitted, and each miss with its reason.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/hypotheses_text.hpp"
#include "analysis/text_layout.hpp"
#include "analysis/validate.hpp"
#include "analysis/validate_cells.hpp"

namespace vecusim {
namespace {

using Rows = std::vector<const JudgedRow*>;

constexpr std::string_view kIntroduction =
    "# Predicted against measured\n"
    "\n"
    "Made by `build/vecusim validate --markdown > docs/validation.md`; the test `validation` fails if it is not what "
    "comes\n"
    "today. How a row is judged: [validation/cases](../validation/cases/README.md); where the measurements are from:\n"
    "[validation/data](../validation/data/README.md).\n";

/// A text in a page, with what Markdown would take for its own.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view{"*<|`"}.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string full_name(const JudgedRow& row) { return escaped(row.case_name) + " / " + escaped(row.row); }

template <class Predicate>
Rows rows_where(const Validation& validation, Predicate holds) {
  Rows rows;
  for (const JudgedRow& row : validation.rows) {
    if (holds(row)) rows.push_back(&row);
  }
  return rows;
}

bool misses(const JudgedRow& row) { return row.verdict == RowVerdict::fail; }

std::string table_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + (cell.empty() ? "|" : " |");
  return line + "\n";
}

std::string summary_line(std::string_view what, const Rows& rows) {
  const auto count = [&](RowVerdict verdict) {
    return std::to_string(
        std::count_if(rows.begin(), rows.end(), [&](const JudgedRow* row) { return row->verdict == verdict; }));
  };
  return table_line({std::string{what}, std::to_string(rows.size()), count(RowVerdict::pass), count(RowVerdict::fail),
                     count(RowVerdict::infeasible_data)});
}

std::string row_lines(const JudgedRow& row) {
  std::string text;
  for (const JudgedStatistic& judged : row.statistics) {
    const bool first = &judged == &row.statistics.front();
    const bool bad = judged.inside.has_value() && !*judged.inside;
    const std::string verdict = judgement_cell(judged);
    text += table_line({first ? escaped(row.row) : "", first && row.n ? std::to_string(*row.n) : "",
                        std::string{judged.name()}, four_digits(judged.measured), number_cell(judged.predicted),
                        interval_cell(judged.interval95), bad ? "**" + verdict + "**" : verdict, naive_cell(judged)});
  }
  return text;
}

/// Rows case by case; what is said of a miss stands with the misses.
std::string section(std::string_view heading, const Rows& rows) {
  if (rows.empty()) return {};
  std::string text = "\n## " + std::string{heading} + "\n";
  std::string notes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JudgedRow& row = *rows[i];
    if (i == 0 || row.case_name != rows[i - 1]->case_name) {
      text += "\n### " + escaped(row.case_name) + "\n\n";
      text += table_line({"row", "n", "figure", "measured", "predicted", "95 % interval", "judged", "naive"});
      text += "|---|---:|---|---:|---:|---:|---|---:|\n";
    }
    text += row_lines(row);
    if (!row.note.empty() && !misses(row)) notes += "* " + escaped(row.row) + ": " + escaped(row.note) + "\n";
    if (i + 1 < rows.size() && rows[i + 1]->case_name == row.case_name) continue;
    if (!notes.empty()) text += "\n" + notes;
    notes.clear();
  }
  return text;
}

std::string missed(const JudgedRow& row) {
  std::string text = "* **" + full_name(row) + "** (" + std::string{name_of(row.role)} + ")";
  std::string_view separator = ": ";
  for (const JudgedStatistic& judged : row.statistics) {
    if (judged.inside.value_or(true)) continue;
    text.append(separator).append(judged.name()).append(" ").append(four_digits(judged.measured));
    text += " measured, " + number_cell(judged.predicted) + " predicted";
    separator = "; ";
  }
  return text + ". " + (row.note.empty() ? "Why is not known." : "Why: " + escaped(row.note)) + "\n";
}

std::string list(std::string_view heading, const Rows& rows, std::string (*item)(const JudgedRow&)) {
  if (rows.empty()) return {};
  std::string text = "\n## " + std::string{heading} + "\n\n";
  for (const JudgedRow* row : rows) text += item(*row);
  return text;
}

std::string not_predicted(const JudgedRow& row) { return "* " + full_name(row) + ": " + escaped(row.note) + "\n"; }

/// As on a terminal.
std::string explanations(const std::vector<HypothesisComparison>& comparisons) {
  std::string text;
  for (const HypothesisComparison& comparison : comparisons) text += to_text(comparison, Paint{false});
  if (text.empty()) return {};
  return "\n## Several explanations of one measurement\n\n```\n" + text.substr(0, text.size() - 1) + "```\n";
}

}  // namespace

std::string to_markdown(const Validation& validation) {
  const auto of_role = [&](Role role) {
    return rows_where(validation, [role](const JudgedRow& row) { return row.verdict && row.role == role; });
  };
  const Rows predicted = of_role(Role::predicted);
  const Rows fitted = of_role(Role::fit);
  std::string text{kIntroduction};
  text += "\n| rows | number | agree | miss | infeasible data |\n|---|---:|---:|---:|---:|\n";
  text += summary_line("predicted: none of their numbers went into the model", predicted);
  text += summary_line("fitted: in view when the model was made", fitted);
  text += section("Predicted", predicted);
  text += section("Fitted", fitted);
  text += list("Misses, and why", rows_where(validation, misses), missed);
  text += list("Not predicted yet", rows_where(validation, [](const JudgedRow& row) { return !row.verdict; }),
               not_predicted);
  return text + explanations(validation.comparisons) + "\n" + counts_line(validation);
}

}  // namespace vecusim
