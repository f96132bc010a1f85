// A calibration of scenarios: what is free, which data belong to which scenario, and the table of what came out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/calibrate.hpp"
#include "system/json_assign.hpp"
#include "system/json_node.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Bench data with what was set on the bench for them: `FILE` or `FILE@PTR=VALUE@PTR=VALUE…`.
struct DataSource {
  std::string file;
  std::vector<json::Assignment> set;
};
/// A file whose own name has an @ is taken as it stands; FILE may be the name of one of our validation cases.
DataSource parse_data_source(const std::string& text, Problems& problems);

/// `PTR=LO:HI`, or `PTR` for the range of the cost's table. PTR is /costs/NAME, /costs/NAME/value or a number of a law:
/// /costs/NAME/law/KEY. Empty after a problem.
std::optional<FreeCost> parse_free_cost(const std::string& text, const LoadedScenario& loaded, bool prior,
                                        Problems& problems);

struct CalibrationRequest {
  LoadedScenario scenario;
  std::vector<FreeCost> costs;
  /// Bench files measured on the scenario, and validation cases, whose rows name scenarios of their own.
  std::vector<DataSource> data;
  Settings settings;
  /// Whose latency bench files tell, if the scenario has several interrupts.
  std::optional<std::string> interrupt;
  /// Names of rows.
  std::vector<std::string> held_out;
  /// Further runs to be proposed, besides other clocks and other periods of the stimulus.
  std::vector<json::Variation> proposals;
  std::optional<std::uint64_t> seed;
};

/// Reads all data. Throws InvalidInput with what is wrong with them; warnings are added to `warnings`.
CalibrationProblem calibration_problem(const CalibrationRequest& request, const std::stop_token& stop,
                                       Problems& warnings);

/// calibrate(); throws InvalidInput if there is an objection, or if the model answers nothing within the bounds.
Calibration calibrate_or_refuse(const CalibrationProblem& problem, const CalibrationOptions& options);

/// The fitted costs as a document `vecusim/costs/1`, to be named after the tables that it overrules.
json::Node cost_table(const Calibration& calibration, const CalibrationRequest& request);
/// The document `vecusim/calibration/1`.
json::Node to_json(const Calibration& calibration, const CalibrationRequest& request);
/// For a terminal of 80 columns; `colour`: with ANSI escapes.
std::string to_text(const Calibration& calibration, bool colour);

std::string_view name_of(CalibrationVerdict verdict);

}  // namespace vecusim
