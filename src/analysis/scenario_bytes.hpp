// Scenarios as bytes and back, for another process of the same version of this program.
#pragma once

#include <string>
#include <string_view>

#include "system/json_node.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// All of a document but the places of its values.
template <class Bytes>
void transfer(Bytes& bytes, json::Node& node) {
  auto kind = static_cast<std::uint8_t>(node.kind);
  bytes(kind);
  bytes(node.truth);
  bytes(node.bare);
  bytes(node.text);
  std::uint64_t items = node.items.size();
  std::uint64_t members = node.members.size();
  bytes(items);
  bytes(members);
  node.kind = static_cast<json::Kind>(kind);
  node.items.resize(items);
  node.members.resize(members);
  for (json::Node& item : node.items) transfer(bytes, item);
  for (json::Member& member : node.members) {
    bytes(member.key);
    transfer(bytes, member.value);
  }
}

std::string to_bytes(const LoadedScenario& loaded);
/// Throws DamagedBytes, or InvalidInput if another version has made them.
LoadedScenario scenario_of(std::string_view bytes);

}  // namespace vecusim
