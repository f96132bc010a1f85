// Groups that double in size.
#include "analysis/batches.hpp"

namespace vecusim {

Batches::Batches() : replications_(1) { replications_.back().reserve(kMost); }

void Batches::add(Duration value) {
  std::vector<Group>& groups = replications_.back();
  if (groups.empty() || groups.back().n == size_) {
    if (groups.size() == kMost) join_neighbours();
    groups.push_back({});
  }
  Group& group = groups.back();
  ++group.n;
  group.sum += to_us(value);
}

void Batches::join_neighbours() {
  std::vector<Group>& groups = replications_.back();
  for (std::size_t i = 0; i < kMost / 2; ++i) {
    const Group& a = groups[2 * i];
    const Group& b = groups[2 * i + 1];
    groups[i] = {a.n + b.n, a.sum + b.sum};
  }
  groups.resize(kMost / 2);
  size_ *= 2;
}

void Batches::merge(const Batches& other) {
  replications_.insert(replications_.end(), other.replications_.begin(), other.replications_.end());
}

std::vector<Group> Batches::groups() const {
  if (replications_.size() == 1) return replications_.front();
  std::vector<Group> result = by_replication();
  std::erase_if(result, [](const Group& whole) { return whole.n == 0; });
  return result;
}

std::vector<Group> Batches::by_replication() const {
  std::vector<Group> result;
  for (const std::vector<Group>& replication : replications_) {
    Group whole;
    for (const Group& group : replication) {
      whole.n += group.n;
      whole.sum += group.sum;
    }
    result.push_back(whole);
  }
  return result;
}

}  // namespace vecusim
