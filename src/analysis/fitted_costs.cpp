// Cholesky's factor of the correlations, and the laws of single costs.
#include "analysis/fitted_costs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/statistics.hpp"

namespace vecusim {
namespace {

std::optional<double> named(const Cost& cost, const std::string& other) {
  for (const CostCorrelation& correlation : cost.correlations) {
    if (correlation.with == other) return correlation.correlation;
  }
  return std::nullopt;
}

/// 0 unless each names the other, with the same number: a cost that a later table overrules is of another fit.
double correlation_of(const std::pair<std::string, Cost>& a, const std::pair<std::string, Cost>& b) {
  const auto of_a = named(a.second, b.first);
  return of_a && of_a == named(b.second, a.first) ? *of_a : 0.0;
}

double value_at(const Cost& cost, double normal) {
  const double value = *cost.value;
  const double end = normal < 0.0 ? cost.range[0] : cost.range[1];
  const double reach = std::abs(normal) / kNormal95;
  if (cost.range[0] > 0.0 && value > 0.0) return value * std::pow(end / value, reach);
  return std::max(0.0, value + (end - value) * reach);
}

}  // namespace

FittedCosts::FittedCosts(const Scenario& scenario) {
  for (const std::string& name : scenario.costs.names()) {
    const Cost& cost = scenario.costs.at(name);
    if (cost.provenance == Provenance::fitted && cost.value && cost.range.size() == 2) costs_.emplace_back(name, cost);
  }
  const std::size_t n = costs_.size();
  root_.assign(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    double left = 1.0;
    for (std::size_t k = 0; k < j; ++k) left -= root_[j * n + k] * root_[j * n + k];
    // Costs that are known through each other leave nothing, and rounded correlations less than that.
    const double pivot = std::sqrt(std::max(0.0, left));
    root_[j * n + j] = pivot;
    for (std::size_t i = j + 1; i < n && pivot > 1e-6; ++i) {
      double shared = correlation_of(costs_[i], costs_[j]);
      for (std::size_t k = 0; k < j; ++k) shared -= root_[i * n + k] * root_[j * n + k];
      root_[i * n + j] = shared / pivot;
    }
  }
}

std::vector<double> FittedCosts::values_at(const std::vector<double>& normals) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    double normal = 0.0;
    for (std::size_t k = 0; k <= i; ++k) normal += root_[i * costs_.size() + k] * normals[k];
    values.push_back(value_at(costs_[i].second, normal));
  }
  return values;
}

void FittedCosts::draw(Scenario& scenario, RandomStream& stream) const {
  std::vector<double> normals;
  for (std::size_t i = 0; i < costs_.size(); ++i) normals.push_back(normal_quantile(stream.uniform()));
  const std::vector<double> values = values_at(normals);
  for (std::size_t i = 0; i < costs_.size(); ++i) scenario.costs[costs_[i].first].value = values[i];
}

std::vector<Settings> FittedCosts::ends() const {
  std::vector<Settings> ends;
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    for (const double end : {-kNormal95, kNormal95}) {
      std::vector<double> normals(costs_.size(), 0.0);
      normals[i] = end;
      const std::vector<double> values = values_at(normals);
      Settings& settings = ends.emplace_back();
      for (std::size_t k = 0; k < costs_.size(); ++k) {
        if (values[k] == *costs_[k].second.value) continue;
        settings.push_back("/costs/" + costs_[k].first + "/value=" + json::Node::floating(values[k]).text);
      }
    }
  }
  return ends;
}

}  // namespace vecusim
