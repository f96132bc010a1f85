// What a command line says of a sweep's points: --vary, --zip, --sample and --shard, all checked before any is used.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/sweep.hpp"
#include "app/arguments.hpp"

namespace vecusim {

class SweepPoints {
 public:
  /// Every fault becomes a complaint.
  SweepPoints(const Arguments& arguments, Complaints& complaints);

  /// A sample, or a grid of what is varied alone and what goes side by side. Throws InvalidInput if pointers side by
  /// side have not equally many values.
  std::vector<Dimension> dimensions(std::uint64_t seed) const;
  /// Whether neighbouring points have neighbouring values.
  bool ordered() const { return !sample_; }
  /// Takes away what is another shard's.
  void keep_shard(std::vector<PlannedPoint>& points) const;

 private:
  struct Shard {
    std::size_t k;
    std::size_t n;
  };

  std::optional<std::size_t> sample_;
  std::vector<Span> spans_;
  std::vector<json::Variation> varied_;
  std::vector<json::Variation> zipped_;
  std::optional<Shard> shard_;
};

}  // namespace vecusim
