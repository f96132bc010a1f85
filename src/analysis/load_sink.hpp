// LoadSink: where the time of the pCPUs goes, by domain and context, in integers that add up to all of it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/wide.hpp"
#include "engine/trace.hpp"
#include "system/replication.hpp"

namespace vecusim {

/// Names of the parties that are no domains.
inline constexpr std::string_view kHypervisorParty = "hypervisor";
inline constexpr std::string_view kIdleParty = "idle";

/// Parties are the domains, then `hypervisor` if vCPUs run on some pCPU, then `idle`.
struct LoadTally {
  struct Party {
    std::string name;
    std::array<Wide, kContexts> contexts{};  // ps

    template <class Bytes>
    void transfer(Bytes& bytes) {
      bytes(name);
      bytes(contexts);
    }
  };
  std::vector<Party> parties;
  /// pCPUs × time observed, in ps: the sum over all parties and contexts.
  Wide capacity = 0;
  std::size_t pcpus = 0;

  void merge(const LoadTally& other);
  /// For bytes.hpp.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    bytes(parties);
    bytes(capacity);
    bytes(pcpus);
  }
};

/// Integrates what CPUs are occupied with from `warmup` on.
///
/// A CPU that executes a domain's work counts for the domain, and so does a pCPU on which the hypervisor works while it
/// has one of the domain's vCPUs loaded, as xentop counts. Where vCPUs run on pCPUs, the time a vCPU works is pCPU time
/// too, although the pCPU itself has nothing to do meanwhile: it is taken off what looks idle.
class LoadSink final : public TraceSink {
 public:
  LoadSink(const SystemView& view, Time warmup);

  void on(const Occupied& event) override;
  void on(const Loaded& event) override;

  /// At the replication's end.
  LoadTally finish(Time end);

 private:
  struct Cpu {
    std::size_t own;    // party
    std::size_t party;  // that it works for now
    bool physical;
    Context context = Context::idle;
    Time since;
  };

  void book(Cpu& cpu, Time now);

  std::vector<Cpu> cpus_;
  std::vector<std::string> parties_;
  std::vector<std::array<Duration, kContexts>> spent_;  // by party
  Duration idle_{};                                     // of pCPUs, less what vCPUs worked meanwhile
  Time warmup_;
};

}  // namespace vecusim
