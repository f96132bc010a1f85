// Batches: consecutive samples grouped, so that a mean's interval allows for samples that resemble their neighbours.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/statistics.hpp"
#include "engine/time.hpp"

namespace vecusim {

/// Of one replication at most 64 groups: when they are full, neighbours are joined and groups become twice as large. Of
/// several, each is a group: they alone are independent, however few they are.
class Batches {
 public:
  static constexpr std::size_t kMost = 64;

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
  /// What mean_interval() wants; sums in µs.
  std::vector<Group> groups() const;
  /// All samples of each replication as one group, whether it has any or not.
  std::vector<Group> by_replication() const;

 private:
  void join_neighbours();

  std::vector<std::vector<Group>> replications_;
  std::uint64_t size_ = 1;
};

}  // namespace vecusim
