// From the words of a command line to a problem of costs and rows.
#include "analysis/calibrate_scenario.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "analysis/bench_data.hpp"
#include "analysis/case.hpp"
#include "analysis/text_layout.hpp"
#include "analysis/validate_simulation.hpp"
#include "system/data_files.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"

namespace vecusim {
namespace {

namespace fs = std::filesystem;

Place place_of(std::string_view name) { return {std::make_shared<const std::string>(name), 1, 1}; }

std::optional<double> number_of(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Interval> bounds_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto lo = number_of(text.substr(0, colon));
  const auto hi = number_of(text.substr(colon + 1));
  if (!lo || !hi || *lo < 0.0 || *lo >= *hi) return std::nullopt;
  return Interval{*lo, *hi};
}

/// The range that a cost's table gives for its value.
std::optional<Interval> table_range(const json::Node& cost) {
  const json::Node* range = cost.find("range");
  if (range == nullptr || range->items.size() != 2) return std::nullopt;
  const Interval interval{range->items[0].as_double(), range->items[1].as_double()};
  return interval.lo < interval.hi ? std::optional{interval} : std::nullopt;
}

std::string nearest_cost(std::string_view pointer, const json::Node& document) {
  std::vector<std::string> pointers;
  if (const json::Node* costs = document.find("costs")) {
    for (const json::Member& cost : costs->members) pointers.push_back("/costs/" + cost.key);
  }
  std::string word{pointer};
  if (!word.starts_with('/')) word.insert(0, "/costs/");
  return nearest(word, pointers);
}

// Rows.

/// The scenario of a row with some costs replaced, as experiments.
FreeModel model_of(std::shared_ptr<const LoadedScenario> loaded, const std::vector<FreeCost>& costs,
                   std::vector<std::pair<std::string, json::Node>> set, const std::optional<std::string>& interrupt,
                   const CalibrationRequest& request, const std::stop_token& stop) {
  const std::size_t measured = measured_interrupt(*loaded, interrupt);
  std::vector<std::string> pointers;
  pointers.reserve(costs.size());
  for (const FreeCost& cost : costs) pointers.push_back(cost.pointer);
  return [loaded = std::move(loaded), pointers = std::move(pointers), set = std::move(set), measured,
          seed = request.seed, tables = std::make_shared<QuantileTables>(), stop](const std::vector<double>& values) {
    std::vector<std::pair<std::string, json::Node>> changes = set;
    for (std::size_t i = 0; i < values.size(); ++i) changes.emplace_back(pointers[i], json::Node::floating(values[i]));
    Scenario scenario = with_values(*loaded, changes);
    if (seed) scenario.run.seed = *seed;
    return scenario_repetition(std::move(scenario), measured, tables, stop);
  };
}

class Rows {
 public:
  Rows(const CalibrationRequest& request, const std::stop_token& stop, Problems& warnings)
      : request_(request),
        stop_(stop),
        warnings_(warnings),
        base_(std::make_shared<const LoadedScenario>(request.scenario)) {
    problem_.costs = request.costs;
  }

  CalibrationProblem take() {
    for (const DataSource& source : request_.data) {
      if (source.file.ends_with(".json")) {
        add_case(source);
      } else {
        add_bench(source);
      }
    }
    hold_out();
    return std::move(problem_);
  }

 private:
  void add_bench(const DataSource& source) {
    const BenchData data = read_bench_file(source.file);
    warnings_.append(data.warnings);
    std::vector<std::pair<std::string, json::Node>> set;
    for (const json::Assignment& assignment : source.set) set.emplace_back(assignment.pointer, assignment.value);
    const FreeModel model = model_of(base_, request_.costs, set, request_.interrupt, request_, stop_);
    const std::string stem = fs::path(source.file).stem().string();
    if (const auto* samples = std::get_if<BenchSamples>(&data.content)) {
      return add(stem, measurement_of(*samples, {}), model, source.file);
    }
    for (const BenchRow& row : std::get<std::vector<BenchRow>>(data.content)) {
      add(row.name, measurement_of(row, {}), model, source.file);
    }
  }

  /// Rows that nothing predicts are left out; those that a case calls predicted are held out.
  void add_case(const DataSource& source) {
    const LoadedCase loaded = load_case(source.file);
    const BenchData data = read_bench_file(loaded.data_path);
    for (const CaseRow& row : loaded.content.rows) {
      if (!row.scenario) continue;
      Settings settings = row.set;
      settings.insert(settings.end(), request_.settings.begin(), request_.settings.end());
      const auto scenario = std::make_shared<const LoadedScenario>(load_scenario(*row.scenario, settings));
      std::vector<std::pair<std::string, json::Node>> set;
      for (const json::Assignment& assignment : source.set) set.emplace_back(assignment.pointer, assignment.value);
      add(row.name, measurement_in(loaded, row, data),
          model_of(scenario, request_.costs, set, row.interrupt, request_, stop_), source.file);
      if (row.role == Role::predicted) problem_.rows.back().held_out = true;
    }
  }

  static Measurement measurement_in(const LoadedCase& loaded, const CaseRow& row, const BenchData& data) {
    if (const auto* samples = std::get_if<BenchSamples>(&data.content)) return measurement_of(*samples, row.resolution);
    const std::string& name = row.measured ? *row.measured : row.name;
    for (const BenchRow& measured : std::get<std::vector<BenchRow>>(data.content)) {
      if (measured.name == name) return measurement_of(measured, row.resolution);
    }
    throw InvalidInput(Problem{.place = loaded.document.place,
                               .pointer = "/rows",
                               .expected = "a row of " + data.name,
                               .found = json::quoted(name)});
  }

  /// A name that an earlier row has is told apart by the file, and by a number.
  void add(std::string name, const Measurement& measurement, FreeModel model, const std::string& file) {
    const std::string longer = file + ":" + name;
    if (names_.contains(name)) name = longer;
    for (int i = 2; !names_.insert(name).second; ++i) name = longer + "#" + std::to_string(i);
    problem_.rows.push_back(fitted_row(std::move(name), measurement));
    problem_.models.push_back(std::move(model));
  }

  void hold_out() {
    Problems problems;
    for (const std::string& name : request_.held_out) {
      const auto at = std::find_if(problem_.rows.begin(), problem_.rows.end(),
                                   [&](const FittedRow& row) { return row.name == name; });
      if (at != problem_.rows.end()) {
        at->held_out = true;
        continue;
      }
      problems.add({place_of("--holdout"), "", "the name of a row of the data", json::quoted(name),
                    nearest(name, std::vector<std::string>(names_.begin(), names_.end()))});
    }
    problems.throw_if_errors();
  }

  const CalibrationRequest& request_;
  const std::stop_token& stop_;
  Problems& warnings_;
  std::shared_ptr<const LoadedScenario> base_;
  CalibrationProblem problem_;
  std::set<std::string> names_;
};

/// What is easily changed on a bench: the clock and how often the stimulus comes.
std::vector<json::Variation> usual_proposals(std::size_t stimulus) {
  std::vector<json::Variation> usual;
  Problems none;
  for (const std::string& text : {std::string{"/board/clock_mhz=600,1000,1500,1800"},
                                  "/interrupts/" + std::to_string(stimulus) + "/stimulus/period_ms=1,10,100,1000"}) {
    usual.push_back(*json::parse_variation(text, none));
  }
  return usual;
}

/// Those that the scenario's reader accepts and that change something.
std::vector<Proposal> proposals_of(const CalibrationRequest& request, const std::stop_token& stop) {
  const std::vector<InterruptConfig>& interrupts = request.scenario.scenario.interrupts;
  if (interrupts.empty()) return {};
  const std::string measured = request.interrupt.value_or(interrupts.front().name);
  std::vector<json::Variation> variations =
      usual_proposals(leader_of(interrupts, measured_interrupt(request.scenario, measured)));
  variations.insert(variations.end(), request.proposals.begin(), request.proposals.end());
  const auto base = std::make_shared<const LoadedScenario>(request.scenario);
  std::vector<Proposal> proposals;
  for (const json::Variation& variation : variations) {
    const json::Node* now = json::find(request.scenario.document, variation.pointer);
    for (const json::Choice& choice : variation.choices) {
      if (now != nullptr && now->is_number() && now->as_double() == choice.value.as_double()) continue;
      try {
        with_values(request.scenario, {{variation.pointer, choice.value}});
      } catch (const InvalidInput&) {
        continue;  // not on this board
      }
      proposals.push_back(
          {variation.pointer, "a run with " + variation.pointer + "=" + choice.text,
           model_of(base, request.costs, {{variation.pointer, choice.value}}, measured, request, stop)});
    }
  }
  return proposals;
}

}  // namespace

DataSource parse_data_source(const std::string& text, Problems& problems) {
  DataSource source;
  std::error_code ignored;
  if (fs::exists(text, ignored)) {
    source.file = text;
    return source;
  }
  std::size_t at = text.find("@/");
  source.file = text.substr(0, at);
  if (const auto known = data_file("validation/cases", source.file)) source.file = known->string();
  while (at != std::string::npos) {
    const std::size_t next = text.find("@/", at + 1);
    const std::string setting = text.substr(at + 1, next == std::string::npos ? next : next - at - 1);
    if (auto assignment = json::parse_assignment(setting, problems, "--data"))
      source.set.push_back(std::move(*assignment));
    at = next;
  }
  return source;
}

std::optional<FreeCost> parse_free_cost(const std::string& text, const LoadedScenario& loaded, bool prior,
                                        Problems& problems) {
  const std::string_view option = prior ? "--prior" : "--fit";
  const auto refuse = [&](std::string pointer, std::string expected, std::string found, std::string near = {}) {
    problems.add({place_of(option), std::move(pointer), std::move(expected), std::move(found), std::move(near)});
    return std::nullopt;
  };
  const std::size_t equals = text.find('=');
  FreeCost cost;
  cost.prior = prior;
  cost.pointer = text.substr(0, equals);
  const auto tokens = json::parse_pointer(cost.pointer);
  const json::Node* node = tokens ? json::find(loaded.document, cost.pointer) : nullptr;
  if (node == nullptr || tokens->size() < 2 || tokens->front() != "costs") {
    return refuse(cost.pointer, "a cost of the scenario: /costs/NAME", json::quoted(cost.pointer),
                  nearest_cost(cost.pointer, loaded.document));
  }
  const json::Node& table = *json::find(loaded.document, "/costs/" + (*tokens)[1]);
  cost.name = (*tokens)[1];
  if (tokens->size() == 2) {
    cost.pointer += "/value";
    node = json::find(loaded.document, cost.pointer);
  } else if (tokens->back() != "value") {
    cost.name += " " + tokens->back();
  }
  if (node == nullptr || !node->is_number()) {
    return refuse(cost.pointer, "a number; of a law, one of its own: /costs/NAME/law/KEY",
                  node == nullptr ? "none" : json::shown(*node));
  }
  cost.start = node->as_double();
  std::optional<Interval> bounds;
  if (equals != std::string::npos) {
    bounds = bounds_of(std::string_view{text}.substr(equals + 1));
    if (!bounds) {
      return refuse(cost.pointer, "LO:HI with 0 <= LO < HI", json::quoted(text.substr(equals + 1)));
    }
  } else if (tokens->size() == 2 || tokens->back() == "value") {
    bounds = table_range(table);
  }
  if (!bounds) return refuse(cost.pointer, "=LO:HI, for its table gives no range", "nothing");
  cost.lo = bounds->lo;
  cost.hi = bounds->hi;
  if (prior && cost.lo > 0.0 && cost.start <= 0.0) cost.start = cost.lo;
  return cost;
}

CalibrationProblem calibration_problem(const CalibrationRequest& request, const std::stop_token& stop,
                                       Problems& warnings) {
  CalibrationProblem problem = Rows(request, stop, warnings).take();
  problem.proposals = proposals_of(request, stop);
  return problem;
}

Calibration calibrate_or_refuse(const CalibrationProblem& problem, const CalibrationOptions& options) {
  const auto refusal = [](const std::string& expected, const std::string& found) {
    return InvalidInput(Problem{.place = place_of("--fit"), .pointer = "/costs", .expected = expected, .found = found});
  };
  if (const auto reason = objection(problem)) throw refusal("as many figures as free costs", *reason);
  auto calibration = calibrate(problem, options);
  if (!calibration) throw refusal("bounds within which something is answered", "none");
  return *std::move(calibration);
}

}  // namespace vecusim
