// Simulation: what every component of one replication shares. Nothing is global; two simulations know nothing of each
// other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/account.hpp"
#include "engine/distribution.hpp"
#include "engine/event_queue.hpp"
#include "engine/random.hpp"
#include "engine/trace.hpp"

namespace vecusim {

class Simulation {
 public:
  Simulation(QuantileTables& shared_tables, std::uint64_t seed, std::uint32_t replication)
      : tables(shared_tables), seed_(seed), replication_(replication) {}

  EventQueue queue;
  Trace trace;
  QuantileTables& tables;

  Time now() const { return queue.now(); }
  RandomStream stream(std::string_view use) const { return {seed_, replication_, use}; }

  /// Somebody that others may have to wait for, by the name that explanations give. Called at assembly only.
  Party party(std::string name) {
    parties_.push_back(std::move(name));
    return Party{static_cast<std::uint16_t>(parties_.size())};
  }
  /// Index 0 is nobody.
  std::string_view name_of(Party party) const {
    return party == Party::nobody ? std::string_view{} : parties_[static_cast<std::size_t>(party) - 1];
  }

 private:
  std::uint64_t seed_;
  std::uint32_t replication_;
  std::vector<std::string> parties_;
};

}  // namespace vecusim
