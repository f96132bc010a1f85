// What `validate` judges: published cases, or somebody's own bench.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/bench_data.hpp"
#include "analysis/experiment.hpp"
#include "analysis/validate.hpp"
#include "system/scenario.hpp"

namespace vecusim {

struct ValidationRequest {
  /// What would come out under a change: added to what each row sets.
  Settings settings = {};
  std::optional<std::uint64_t> seed = {};
  /// Experiments behind each interval. How often the scenarios of figures run is said there (/run/replications).
  std::size_t repetitions = kRepetitions;
  Parallel parallel = {};
};

/// Files of cases, or names of those in validation/cases; none: all of these. Throws InvalidInput.
Validation validate_cases(std::vector<std::string> names, const ValidationRequest& request);

/// Where a bench's scenario comes from.
struct BenchScenario {
  /// As users know it.
  std::string name;
  std::function<LoadedScenario(const Settings&)> load;
  /// `load` can be called once only, as standard input can be read once: then the uncertainty of fitted costs is left
  /// out.
  bool once = false;
};

/// `interrupt`: whose latency was measured, if there are several. Throws InvalidInput.
Validation validate_bench(const BenchScenario& scenario, const BenchData& data,
                          const std::optional<std::string>& interrupt, const ValidationRequest& request);

}  // namespace vecusim
