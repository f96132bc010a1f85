// What a scenario says of a domain: its operating system and its tasks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fields.hpp"
#include "models/linux_config.hpp"
#include "models/shared_cache.hpp"

namespace vecusim {

/// Who serves a guest's devices under KVM: QEMU, a worker in the kernel (vhost), or its own drivers (vfio).
enum class GuestDevices : std::uint8_t { qemu, vhost, vfio };

struct DomainConfig {
  std::string name;
  /// The hypervisors under which it exists; empty: all.
  std::vector<std::string> only_under;
  /// Under a hypervisor only; without one the domain has the board's cores.
  std::optional<std::int64_t> vcpus;
  /// The cpupool it is in; empty where there are none.
  std::string pool;
  std::optional<std::int64_t> weight;
  std::optional<std::int64_t> cap_pct;
  /// pCPUs for every vCPU, or one list per vCPU; empty: all.
  std::vector<std::vector<std::int64_t>> affinity;
  std::vector<std::vector<std::int64_t>> soft_affinity;
  std::optional<Duration> budget;
  std::optional<Duration> period;
  std::optional<bool> extratime;
  /// Under KVM: of the vCPUs' threads; the priority of fifo and rr, 1 (least urgent) to 99.
  std::optional<TaskPolicy> vcpu_policy;
  std::optional<std::int64_t> vcpu_priority;
  std::optional<GuestDevices> devices;
  /// Page colours of its memory (Xen: llc-colors); empty: all.
  std::vector<std::int64_t> l2_colors;
  OsConfig os;
  std::vector<TaskConfig> tasks;

  void fields(FieldVisitor& visit);

  void kvm_fields(FieldVisitor& visit);
  bool exists_under(std::string_view hypervisor) const;
  /// Where guests are threads of a Linux that has the board: whether it is that one. Without a hypervisor the same
  /// system is "linux", and it may keep that name.
  bool is_host() const { return name == "host" || name == "linux"; }
  Colors colors() const;
};

}  // namespace vecusim
