// What a fit can and cannot tell, in words.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "analysis/calibrate.hpp"
#include "analysis/calibrate_information.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

/// σ of what is not known: its 95 % interval takes a third of the bounds.
constexpr double kUnknown = 1.0 / 12.0;
/// A proposed run must do twice as well.
constexpr double kKnown = 0.5 * kUnknown;
/// What a direction is made of: parts of at least this share of its largest.
constexpr double kPart = 0.3;
/// Rows that a true model gives less often contradict each other.
constexpr double kContradiction = 0.01;
constexpr double kClose = 0.95;

std::string percent(double share) { return four_digits(std::abs(100.0 * share)) + " %"; }

/// The relative change of a cost by a step on the unit scale.
double relative_change(const FreeCost& cost, double unit, double step) {
  const double value = cost.from_unit(unit);
  return value > 0.0 ? cost.from_unit(unit + step) / value - 1.0 : 0.0;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<std::size_t> parts_of(const Direction& direction) {
  double largest = 0.0;
  for (const double part : direction.along) largest = std::max(largest, std::abs(part));
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < direction.along.size(); ++i) {
    if (std::abs(direction.along[i]) >= kPart * largest) parts.push_back(i);
  }
  return parts;
}

/// Whether a cost without a prior is unknown along it.
bool unknown(const CalibrationProblem& problem, const Direction& direction) {
  for (std::size_t i = 0; i < direction.along.size(); ++i) {
    if (!problem.costs[i].prior && std::abs(direction.along[i]) * direction.sigma > kUnknown) return true;
  }
  return false;
}

class Words {
 public:
  Words(const CalibrationProblem& problem, const Fit& fit) : problem_(problem), fit_(fit) {}

  std::string unknown_direction(const Direction& direction) const {
    const std::vector<std::size_t> parts = parts_of(direction);
    if (parts.size() == 1) return unknown_cost(parts.front());
    // So far along that the cost that changes most changes by a tenth.
    double step = 1.0;
    for (const std::size_t i : parts) {
      const double tiny = 1e-4 * direction.along[i];
      const double rate = std::abs(relative_change(cost(i), value(i), tiny)) / 1e-4;
      if (rate > 0.0) step = std::min(step, 0.1 / rate);
    }
    if (direction.along[parts.front()] < 0.0) step = -step;
    std::vector<std::string> names;
    std::vector<std::string> changes;
    for (const std::size_t i : parts) {
      names.push_back(cost(i).name);
      const double change = relative_change(cost(i), value(i), step * direction.along[i]);
      changes.push_back(percent(change) + (change < 0.0 ? " less of " : " more of ") + cost(i).name);
    }
    return listed(names) + " cannot be told apart by this data: " + listed(changes) +
           " together change no figure by as much as it scatters";
  }

  std::string unknown_cost(std::size_t i) const {
    const FittedParameter& fitted = fit_.parameters[i];
    const std::string range = plain_bound(cost(i).from_unit(fitted.interval95.lo)) + " … " +
                              plain_bound(cost(i).from_unit(fitted.interval95.hi));
    return cost(i).name + " is hardly bounded by this data: anything in " + range + " fits as well";
  }

  std::string beyond_bound(std::size_t i) const {
    const bool below = fit_.parameters[i].open_below;
    return "the data would have " + cost(i).name + (below ? " lower" : " higher") + " than the bound that was given, " +
           plain_bound(below ? cost(i).lo : cost(i).hi) + ": give wider bounds, or doubt the model";
  }

  std::string open_side(std::size_t i) const {
    const FittedParameter& fitted = fit_.parameters[i];
    return cost(i).name + " is bounded by this data only from " + (fitted.open_below ? "above" : "below") + "; its " +
           (fitted.open_below ? "lower" : "upper") + " end is the bound that was given";
  }

  std::string proposal(const std::string& name, const std::vector<double>& sigmas) const {
    std::vector<std::string> reaches;
    for (std::size_t i = 0; i < sigmas.size(); ++i) {
      reaches.push_back(cost(i).name + " to ±" + percent(relative_change(cost(i), value(i), kNormal95 * sigmas[i])));
    }
    return name + " would: " + listed(reaches);
  }

  const FreeCost& cost(std::size_t i) const { return problem_.costs[i]; }
  double value(std::size_t i) const { return fit_.parameters[i].value; }

 private:
  static std::string plain_bound(double bound) { return four_digits(bound); }

  const CalibrationProblem& problem_;
  const Fit& fit_;
};

/// The best value is the bound that was given: who gave it decided, and not the data.
bool at_bound(const FittedParameter& fitted) {
  constexpr double kAt = 0.005;
  if (fitted.open_below == fitted.open_above) return false;
  return fitted.open_below ? fitted.value < kAt : fitted.value > 1.0 - kAt;
}

bool open_cost(const CalibrationProblem& problem, const Fit& fit, std::size_t i) {
  if (problem.costs[i].prior) return false;
  const FittedParameter& fitted = fit.parameters[i];
  return at_bound(fitted) || (fitted.open_below && fitted.open_above) ||
         fitted.interval95.hi - fitted.interval95.lo > 4.0 * kUnknown;
}

std::vector<std::optional<UnitPrior>> unit_priors(const CalibrationProblem& problem) {
  std::vector<std::optional<UnitPrior>> priors;
  for (const FreeCost& cost : problem.costs) {
    priors.emplace_back();
    if (cost.prior) {
      priors.back() = UnitPrior{0.5, (cost.to_unit(cost.hi) - cost.to_unit(cost.lo)) / (2.0 * kNormal95)};
    }
  }
  return priors;
}

/// What would help: of every kind of run the best, if it does.
std::vector<std::string> advice(const Words& words, const CalibrationProblem& problem, const Fit& fit,
                                const std::vector<std::vector<double>>& proposals) {
  struct Best {
    double worst = kKnown;
    std::string said;
  };
  std::map<std::string, Best> best;
  for (std::size_t p = 0; p < proposals.size(); ++p) {
    std::vector<double> information = fit.information;
    for (std::size_t i = 0; i < information.size(); ++i) information[i] += proposals[p][i];
    const std::vector<double> sigmas = sigmas_of(information, unit_priors(problem));
    double worst = 0.0;
    for (std::size_t i = 0; i < sigmas.size(); ++i) {
      if (!problem.costs[i].prior) worst = std::max(worst, sigmas[i]);
    }
    Best& of_kind = best[problem.proposals[p].kind];
    if (worst < of_kind.worst) of_kind = {worst, words.proposal(problem.proposals[p].name, sigmas)};
  }
  std::vector<std::string> said;
  for (const auto& [kind, of_kind] : best) {
    if (!of_kind.said.empty()) said.push_back(of_kind.said);
  }
  if (!said.empty()) return said;
  return {
      "hold one of them at its table's value, give it a prior (--prior), or measure something that moves them "
      "differently" +
      std::string(proposals.empty() ? "" : "; none of the runs that were tried in simulation would do")};
}

void add_contradictions(Identifiability& said, const CalibrationProblem& problem, const Fit& fit,
                        std::optional<double> p_value) {
  std::vector<std::string> rows;
  std::vector<double> distances;
  std::size_t fitted = 0;
  for (const FittedRow& row : problem.rows) {
    if (row.held_out) continue;
    if (row.infeasible) {
      said.verdict = CalibrationVerdict::contradictory;
      said.sentences.push_back("the row " + row.name + " contradicts itself: " + row.note);
    }
    if (row.figures.empty()) continue;
    rows.push_back(row.name);
    distances.push_back(fit.chi_squared_by_row[fitted++]);
  }
  if (!p_value || *p_value >= kContradiction) return;
  said.verdict = CalibrationVerdict::contradictory;
  const std::string how = " (χ² = " + four_digits(fit.chi_squared) + " for " + std::to_string(fit.degrees_of_freedom) +
                          " degrees of freedom, p " + (*p_value < 1e-3 ? "< 0.001" : "= " + four_digits(*p_value)) +
                          ")";
  if (rows.size() == 1) {
    said.sentences.push_back("no values of these costs give the figures of " + rows.front() +
                             " together: the model or the row is wrong" + how);
    return;
  }
  const auto worst = std::max_element(distances.begin(), distances.end()) - distances.begin();
  said.sentences.push_back("the rows " + listed(rows) +
                           " contradict each other under this model: no values of these costs give all of them" + how +
                           "; the largest part is that of " + rows[static_cast<std::size_t>(worst)]);
}

}  // namespace

bool leaves_open(const CalibrationProblem& problem, const Fit& fit) {
  for (const Direction& direction : fit.directions) {
    if (unknown(problem, direction)) return true;
  }
  for (std::size_t i = 0; i < problem.costs.size(); ++i) {
    if (open_cost(problem, fit, i)) return true;
  }
  return false;
}

Identifiability identifiability(const CalibrationProblem& problem, const Fit& fit, std::optional<double> p_value,
                                const std::vector<std::vector<double>>& information_of_proposals) {
  const Words words(problem, fit);
  Identifiability said;
  std::vector<bool> spoken(problem.costs.size(), false);
  for (const Direction& direction : fit.directions) {
    if (!unknown(problem, direction)) continue;
    said.sentences.push_back(words.unknown_direction(direction));
    for (const std::size_t i : parts_of(direction)) spoken[i] = true;
  }
  for (std::size_t i = 0; i < problem.costs.size(); ++i) {
    if (spoken[i]) continue;
    if (!problem.costs[i].prior && at_bound(fit.parameters[i])) {
      said.sentences.push_back(words.beyond_bound(i));
    } else if (open_cost(problem, fit, i)) {
      said.sentences.push_back(words.unknown_cost(i));
    } else if (fit.parameters[i].open_below != fit.parameters[i].open_above) {
      said.sentences.push_back(words.open_side(i));
    }
  }
  if (leaves_open(problem, fit)) {
    said.verdict = CalibrationVerdict::not_identified;
    for (std::string& sentence : advice(words, problem, fit, information_of_proposals)) {
      said.sentences.push_back(std::move(sentence));
    }
  }
  const std::size_t n = problem.costs.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double c = fit.covariance[i * n + j] / std::sqrt(fit.covariance[i * n + i] * fit.covariance[j * n + j]);
      if (std::abs(c) <= kClose || spoken[i] || spoken[j]) continue;
      said.sentences.push_back(problem.costs[j].name + " and " + problem.costs[i].name +
                               " are known better together than each alone: their correlation is " + four_digits(c));
    }
  }
  add_contradictions(said, problem, fit, p_value);
  return said;
}

}  // namespace vecusim
