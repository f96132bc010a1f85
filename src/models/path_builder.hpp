// PathBuilder: writes an interrupt's path from its beginning to its end, stage after stage.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/interrupt_path.hpp"

namespace vecusim {

/// Keeps the open ends of the path: the stages from which the next one will be reached, and when.
class PathBuilder {
 public:
  explicit PathBuilder(InterruptPath& path) : path_(path) {}

  /// The next stage, reached from all open ends; then it is the only one.
  StageId then(Stage stage);
  /// A stage that is passed only `when`; otherwise the way leads past it.
  StageId maybe(Stage stage, const std::string& when, const std::string& otherwise);
  /// One of several stages, each passed only when its word says; otherwise the way leads past them. In their order.
  std::vector<StageId> either(const std::vector<std::pair<Stage, std::string>>& stages, const std::string& otherwise);
  /// What leads on from here is taken only `when`.
  void label(const std::string& when);
  /// One more way to the next stage.
  void also_from(StageId stage, std::string when) { ends_.emplace_back(stage, std::move(when)); }
  /// An interrupt that waits in this stage may be taken along by the handler of another one that shares its line.
  void waits_in(StageId stage) { waits_.push_back(stage); }
  const std::vector<StageId>& waits() const { return waits_; }
  /// The handler that could have taken it along is behind.
  void forget_waits() { waits_.clear(); }
  /// The first open end.
  StageId end() const { return ends_.front().first; }

 private:
  InterruptPath& path_;
  std::vector<std::pair<StageId, std::string>> ends_;
  std::vector<StageId> waits_;
};

}  // namespace vecusim
