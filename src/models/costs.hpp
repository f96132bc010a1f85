// The cost table: every number of a model that is not architecture, by name, with its unit, range and where it comes
// from.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/distribution.hpp"
#include "engine/fields.hpp"

namespace vecusim {

/// How a number came about.
enum class Provenance : std::uint8_t {
  cited,      ///< printed in the source
  measured,   ///< by the user's own bench
  estimated,  ///< an engineer's estimate; vary it before relying on what follows from it
  fitted,     ///< chosen so that the rows named in `fitted_to` come out
};

/// A law of durations, by model: constant {value_us}, uniform {lo_us, hi_us}, lognormal {median_us, sigma},
/// gamma {shape, scale_us}, bounded_pareto {lo_us, hi_us, alpha}, empirical {values_us}.
class Law {
 public:
  enum class Model : std::uint8_t { constant, uniform, lognormal, gamma, bounded_pareto, empirical };

  void fields(FieldVisitor& visit);
  Distribution distribution(QuantileTables& tables) const;
  /// The same law with every duration `factor` times as long.
  Law scaled(double factor) const;
  /// The expected value, from the formula of each law.
  Duration mean() const;
  Model model = Model::constant;
  Duration value{};
  Duration lo = 1us;
  Duration hi = 1us;
  Duration median = 1us;
  Duration scale = 1us;
  double sigma = 0.0;
  double shape = 1.0;
  double alpha = 1.0;
  std::vector<Duration> values = {Duration::zero()};
};

/// How two costs of one fit hang together: where one is taken higher, the other has to be lower.
struct CostCorrelation {
  std::string with;
  double correlation = 0.0;
  void fields(FieldVisitor& visit);
};

struct Cost {
  std::optional<double> value;
  std::optional<Law> law;
  std::string unit;
  /// [lo, hi], what the value may credibly be.
  std::vector<double> range;
  Provenance provenance = Provenance::estimated;
  std::string source;
  /// The rows of measurements that a fitted value was fitted to.
  std::vector<std::string> fitted_to;
  /// With the costs that were fitted together with it; none: independent of all.
  std::vector<CostCorrelation> correlations = {};

  void fields(FieldVisitor& visit);
};

/// Costs by name, cheap to copy: what was there at the last share() is one for all copies, and each has only what it
/// changes for itself. Points of a sweep differ in few of several hundred costs.
class Costs {
 public:
  /// Null if there is none of that name.
  const Cost* find(std::string_view name) const;
  /// Throws std::out_of_range if there is none of that name.
  const Cost& at(std::string_view name) const;
  /// To be changed; of this copy from now on.
  Cost& at(std::string_view name);
  /// The same; made if there is none of that name.
  Cost& operator[](std::string_view name);
  /// Sorted.
  std::vector<std::string> names() const;
  void clear();
  /// Copies from now on share all of it.
  void share();
  void fields(FieldVisitor& visit, const Field& field);

 private:
  using Map = std::map<std::string, Cost, std::less<>>;

  std::shared_ptr<const Map> shared_ = std::make_shared<const Map>();
  Map own_;  // in place of shared ones of the same names
};

/// What models ask for the costs they need when they are built; what is missing is reported, all at once.
class CostTable {
 public:
  CostTable() = default;
  explicit CostTable(const Costs& costs) : costs_(&costs) {}

  /// A plain number in `unit`. If it is missing or has another unit, 0 is returned and the name is noted.
  double number(std::string_view name, std::string_view unit);
  /// A number whose unit is a time: "ns", "us" or "ms".
  Duration duration(std::string_view name);
  /// A law, or a number in a unit of time as a constant one.
  Law law(std::string_view name);
  bool has(std::string_view name) const;

  struct Missing {
    std::string name;
    std::string expected;
  };
  const std::vector<Missing>& missing() const { return missing_; }

 private:
  const Cost* find(std::string_view name) const;
  void note(std::string_view name, std::string_view expected);

  const Costs* costs_ = nullptr;
  std::vector<Missing> missing_;
};

}  // namespace vecusim
