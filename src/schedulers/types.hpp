// The vocabulary of the schedulers: time, the ids of pCPUs, units, domains and timers, and sets of pCPUs.
#pragma once

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace vecusim {

using namespace std::chrono_literals;

/// A hypervisor's time in integer nanoseconds: a moment since its boot, or a length, as with Xen's own time type.
using HvTime = std::chrono::duration<std::int64_t, std::nano>;

/// A physical core; numbered from 0 over the whole machine, also where a policy has only some of them (a cpupool).
enum class PcpuId : std::uint16_t;
/// What a policy schedules: one vCPU. Numbered from 0 by the caller.
enum class UnitId : std::uint32_t;
/// Numbered from 0 by the caller; 0 is dom0.
enum class DomainId : std::uint32_t;
/// A timer of a policy: an index into Policy::timers().
enum class TimerId : std::uint32_t;

/// The idle unit of whichever pCPU is spoken of.
inline constexpr UnitId kIdle{0xffffffff};
/// What a search in a set of pCPUs returns when there is none.
inline constexpr PcpuId kNoPcpu{0xffff};

constexpr std::size_t index(PcpuId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index(UnitId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index(DomainId id) { return static_cast<std::size_t>(id); }
constexpr std::size_t index(TimerId id) { return static_cast<std::size_t>(id); }

/// A set of pCPUs with the searches of the specification of the Xen schedulers ("Conventions"). Iterates upwards.
class PcpuMask {
 public:
  static constexpr std::size_t kMaxPcpus = 64;

  constexpr PcpuMask() = default;
  constexpr PcpuMask(std::initializer_list<PcpuId> members) {
    for (const PcpuId member : members) insert(member);
  }
  static constexpr PcpuMask from_bits(std::uint64_t bits) {
    PcpuMask mask;
    mask.bits_ = bits;
    return mask;
  }
  /// The pCPUs 0 … n-1.
  static constexpr PcpuMask first_n(std::size_t n) {
    return from_bits(n >= kMaxPcpus ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1);
  }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
  constexpr bool contains(PcpuId p) const { return index(p) < kMaxPcpus && ((bits_ >> index(p)) & 1) != 0; }
  constexpr bool subset_of(PcpuMask other) const { return (bits_ & ~other.bits_) == 0; }
  constexpr bool intersects(PcpuMask other) const { return (bits_ & other.bits_) != 0; }

  constexpr void insert(PcpuId p) { bits_ |= bit(p); }
  constexpr void erase(PcpuId p) { bits_ &= ~bit(p); }

  /// The lowest member, or kNoPcpu.
  constexpr PcpuId first() const { return empty() ? kNoPcpu : static_cast<PcpuId>(std::countr_zero(bits_)); }
  /// The lowest member above p, or kNoPcpu.
  constexpr PcpuId next(PcpuId p) const {
    return index(p) + 1 >= kMaxPcpus ? kNoPcpu : from_bits(bits_ & (~std::uint64_t{0} << (index(p) + 1))).first();
  }
  /// The first member after p, cyclically: p itself only if it is the only member. kNoPcpu if empty.
  constexpr PcpuId cycle(PcpuId p) const {
    const PcpuId after = next(p);
    return after != kNoPcpu ? after : first();
  }
  /// p if it is a member, else as cycle().
  constexpr PcpuId test_or_cycle(PcpuId p) const { return contains(p) ? p : cycle(p); }

  friend constexpr PcpuMask operator&(PcpuMask a, PcpuMask b) { return from_bits(a.bits_ & b.bits_); }
  friend constexpr PcpuMask operator|(PcpuMask a, PcpuMask b) { return from_bits(a.bits_ | b.bits_); }
  /// The members of a that are not in b.
  friend constexpr PcpuMask operator-(PcpuMask a, PcpuMask b) { return from_bits(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(PcpuMask, PcpuMask) = default;

  class Iterator {
   public:
    constexpr explicit Iterator(std::uint64_t rest) : rest_(rest) {}
    constexpr PcpuId operator*() const { return static_cast<PcpuId>(std::countr_zero(rest_)); }
    constexpr Iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    std::uint64_t rest_;
  };
  /// Iteration is over the members at its beginning: the set may change meanwhile.
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  static constexpr std::uint64_t bit(PcpuId p) { return std::uint64_t{1} << index(p); }

  std::uint64_t bits_ = 0;
};

}  // namespace vecusim
