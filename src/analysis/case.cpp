// The fields of a validation case, and how one is read.
#include "analysis/case.hpp"

#include <filesystem>
#include <set>

#include "system/json_fields.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

constexpr std::string_view kSchema = "vecusim/case/1";
constexpr std::string_view kExtension = ".json";
constexpr std::array kJudges = {Option{"interval", "inside the predictive interval"},
                                Option{"mark", "predicted within a relative error"}};

/// Visits those of `values` that are there, each under its statistic's name.
template <class T, class Visit>
void visit_each(FieldVisitor& visit, ByStatistic<T>& values, std::string_view sentence, Visit one) {
  for (std::size_t i = 0; i < kStatistics; ++i) {
    const Field field{name_of(static_cast<Statistic>(i)), sentence};
    visit.optional(field, values[i], [&](T& value) { one(field, value); });
  }
}

template <class T>
bool any(const ByStatistic<T>& values) {
  for (const auto& value : values) {
    if (value) return true;
  }
  return false;
}

bool any_interval(const ByStatistic<Judge>& judges) {
  for (const auto& judge : judges) {
    if (judge && judge->by == Judge::By::interval) return true;
  }
  return false;
}

/// Two rows of one name could not be told apart in the outcome.
void require_different_names(const Case& content, const json::Node& document, Problems& problems) {
  std::set<std::string_view> names;
  const auto require_new = [&](const std::string& name, const std::string& row) {
    if (names.insert(name).second) return;
    const std::string pointer = row + "/name";
    const json::Node* node = json::find(document, pointer);
    problems.add(
        {node != nullptr ? node->place : document.place, pointer, "a name that no other row has", json::quoted(name)});
  };
  for (std::size_t i = 0; i < content.rows.size(); ++i) {
    require_new(content.rows[i].name, "/rows/" + std::to_string(i));
  }
  for (std::size_t i = 0; i < content.figures.size(); ++i) {
    require_new(content.figures[i].name, "/figures/" + std::to_string(i));
  }
}

}  // namespace

std::string_view name_of(Role role) { return roles()[static_cast<std::size_t>(role)].name; }
std::string_view name_of(RowVerdict verdict) { return verdicts()[static_cast<std::size_t>(verdict)].name; }

void Judge::fields(FieldVisitor& visit) {
  visit.choice({"judge", "how the statistic is judged"}, by, kJudges);
  const Field field{"mark",
                    "the largest relative error, |predicted / measured - 1|; of ks_distance the largest distance"};
  visit.optional(field, mark, [&](double& value) { visit.number(field, value, {0.0, 1e6}); });
  visit.require(mark.has_value() == (by == By::mark), "mark", "a number if and only if `judge` is \"mark\"");
}

void Judges::fields(FieldVisitor& visit) {
  visit_each(visit, each, "how this statistic is judged",
             [&](const Field& field, Judge& judge) { visit.object(field, judge); });
}

void Naive::fields(FieldVisitor& visit) {
  visit.text({"why", "where the prediction comes from, with its source", true}, why);
  visit_each(visit, values, "what it predicts",
             [&](const Field& field, double& value) { visit.number(field, value, at_least(0.0)); });
}

void CaseRow::fields(FieldVisitor& visit) {
  visit.text({"name", "the row's name in the outcome", true}, name);
  const Field measured_field{"measured", "the row's name in the data file, if it is another"};
  visit.optional(measured_field, measured, [&](std::string& value) { visit.text(measured_field, value); });
  const Field scenario_field{"scenario", "file or preset that predicts it; none: judged for feasibility alone"};
  visit.optional(scenario_field, scenario, [&](std::string& value) { visit.text(scenario_field, value); });
  visit.texts({"set", "PTR=VALUE: values replaced in the scenario"}, set);
  const Field interrupt_field{"interrupt", "whose latency was measured, if the scenario has several interrupts"};
  visit.optional(interrupt_field, interrupt, [&](std::string& value) { visit.text(interrupt_field, value); });
  visit.choice({"role", "whether the row's own numbers went into the model"}, role, roles());
  visit.object({"statistics", "which statistics are judged, and how"}, statistics);
  const Field resolution_field{"resolution_us", "the step in which latencies are printed, if the digits do not tell"};
  visit.optional(resolution_field, resolution, [&](Duration& value) {
    visit.duration(resolution_field, value, {Duration{1}, 1000s});
  });
  const Field pool_field{"pool", "edges simulated to predict more than 10 000, where 20 n would take too long"};
  visit.optional(pool_field, pool, [&](std::int64_t& value) {
    visit.integer(pool_field, value, {10'000, 10'000'000});
  });
  const Field repetitions_field{"repetitions", "how often the experiment is repeated, where only marks are judged"};
  visit.optional(repetitions_field, repetitions, [&](std::int64_t& value) {
    visit.integer(repetitions_field, value, {1, 2000});
  });
  visit.choice({"expect", "the verdict that counts as passed"}, expect, verdicts());
  visit.texts({"perturbation", "PTR=VALUE on top of `set`: under it the verdict must be \"fail\""}, perturbation);
  const Field naive_field{"naive", "what somebody without a model would have predicted"};
  visit.optional(naive_field, naive, [&](Naive& value) { visit.object(naive_field, value); });
  visit.text({"hypothesis", "short name, if the row is one of several explanations of one measurement"}, hypothesis);
  visit.texts({"fitted", "the parameters that were chosen for this measurement, each with its value"}, fitted);
  const Field factor_field{"factor", "multiplies every latency: a null model of the measurement and no mechanism"};
  visit.optional(factor_field, factor, [&](double& value) { visit.number(factor_field, value, {1e-3, 1e3}); });
  visit.text({"note", "a remark"}, note);

  visit.require(!name.empty(), "name", "not empty");
  visit.require(!repetitions || !any_interval(statistics.each), "repetitions",
                "none where an interval is judged, which takes 2000");
  visit.require(scenario.has_value() == any(statistics.each), "statistics",
                "at least one with a `scenario`, none without");
  visit.require(scenario || (set.empty() && perturbation.empty()), scenario || set.empty() ? "perturbation" : "set",
                "none without a `scenario`");
  visit.require(!scenario || expect == RowVerdict::fail || !perturbation.empty(), "perturbation",
                "at least one: a row that nothing can fail says nothing");
  visit.require(expect != RowVerdict::fail || !note.empty(), "note", "why it fails, or that it is not known");
  visit.require(fitted.empty() || role == Role::fit, "fitted", "none, or the role \"fit\"");
  visit.require(!factor || !fitted.empty(), "fitted", "the factor: a null model is fitted by its nature");
}

void CaseExperiment::fields(FieldVisitor& visit) {
  visit.text({"name", "what would be done on the bench", true}, name);
  visit.texts({"set", "PTR=VALUE on top of each row's `set`", true}, set);
  visit.list({"instead", "hypotheses in whose scenario it means something else, or nothing"}, instead);
}

void CaseExperiment::Own::fields(FieldVisitor& visit) {
  visit.text({"hypothesis", "which hypothesis", true}, hypothesis);
  visit.texts({"set", "PTR=VALUE instead of the experiment's `set`; absent: it changes nothing"}, set);
}

void Case::fields(FieldVisitor& visit) {
  visit.text({"schema", "vecusim/case/1", true}, schema);
  visit.text({"title", "what the case is about"}, title);
  visit.text({"data", "the data file of the rows, relative to the case's folder"}, data);
  visit.list({"rows", "the rows to be judged"}, rows);
  visit.list({"figures", "other numbers and ratios to be judged, each with what was measured"}, figures);
  visit.list({"experiments", "what could tell the rows' hypotheses apart"}, experiments);
  visit.require(schema == kSchema, "schema", "\"vecusim/case/1\"");
  visit.require(!rows.empty() || !figures.empty(), "rows", "at least one, or a figure");
  visit.require(rows.empty() == data.empty(), "data", "a file if and only if there are rows");
}

LoadedCase load_case(const std::string& path) {
  Problems problems;
  LoadedCase loaded;
  if (const auto document = json::read_file(path, problems)) {
    json::read(*document, loaded.content, problems);
    require_different_names(loaded.content, *document, problems);
    loaded.document = *document;
  }
  problems.throw_if_errors();
  const std::filesystem::path file{path};
  const auto beside = [&](const std::string& other) {
    return (file.parent_path() / other).lexically_normal().string();
  };
  loaded.name = file.stem().string();
  loaded.data_path = beside(loaded.content.data);
  for (CaseRow& row : loaded.content.rows) {
    if (row.scenario && row.scenario->ends_with(kExtension)) row.scenario = beside(*row.scenario);
  }
  for (CaseFigure& figure : loaded.content.figures) {
    if (figure.scenario.ends_with(kExtension)) figure.scenario = beside(figure.scenario);
    if (figure.over && figure.over->ends_with(kExtension)) figure.over = beside(*figure.over);
  }
  return loaded;
}

}  // namespace vecusim
