// Judgements: comparing, validating, calibrating, and how far a value or a cost matters.
#include <string>
#include <vector>

#include "analysis/bench_data.hpp"
#include "analysis/calibrate_scenario.hpp"
#include "analysis/compare.hpp"
#include "analysis/find.hpp"
#include "analysis/limits.hpp"
#include "analysis/sensitivity.hpp"
#include "analysis/validate_request.hpp"
#include "analysis/validate_simulation.hpp"
#include "python-bindings/bindings.hpp"
#include "system/json_print.hpp"
#include "system/scenario_text.hpp"

namespace vecusim::bindings {

namespace {

using Released = py::call_guard<py::gil_scoped_release>;

/// (document, text, whether it is as expected)
py::tuple outcome(const json::Node& document, const std::string& text, bool good) {
  return py::make_tuple(json::pretty(document), text, good);
}

/// A side is (text, name) of a document, or (None, path).
Side side_of(const std::pair<std::optional<std::string>, std::string>& side) {
  return side.first ? read_side_text(*side.first, side.second) : read_side(side.second);
}

py::tuple compare_sides(const std::pair<std::optional<std::string>, std::string>& before,
                        const std::pair<std::optional<std::string>, std::string>& after) {
  const Comparison comparison = compare(side_of(before), side_of(after));
  return outcome(to_json(comparison), to_text(comparison), !comparison.worse());
}

py::tuple outcome(const Validation& validation) {
  return outcome(to_json(validation), to_text(validation, false), validation.failed() == 0);
}

ValidationRequest request_of(const Settings& settings, std::optional<std::uint64_t> seed,
                             std::optional<std::size_t> reps, const Parallel& parallel) {
  require_within("seed", seed, 0, kMostSeed);
  require_within("reps", reps, kRepetitions, kMostRepetitions);
  return {.settings = settings, .seed = seed, .repetitions = reps.value_or(kRepetitions), .parallel = parallel};
}

py::tuple validate(const std::vector<std::string>& cases, const Settings& settings, std::optional<std::uint64_t> seed,
                   std::optional<std::size_t> reps, unsigned jobs, const py::object& progress) {
  Validation validation;
  watch(progress, jobs, [&](const Parallel& parallel) {
    validation = validate_cases(cases, request_of(settings, seed, reps, parallel));
  });
  return outcome(validation);
}

/// `name`, and `text` unless that is the name of a file or preset.
py::tuple validate_own(const std::string& name, const std::optional<std::string>& text, const std::string& data,
                       const std::optional<std::string>& interrupt, const Settings& settings,
                       std::optional<std::uint64_t> seed, std::optional<std::size_t> reps, unsigned jobs,
                       const py::object& progress) {
  const auto load = [&](const Settings& set) {
    return text ? load_scenario_text(*text, name, set) : load_scenario(name, set);
  };
  Validation validation;
  watch(progress, jobs, [&](const Parallel& parallel) {
    validation =
        validate_bench({name, load}, read_bench_file(data), interrupt, request_of(settings, seed, reps, parallel));
  });
  return outcome(validation);
}

struct Fitting {
  std::vector<std::string> data;
  std::vector<std::string> fit;
  std::vector<std::string> prior;
  std::vector<std::string> held_out;
  std::vector<std::string> propose;
  std::optional<std::string> interrupt;
};

CalibrationRequest request_of(const LoadedScenario& loaded, const Settings& settings, const Fitting& fitting,
                              std::optional<std::uint64_t> seed) {
  require_within("seed", seed, 0, kMostSeed);
  CalibrationRequest request;
  request.scenario = loaded;
  request.settings = settings;
  request.seed = seed;
  request.held_out = fitting.held_out;
  request.interrupt = fitting.interrupt;
  Problems problems;
  for (const std::string& text : fitting.data) request.data.push_back(parse_data_source(text, problems));
  for (const std::string& text : fitting.propose) {
    if (auto variation = json::parse_variation(text, problems, "propose")) request.proposals.push_back(*variation);
  }
  for (const std::string& text : fitting.fit) {
    if (const auto cost = parse_free_cost(text, loaded, false, problems)) request.costs.push_back(*cost);
  }
  for (const std::string& text : fitting.prior) {
    if (const auto cost = parse_free_cost(text, loaded, true, problems)) request.costs.push_back(*cost);
  }
  problems.throw_if_errors();
  return request;
}

/// (document, text, whether every cost is known, the table of costs or None, warnings)
py::tuple calibrate_costs(const LoadedScenario& loaded, const Settings& settings, const Fitting& fitting,
                          std::optional<std::uint64_t> seed, std::optional<std::size_t> reps, unsigned jobs) {
  require_within("reps", reps, kLeastFitRepetitions, kMostFitRepetitions);
  CalibrationRequest request;
  Calibration calibration;
  Problems warnings;
  watch(py::none(), jobs, [&](const Parallel& parallel) {
    request = request_of(loaded, settings, fitting, seed);
    CalibrationOptions options;
    options.repetitions = reps.value_or(options.repetitions);
    options.parallel = {.threads = parallel.threads, .stop = parallel.stop};
    calibration = calibrate_or_refuse(calibration_problem(request, parallel.stop, warnings), options);
  });
  const bool known = calibration.verdict == CalibrationVerdict::identified;
  return py::make_tuple(json::pretty(to_json(calibration, request)), to_text(calibration, false), known,
                        known ? py::object(py::str(json::pretty(cost_table(calibration, request)))) : py::none(),
                        warnings.text());
}

/// How far a value can go: `span` is PTR=LO:HI, `meets` FIGURE <= VALUE.
py::tuple find_cliff(const LoadedScenario& loaded, const std::string& span, const std::string& meets,
                     const std::optional<std::string>& interrupt, std::optional<std::uint64_t> seed,
                     std::optional<std::uint64_t> reps, unsigned jobs) {
  Problems problems;
  const auto between = parse_span(span, problems, "find");
  const auto limit = parse_limit(meets, interrupt_meant(loaded, interrupt), problems);
  problems.throw_if_errors();
  std::optional<Search> search;
  watch(py::none(), jobs, [&](const Parallel& parallel) {
    RunOptions options = options_of(seed, reps, parallel);
    options.parallel.progress = {};  // how many values it takes is not known beforehand
    search = find_limit(loaded, *between, *limit, options);
  });
  return outcome(to_json(*search), to_text(*search), search->last_met.has_value());
}

py::tuple rest_on(const LoadedScenario& loaded, const std::string& statistic,
                  const std::optional<std::string>& interrupt, std::optional<std::uint64_t> seed,
                  std::optional<std::uint64_t> reps, unsigned jobs, const py::object& progress) {
  Sensitivity found;
  watch(progress, jobs, [&](const Parallel& parallel) {
    found = sensitivity(loaded, interrupt, statistic_named(statistic).value(), options_of(seed, reps, parallel));
  });
  return outcome(to_json(found), to_text(found, kCostsShown), true);
}

}  // namespace

void bind_judgements(py::module_& module) {
  module.def("compare", &compare_sides, py::arg("before"), py::arg("after"));
  module.def("validate", &validate, py::arg("cases"), py::arg("settings"), py::arg("seed"), py::arg("reps"),
             py::arg("jobs"), py::arg("progress"));
  module.def("validate_own", &validate_own, py::arg("name"), py::arg("text"), py::arg("data"), py::arg("interrupt"),
             py::arg("settings"), py::arg("seed"), py::arg("reps"), py::arg("jobs"), py::arg("progress"));
  module.def("find", &find_cliff, py::arg("scenario"), py::arg("span"), py::arg("meets"), py::arg("interrupt"),
             py::arg("seed"), py::arg("reps"), py::arg("jobs"));
  module.def("sensitivity", &rest_on, py::arg("scenario"), py::arg("statistic"), py::arg("interrupt"), py::arg("seed"),
             py::arg("reps"), py::arg("jobs"), py::arg("progress"));
  module.def(
      "calibrate",
      [](const LoadedScenario& loaded, const Settings& settings, const std::vector<std::string>& data,
         const std::vector<std::string>& fit, const std::vector<std::string>& prior,
         const std::vector<std::string>& holdout, const std::vector<std::string>& propose,
         const std::optional<std::string>& interrupt, std::optional<std::uint64_t> seed,
         std::optional<std::size_t> reps, unsigned jobs) {
        return calibrate_costs(loaded, settings, {data, fit, prior, holdout, propose, interrupt}, seed, reps, jobs);
      },
      py::arg("scenario"), py::arg("settings"), py::arg("data"), py::arg("fit"), py::arg("prior"), py::arg("holdout"),
      py::arg("propose"), py::arg("interrupt"), py::arg("seed"), py::arg("reps"), py::arg("jobs"));
}

}  // namespace vecusim::bindings
