// InterruptPath: the stages an interrupt passes from edge to answer, as a graph: checked, bounded and drawn at load.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/time.hpp"

namespace vecusim {

enum class StageId : std::uint16_t {};

/// Where a stage happens.
enum class Where : std::uint8_t { hardware, hypervisor, interrupt, thread };

struct Stage {
  std::string name;
  Where where;
  /// Least and most that the stage takes on an idle system with cold caches and no jitter.
  Duration least{};
  Duration most{};
};

/// A way from one stage to the next, and when it is taken (empty: always).
struct Branch {
  StageId from;
  StageId to;
  std::string when;
  /// How often a way back to an earlier stage is taken; 0: it leads on.
  std::size_t again = 0;
};

class InterruptPath {
 public:
  StageId add(Stage stage);
  void connect(StageId from, StageId to, std::string when = {});
  /// A way back, taken so many times: what lies between is passed again each time.
  void connect_back(StageId from, StageId to, std::size_t times);

  const std::vector<Stage>& stages() const { return stages_; }
  std::size_t size() const { return stages_.size(); }
  /// Whether the graph has that branch.
  bool leads(StageId from, StageId to) const;

  /// Throws std::logic_error with the names of the offending stages unless there is exactly one first stage (nothing
  /// leads to it), one last (it leads nowhere), every stage is on a way between them, and there is no cycle but by a
  /// way back.
  void verify() const;

  /// Least and most over all ways from `from` to `to`, both included, on an otherwise idle system.
  std::pair<Duration, Duration> unloaded_bounds(StageId from, StageId to) const;
  StageId first() const { return StageId{0}; }
  StageId last() const { return StageId{static_cast<std::uint16_t>(stages_.size() - 1)}; }

  /// The graph in graphviz's language.
  std::string to_dot(std::string_view title) const;

 private:
  std::pair<Duration, Duration> forward_bounds(StageId from, StageId to) const;

  std::vector<Stage> stages_;
  std::vector<Branch> branches_;
};

}  // namespace vecusim
