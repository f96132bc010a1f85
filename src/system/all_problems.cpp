// Loading, building, and what either says.
#include "system/all_problems.hpp"

#include "system/replication.hpp"

namespace vecusim {

Problems all_problems(const std::function<LoadedScenario()>& load) {
  Problems problems;
  try {
    const LoadedScenario loaded = load();
    problems.append(loaded.problems);
    QuantileTables tables;
    const Replication built(loaded.scenario, tables, loaded.scenario.run.seed, 0);  // are there costs for all of it?
  } catch (const InvalidInput& error) {
    problems.append(error.problems());
  }
  return problems;
}

}  // namespace vecusim
