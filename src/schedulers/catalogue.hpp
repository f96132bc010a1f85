// The catalogue of policies: what there is by name, and how to make one. Policies have no headers; this is the only way
// in.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fields.hpp"
#include "schedulers/policy.hpp"

namespace vecusim {

/// A SlotTable as a scenario writes it: units by name.
struct NamedSlot {
  /// DOMAIN/INDEX, for example "dom0/0".
  std::string vcpu;
  Duration runtime{};
  void fields(FieldVisitor& visit);
};

struct NamedSlotTable {
  Duration major_frame{};
  std::vector<NamedSlot> slots;
};

struct PolicyEntry {
  /// Its name and what it is.
  Option option;
  /// What differs between Xen versions, or "" if nothing that the policy decides does.
  std::string_view versions;
  /// The boot parameters with their defaults.
  std::unique_ptr<Config> (*config)();
  /// `config` must come from this entry.
  std::unique_ptr<Policy> (*make)(const Config& config, const MachineDescription& machine);
  /// The schedule that a configuration names, for Policy::set_table() once its units exist; null if it names none.
  const NamedSlotTable* (*table)(const Config& config);
};

/// In the order of the list in catalogue.cpp.
std::span<const PolicyEntry> policies();

/// Null if there is none of that name.
const PolicyEntry* find_policy(std::string_view name);

/// The entry of a policy class P with a nested P::Config (a ConfigOf) and a constructor from (const Config&, const
/// MachineDescription&). If Config has a member `table` that is what PolicyEntry::table finds.
template <class P>
PolicyEntry entry_of(const Option& option, std::string_view versions) {
  using C = typename P::Config;
  return {option, versions, []() -> std::unique_ptr<Config> { return std::make_unique<C>(); },
          [](const Config& config, const MachineDescription& machine) -> std::unique_ptr<Policy> {
            return std::make_unique<P>(static_cast<const C&>(config), machine);
          },
          [](const Config& config) -> const NamedSlotTable* {
            if constexpr (requires(const C& c) { c.table; }) {
              const auto& table = static_cast<const C&>(config).table;
              return table ? &*table : nullptr;
            } else {
              return nullptr;
            }
          }};
}

}  // namespace vecusim
