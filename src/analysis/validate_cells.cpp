// Cells and counts of validations.
#include "analysis/validate_cells.hpp"

#include <string_view>

#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

constexpr std::string_view kNothing = "–";

}  // namespace

std::string number_cell(const std::optional<double>& value) {
  return value ? four_digits(*value) : std::string{kNothing};
}

std::string interval_cell(const std::optional<Interval>& interval) {
  return interval ? four_digits(interval->lo) + " … " + four_digits(interval->hi) : std::string{kNothing};
}

std::string judgement_cell(const JudgedStatistic& judged) {
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

std::string counts_line(const Validation& validation) {
  const std::size_t passed = validation.passed();
  const std::size_t failed = validation.failed();
  const std::size_t open = validation.rows.size() - passed - failed;
  return std::to_string(passed) + " passed, " + std::to_string(failed) + " failed" +
         (open > 0 ? ", " + std::to_string(open) + " without verdict" : "") + "\n";
}

}  // namespace vecusim
