// Name, inputs and document; the rest follows.
#include "analysis/scenario_bytes.hpp"

#include <array>
#include <vector>

#include "analysis/bytes.hpp"
#include "system/json_fields.hpp"

namespace vecusim {

std::string to_bytes(const LoadedScenario& loaded) {
  std::vector<std::array<std::string, 2>> inputs;
  for (const Input& input : loaded.inputs) inputs.push_back({input.name, input.sha256});
  json::Node document = loaded.document;
  ByteWriter bytes;
  bytes(loaded.name);
  bytes(inputs);
  transfer(bytes, document);
  return bytes.text();
}

LoadedScenario scenario_of(std::string_view bytes) {
  LoadedScenario loaded;
  std::vector<std::array<std::string, 2>> inputs;
  ByteReader reader(bytes);
  reader(loaded.name);
  reader(inputs);
  transfer(reader, loaded.document);
  reader.finish();
  for (auto& [name, sha256] : inputs) loaded.inputs.push_back({std::move(name), std::move(sha256)});
  json::read(loaded.document, loaded.scenario, loaded.problems);
  loaded.scenario.write_out();
  if (!loaded.problems.has_errors()) check(loaded.scenario, loaded.document, loaded.problems);
  loaded.problems.throw_if_errors();
  return loaded;
}

}  // namespace vecusim
