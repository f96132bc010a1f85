// How cost tables are read, shared and asked.
#include "models/costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace vecusim {

namespace {

constexpr auto kAnyTime = Range<Duration>{Duration::zero(), Duration::max()};
constexpr auto kSomeTime = Range<Duration>{Duration{1}, Duration::max()};
constexpr auto kPositive = Range<double>{1e-9, 1e9};

constexpr std::array kLaws = {
    Option{"constant", "always the same value"},
    Option{"uniform", "every value between two limits is equally likely"},
    Option{"lognormal", "the logarithm is normal: many small disturbances that multiply"},
    Option{"gamma", "a sum of `shape` exponential parts"},
    Option{"bounded_pareto", "a power law between two limits: many short, few long"},
    Option{"empirical", "measured values, linear between the sorted ones"},
};

constexpr std::array kProvenances = {
    Option{"cited", "printed in the source"},
    Option{"measured", "measured on one's own bench"},
    Option{"estimated", "an engineer's estimate"},
    Option{"fitted", "chosen so that the rows in `fitted_to` come out"},
};

double ps(Duration d) { return static_cast<double>(d.count()); }

class LawFields final : public Alternatives {
 public:
  explicit LawFields(Law& law) : law_(law) {}
  std::span<const Option> options() const override { return kLaws; }
  std::size_t current() const override { return static_cast<std::size_t>(law_.model); }
  void select(std::size_t option) override { law_.model = static_cast<Law::Model>(option); }
  void fields(FieldVisitor& visit) override {
    switch (law_.model) {
      case Law::Model::constant:
        visit.duration({"value_us", "the value", true}, law_.value, kAnyTime);
        break;
      case Law::Model::uniform:
        visit.duration({"lo_us", "lower limit", true}, law_.lo, kAnyTime);
        visit.duration({"hi_us", "upper limit", true}, law_.hi, kAnyTime);
        visit.require(law_.lo <= law_.hi, "hi_us", "at least lo_us");
        break;
      case Law::Model::lognormal:
        visit.duration({"median_us", "median", true}, law_.median, kAnyTime);
        visit.number({"sigma", "standard deviation of the natural logarithm", true}, law_.sigma, {0.0, 5.0});
        break;
      case Law::Model::gamma:
        visit.number({"shape", "number of exponential parts", true}, law_.shape, kPositive);
        visit.duration({"scale_us", "mean of one part", true}, law_.scale, kAnyTime);
        break;
      case Law::Model::bounded_pareto:
        visit.duration({"lo_us", "lower limit", true}, law_.lo, kSomeTime);
        visit.duration({"hi_us", "upper limit", true}, law_.hi, kSomeTime);
        visit.number({"alpha", "exponent: the larger, the rarer are long values", true}, law_.alpha, {0.01, 100.0});
        visit.require(law_.lo <= law_.hi, "hi_us", "at least lo_us");
        break;
      case Law::Model::empirical:
        visit.durations({"values_us", "measured values", true}, law_.values, kAnyTime);
        visit.require(!law_.values.empty(), "values_us", "at least one value");
        break;
    }
  }

 private:
  Law& law_;
};

// E[X] of the density proportional to x^-(alpha + 1) between lo and hi.
double bounded_pareto_mean(double lo, double hi, double alpha) {
  if (lo == hi) return lo;
  const double norm = 1.0 - std::pow(lo / hi, alpha);
  if (std::abs(alpha - 1.0) < 1e-9) return lo * std::log(hi / lo) / norm;
  return alpha / (alpha - 1.0) * (lo - std::pow(lo / hi, alpha) * hi) / norm;
}

}  // namespace

void Law::fields(FieldVisitor& visit) {
  LawFields alternatives(*this);
  visit.alternatives({"model", "which law", true}, alternatives);
}

Distribution Law::distribution(QuantileTables& tables) const {
  switch (model) {
    case Model::constant:
      return Distribution::constant(value);
    case Model::uniform:
      return Distribution::uniform(lo, hi);
    case Model::lognormal:
      return Distribution::lognormal(tables, median, sigma);
    case Model::gamma:
      return Distribution::gamma(tables, shape, scale);
    case Model::bounded_pareto:
      return Distribution::bounded_pareto(tables, lo, hi, alpha);
    case Model::empirical:
      break;
  }
  return Distribution::empirical(values);
}

Law Law::scaled(double factor) const {
  Law result = *this;
  for (Duration* duration : {&result.value, &result.lo, &result.hi, &result.median, &result.scale}) {
    *duration = from_ps(static_cast<double>(duration->count()) * factor);
  }
  for (Duration& each : result.values) each = from_ps(static_cast<double>(each.count()) * factor);
  return result;
}

Duration Law::mean() const {
  switch (model) {
    case Model::constant:
      return value;
    case Model::uniform:
      return (lo + hi) / 2;
    case Model::lognormal:
      return from_ps(ps(median) * std::exp(sigma * sigma / 2.0));
    case Model::gamma:
      return from_ps(shape * ps(scale));
    case Model::bounded_pareto:
      return from_ps(bounded_pareto_mean(ps(lo), ps(hi), alpha));
    case Model::empirical:
      break;
  }
  const double sum = std::accumulate(values.begin(), values.end(), 0.0, [](double s, Duration v) { return s + ps(v); });
  return from_ps(sum / static_cast<double>(values.size()));
}

void CostCorrelation::fields(FieldVisitor& visit) {
  visit.text({"with", "a cost of the same fit, by name", true}, with);
  visit.number({"correlation", "of what the fit left open of both, in the logarithm where both are positive", true},
               correlation, {-1.0, 1.0});
}

void Cost::fields(FieldVisitor& visit) {
  constexpr double kHuge = 1e18;
  visit.optional(Field{"value", "a number in `unit`"}, value, [&](double& v) {
    visit.number({"value", "a number in `unit`"}, v, {0.0, kHuge});
  });
  visit.optional(Field{"law", "a law of durations instead of a number"}, law, [&](Law& l) {
    visit.object({"law", "a law of durations instead of a number"}, l);
  });
  visit.text({"unit", "cycles, lines, count, ratio, per_s, ns, us, ms; a law has us", true}, unit);
  visit.numbers({"range", "[lo, hi]: what it may credibly be"}, range, {0.0, kHuge});
  visit.choice({"provenance", "how the number came about", true}, provenance, kProvenances);
  visit.text({"source", "where it stands, or who estimated it from what", true}, source);
  visit.texts({"fitted_to", "rows of measurements that a fitted value was fitted to"}, fitted_to);
  visit.list({"correlations", "with other costs of the same fit, which name this one in turn"}, correlations);
  visit.require(value.has_value() != law.has_value(), "value", "either a value or a law");
  visit.require(range.empty() || (range.size() == 2 && range[0] <= range[1]), "range", "[lo, hi] with lo <= hi");
  visit.require((provenance == Provenance::fitted) == !fitted_to.empty(), "fitted_to",
                "the rows it was fitted to exactly if it is fitted");
  visit.require(correlations.empty() || provenance == Provenance::fitted, "correlations", "none, or a fitted cost");
}

const Cost* Costs::find(std::string_view name) const {
  if (const auto own = own_.find(name); own != own_.end()) return &own->second;
  const auto shared = shared_->find(name);
  return shared == shared_->end() ? nullptr : &shared->second;
}

const Cost& Costs::at(std::string_view name) const {
  if (const Cost* cost = find(name)) return *cost;
  throw std::out_of_range("no cost " + std::string(name));
}

Cost& Costs::at(std::string_view name) {
  static_cast<void>(std::as_const(*this).at(name));
  return (*this)[name];
}

Cost& Costs::operator[](std::string_view name) {
  if (const auto own = own_.find(name); own != own_.end()) return own->second;
  const Cost* known = find(name);
  return own_.emplace(name, known != nullptr ? *known : Cost{}).first->second;
}

std::vector<std::string> Costs::names() const {
  std::vector<std::string> names;
  for (const auto& [name, cost] : *shared_) names.push_back(name);
  for (const auto& [name, cost] : own_) {
    if (!shared_->contains(name)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void Costs::clear() { *this = {}; }

void Costs::share() {
  own_.insert(shared_->begin(), shared_->end());
  shared_ = std::make_shared<const Map>(std::exchange(own_, {}));
}

void Costs::fields(FieldVisitor& visit, const Field& field) {
  struct Parts final : PartMap {
    explicit Parts(Costs& its_costs) : costs(its_costs) {}
    std::vector<std::string> names() const override { return costs.names(); }
    void clear() override { costs.clear(); }
    void fields(const std::string& name, FieldVisitor& inner) override { costs[name].fields(inner); }
    Costs& costs;
  } parts{*this};
  visit.map(field, parts);
}

const Cost* CostTable::find(std::string_view name) const { return costs_ == nullptr ? nullptr : costs_->find(name); }

bool CostTable::has(std::string_view name) const { return find(name) != nullptr; }

void CostTable::note(std::string_view name, std::string_view expected) {
  for (const Missing& known : missing_) {
    if (known.name == name) return;
  }
  missing_.push_back({std::string(name), std::string(expected)});
}

double CostTable::number(std::string_view name, std::string_view unit) {
  const Cost* cost = find(name);
  if (cost == nullptr || !cost->value || cost->unit != unit) {
    note(name, "a value in " + std::string(unit));
    return 0.0;
  }
  return *cost->value;
}

Duration CostTable::duration(std::string_view name) {
  const Cost* cost = find(name);
  if (cost != nullptr && cost->value) {
    if (cost->unit == "ns") return from_ns(*cost->value);
    if (cost->unit == "us") return from_us(*cost->value);
    if (cost->unit == "ms") return from_us(*cost->value * 1e3);
  }
  note(name, "a value in ns, us or ms");
  return Duration::zero();
}

Law CostTable::law(std::string_view name) {
  const Cost* cost = find(name);
  if (cost != nullptr && cost->law) return *cost->law;
  Law constant;
  if (cost != nullptr && cost->value) {
    constant.value = duration(name);
  } else {
    note(name, "a law, or a value in ns, us or ms");
  }
  return constant;
}

}  // namespace vecusim
