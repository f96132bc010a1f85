// Batches: consecutive samples grouped, so that a mean's interval allows for samples that resemble their neighbours.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/statistics.hpp"
#include "engine/time.hpp"

namespace vecusim {

/// Within a replication at most 64 groups: when they are full, neighbours are joined and groups become twice as large.
/// Over kEnoughReplications or more, a replication is a group of its own, for replications are independent.
class Batches {
 public:
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kEnoughReplications = 10;

  Batches();

  void add(Duration value);
  /// Appends the replications of `other`.
  void merge(const Batches& other);
  /// For bytes.hpp.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    bytes(replications_);
    bytes(size_);
  }
  /// Whether groups() are whole replications, of which there are enough.
  bool by_replication() const { return replications_.size() >= kEnoughReplications; }
  /// What mean_interval() wants; sums in µs.
  std::vector<Group> groups() const;

 private:
  void join_neighbours();

  std::vector<std::vector<Group>> replications_;
  std::uint64_t size_ = 1;
};

}  // namespace vecusim
