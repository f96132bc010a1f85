// Calibrations as text for people.
#include <string>

#include "analysis/calibrate_scenario.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kName = 28;
constexpr std::size_t kNumber = 11;
constexpr std::size_t kInterval = 24;

std::string span(const Interval& interval) { return four_digits(interval.lo) + " … " + four_digits(interval.hi); }

std::string cost_lines(const Calibration& calibration, const Paint& paint) {
  std::string text = paint.heading(flush_left("cost", kName)) + flush_right("before", kNumber) +
                     flush_right("fitted", kNumber) + flush_right("95 % interval", kInterval) + "\n";
  for (const CalibratedCost& cost : calibration.costs) {
    std::string interval = span(cost.interval95);
    if (cost.open_below) interval.insert(0, "≤");
    if (cost.open_above) interval += "≤";
    std::string name = flush_left(cost.cost.name, kName);
    if (cost.cost.name.size() >= kName) name = cost.cost.name + "\n" + std::string(kName, ' ');
    text += name + flush_right(four_digits(cost.cost.start), kNumber) + flush_right(four_digits(cost.value), kNumber) +
            flush_right(interval, kInterval) + (cost.cost.prior ? " prior" : "") + "\n";
  }
  return text;
}

std::string row_lines(const CalibratedRow& row, const Paint& paint) {
  std::string text = paint.heading(row.name) + " (" + (row.held_out ? "held out" : "fitted") +
                     ", n = " + std::to_string(row.n) + ")\n";
  for (const CalibratedFigure& figure : row.figures) {
    text += "  " + flush_left(figure.name, 10) + flush_right(four_digits(figure.measured), kNumber) +
            flush_right(four_digits(figure.predicted), kNumber) + flush_right(span(figure.interval95), kInterval - 3) +
            flush_right(span(figure.interval95_with_parameters), kInterval - 3) +
            (figure.inside ? "" : paint.bad(" !")) + "\n";
  }
  if (!row.note.empty()) text += "  " + wrapped(row.note, kWidth, 2, 2) + "\n";
  return text;
}

std::string quality(const Calibration& calibration) {
  std::string text = "condition number " + four_digits(calibration.condition) +
                     "; χ² = " + four_digits(calibration.chi_squared) + " with " +
                     std::to_string(calibration.degrees_of_freedom) + " degrees of freedom";
  if (!calibration.p_value) return text + ": the fit is exact and tests nothing";
  return text + ", p " + (*calibration.p_value < 1e-3 ? "< 0.001" : "= " + four_digits(*calibration.p_value));
}

}  // namespace

std::string to_text(const Calibration& calibration, bool colour) {
  const Paint paint(colour);
  std::string text = cost_lines(calibration, paint) + wrapped(quality(calibration), kWidth, 0) + "\n";
  text +=
      "\nlatencies in µs; intervals for one more experiment, with the costs as fitted\nand with their uncertainty\n";
  text += flush_left("", 12) + flush_right("measured", kNumber) + flush_right("predicted", kNumber) +
          flush_right("as fitted", kInterval - 3) + flush_right("uncertain", kInterval - 3) + "\n";
  for (const CalibratedRow& row : calibration.rows) text += row_lines(row, paint);
  const std::string verdict{name_of(calibration.verdict)};
  text += "\nverdict: " +
          (calibration.verdict == CalibrationVerdict::identified ? paint.good(verdict) : paint.bad(verdict)) + "\n";
  for (const std::string& sentence : calibration.sentences) text += "* " + wrapped(sentence + ".", kWidth, 2, 2) + "\n";
  return text;
}

}  // namespace vecusim
