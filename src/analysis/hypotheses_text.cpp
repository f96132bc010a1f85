// Hypotheses side by side, as text for people.
#include "analysis/hypotheses_text.hpp"

#include <algorithm>
#include <cctype>

namespace vecusim {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kName = 14;
constexpr std::size_t kExperiment = 26;
constexpr std::size_t kColumn = 13;
/// Of a table that is not wider than the terminal.
constexpr std::size_t kColumns = (kWidth - 2 - kExperiment) / kColumn;

std::string agreement(const Hypothesis& hypothesis) {
  if (!hypothesis.agrees) return "not judged";
  return *hypothesis.agrees ? "agrees" : "does not";
}

std::string fitted(const Hypothesis& hypothesis) {
  if (hypothesis.fitted.empty()) return "nothing fitted to it";
  std::string text = hypothesis.null_model ? "a factor and no mechanism; " : "";
  text += std::to_string(hypothesis.fitted.size()) + " fitted to it: ";
  for (std::size_t i = 0; i < hypothesis.fitted.size(); ++i)
    text.append(i == 0 ? "" : "; ").append(hypothesis.fitted[i]);
  return text;
}

std::string line_of(const Hypothesis& hypothesis, const Paint& paint) {
  constexpr std::size_t kAgrees = 12;
  const std::string agrees = flush_left(agreement(hypothesis), kAgrees);
  const bool good = hypothesis.agrees.value_or(false);
  return "  " + flush_left(hypothesis.name, kName) + (good ? paint.good(agrees) : agrees) +
         wrapped(fitted(hypothesis), kWidth, 2 + kName + kAgrees, 2 + kName + kAgrees) + "\n";
}

/// "1249 a": the same letter for what cannot be told from one another.
std::string cell(const ForeseenExperiment& experiment, std::size_t column) {
  return four_digits(experiment.mean_us[column].value) + " " + static_cast<char>('a' + experiment.group[column]);
}

std::string table(const HypothesisComparison& comparison, std::size_t first, std::size_t last) {
  const auto agreeing = comparison.agreeing();
  std::string text = "  " + flush_left("", kExperiment);
  for (std::size_t i = first; i < last; ++i) text += flush_right(agreeing[i]->name, kColumn);
  text += "\n";
  for (const ForeseenExperiment& experiment : comparison.experiments) {
    text += "  " + flush_left(experiment.name, kExperiment);
    for (std::size_t i = first; i < last; ++i) text += flush_right(cell(experiment, i), kColumn);
    text += "\n";
  }
  return text;
}

std::string closing(const HypothesisComparison& comparison) {
  const auto pairs = comparison.inseparable();
  if (pairs.empty()) return "Together these experiments would tell all of them apart.";
  std::string text = "Not told apart by any of these:";
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    text.append(i == 0 ? " " : "; ").append(pairs[i].first).append(" and ").append(pairs[i].second);
  }
  return text + ".";
}

std::string sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

}  // namespace

std::string to_text(const HypothesisComparison& comparison, const Paint& paint) {
  std::string text = paint.heading(comparison.case_name + " / " + comparison.measured) + ": " +
                     std::to_string(comparison.hypotheses.size()) + " explanations\n";
  for (const Hypothesis& hypothesis : comparison.hypotheses) text += line_of(hypothesis, paint);
  text += "  " + paint.heading(wrapped(sentence(comparison.verdict()), kWidth, 2, 2)) + "\n";
  if (comparison.experiments.empty()) return text + "\n";

  const std::string caption = "What they predict for experiments that nobody has made: the mean of " +
                              std::to_string(comparison.experiments.front().n) +
                              " edges in µs; where the 95 % intervals of two overlap they have the same letter.";
  text += "\n  " + wrapped(caption, kWidth, 2, 2) + "\n";
  const std::size_t columns = comparison.agreeing().size();
  for (std::size_t first = 0; first < columns; first += kColumns) {
    text += table(comparison, first, std::min(columns, first + kColumns));
  }
  return text + "  " + wrapped(closing(comparison), kWidth, 2, 2) + "\n\n";
}

}  // namespace vecusim
