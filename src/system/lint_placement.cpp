// A matching of vCPUs and pCPUs.
#include "system/lint_placement.hpp"

#include <vector>

namespace vecusim {
namespace {

struct Vcpu {
  std::size_t domain;
  PcpuMask allowed;
};

std::vector<Vcpu> vcpus_of(const LintedPool& pool) {
  std::vector<Vcpu> vcpus;
  for (std::size_t d = 0; d < pool.domains.size(); ++d) {
    const LintedDomain& domain = pool.domains[d];
    for (std::size_t v = 0; v < domain.vcpus; ++v) {
      const bool pinned = v < domain.affinity.size();
      vcpus.push_back({d, pinned ? domain.affinity[v] & pool.pcpus : pool.pcpus});
    }
  }
  return vcpus;
}

/// Kuhn's algorithm: finds a pCPU for one more vCPU, moving those that have one if need be.
class Matching {
 public:
  explicit Matching(const std::vector<Vcpu>& vcpus) : vcpus_(vcpus), owner_(PcpuMask::kMaxPcpus, kNobody) {}

  bool add(std::size_t vcpu) {
    tried_ = {};
    return place(vcpu);
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  bool place(std::size_t vcpu) {
    for (const PcpuId pcpu : vcpus_[vcpu].allowed) {
      if (tried_.contains(pcpu)) continue;
      tried_.insert(pcpu);
      std::size_t& owner = owner_[index(pcpu)];
      if (owner != kNobody && !place(owner)) continue;
      owner = vcpu;
      return true;
    }
    return false;
  }

  const std::vector<Vcpu>& vcpus_;
  std::vector<std::size_t> owner_;
  PcpuMask tried_;
};

}  // namespace

bool all_have_a_pcpu_of_their_own(const LintedPool& pool) {
  const std::vector<Vcpu> vcpus = vcpus_of(pool);
  if (vcpus.size() > pool.pcpus.size()) return false;
  Matching matching(vcpus);
  for (std::size_t v = 0; v < vcpus.size(); ++v) {
    if (!matching.add(v)) return false;
  }
  return true;
}

std::optional<ContestedPin> pin_that_another_may_take(const LintedPool& pool) {
  const std::vector<Vcpu> vcpus = vcpus_of(pool);
  for (const Vcpu& pinned : vcpus) {
    if (pinned.allowed.size() != 1) continue;
    for (const Vcpu& other : vcpus) {
      if (&other == &pinned || !other.allowed.intersects(pinned.allowed)) continue;
      return ContestedPin{pinned.domain, other.domain, pinned.allowed.first()};
    }
  }
  return std::nullopt;
}

}  // namespace vecusim
