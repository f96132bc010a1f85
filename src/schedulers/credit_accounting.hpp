// Credit's accounts: who takes part, what every slice brings, and who has to wait because of a cap (specification of
// the Xen schedulers, 5.2 and 5.7).
#pragma once

#include <cstdint>
#include <vector>

#include "schedulers/credit_queues.hpp"
#include "schedulers/credit_state.hpp"

namespace vecusim::credit {

class Accounting {
 public:
  Accounting(State& state, Queues& queues) : state_(state), queues_(queues) {}

  /// To be called whenever a domain was added.
  void reserve() { active_.reserve(state_.domains.size()); }

  /// A unit that was seen running takes part from now on.
  void activate(UnitId unit);
  void deactivate(UnitId unit);

  /// Distributes what all pCPUs offer in one slice among the domains by their weights and caps, and reclassifies all
  /// units that take part.
  void distribute(const HookContext& context, const Slice& slice, Verdict& verdict);

 private:
  /// A distribution under way.
  struct Round {
    /// What one pCPU offers.
    std::uint32_t credits;
    /// What all units together owed after the last distribution: it is paid for them, by weight.
    std::uint32_t debt;
    /// What is distributed among all.
    std::uint32_t total;
    /// Of all units that take part, and of those in the domains that have not had their share.
    std::uint32_t weight = 0;
    std::uint32_t weight_left = 0;
    /// A domain before could have taken more than its fair share.
    bool more_wanted = false;
  };
  struct Share {
    std::uint32_t each;
    /// A unit that owes more than this has to wait, if its domain is capped.
    std::uint32_t cap_each;
  };

  std::uint32_t weight_of(DomainId domain) const;
  Share share_of(DomainId domain, Round& round);
  void pay(const HookContext& context, DomainId domain, const Share& share, std::uint32_t credits, Verdict& verdict);
  /// Gives the unit its class after it was paid; false if it has more than it can save up.
  bool classify(const HookContext& context, UnitId unit, const Share& share, std::int32_t limit, Verdict& verdict);
  void park(const HookContext& context, UnitId unit, Verdict& verdict);
  void release(const HookContext& context, UnitId unit, Verdict& verdict);

  State& state_;
  Queues& queues_;
  /// The domains with units that take part.
  std::vector<DomainId> active_;
  /// The credit that those who took part in the last distribution had after it.
  std::int32_t balance_ = 0;
};

}  // namespace vecusim::credit
