// An experiment with its tally, and both as bytes.
#include "analysis/observation.hpp"

#include <utility>

#include "analysis/bytes.hpp"
#include "analysis/summary.hpp"
#include "system/json_print.hpp"
#include "system/replication.hpp"
#include "system/scenario_text.hpp"

namespace vecusim {
namespace {

/// What tells of an observation in place of its scenario and its inputs.
struct Origin {
  std::string scenario;
  std::vector<Input> inputs;

  template <class Bytes>
  void transfer(Bytes& bytes) {
    std::vector<std::array<std::string, 2>> files;
    for (const Input& input : inputs) files.push_back({input.name, input.sha256});
    bytes(scenario);
    bytes(files);
    inputs.clear();
    for (const auto& [name, sha256] : files) inputs.push_back({name, sha256});
  }
};

}  // namespace

Observation observe(const LoadedScenario& loaded, const RunOptions& options) {
  const Scenario scenario = with_options(loaded.scenario, options);
  Tally tally = run_replications(scenario, 0, options.parallel);
  Result result = make_result(scenario, loaded.inputs, tally);
  return {std::move(result), std::move(tally)};
}

std::string to_bytes(Observation& observation) {
  Origin origin{json::compact(observation.result.scenario), observation.result.inputs};
  ByteWriter bytes;
  bytes(origin);
  bytes(observation.tally);
  return bytes.text();
}

Observation observation_of(std::string_view bytes) {
  ByteReader reader(bytes);
  Origin origin;
  Tally tally;
  reader(origin);
  reader(tally);
  reader.finish();
  const LoadedScenario loaded = load_scenario_text(origin.scenario, "a stored result");
  QuantileTables tables;
  tally.view = Replication(loaded.scenario, tables, loaded.scenario.run.seed, 0).view();
  Result result = make_result(loaded.scenario, std::move(origin.inputs), tally);
  return {std::move(result), std::move(tally)};
}

}  // namespace vecusim
