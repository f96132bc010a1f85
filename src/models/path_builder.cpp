// Joining stages.
#include "models/path_builder.hpp"

namespace vecusim {

StageId PathBuilder::then(Stage stage) {
  const StageId id = path_.add(std::move(stage));
  for (const auto& [end, when] : ends_) path_.connect(end, id, when);
  ends_.clear();
  ends_.emplace_back(id, "");
  return id;
}

StageId PathBuilder::maybe(Stage stage, const std::string& when, const std::string& otherwise) {
  return either({{std::move(stage), when}}, otherwise).front();
}

std::vector<StageId> PathBuilder::either(const std::vector<std::pair<Stage, std::string>>& stages,
                                         const std::string& otherwise) {
  const auto around = ends_;
  std::vector<StageId> ids;
  for (const auto& [stage, when] : stages) {
    ends_ = around;
    label(when);
    ids.push_back(then(stage));
  }
  ends_.clear();
  for (const StageId id : ids) ends_.emplace_back(id, "");
  for (const auto& end : around) ends_.emplace_back(end.first, otherwise);
  return ids;
}

void PathBuilder::label(const std::string& when) {
  for (auto& end : ends_) end.second = when;
}

}  // namespace vecusim
