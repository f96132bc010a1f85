// A board that a file describes: what a scenario says of it, and the description that was read from the file.
//
// Files are read where scenarios are (system/load_board.cpp); a description becomes part of the scenario, so a result
// document needs no file to be repeated.
#include "models/board.hpp"

namespace vecusim {

namespace {

struct FileBoard final : BoardChoice {
  std::string path;
  BoardSpec described;
  std::optional<double> clock;

  void fields(FieldVisitor& visit) override {
    visit.text({"path", "the board's file (vecusim/board/1), relative to the scenario's folder"}, path);
    visit.optional(Field{"clock_mhz", "clock of all cores; absent: what the file says of each cluster"}, clock,
                   [&](double& mhz) {
                     visit.number({"clock_mhz", "clock of all cores"}, mhz, {1.0, 10000.0});
                   });
    visit.object({"spec", "what the file describes; filled in when the scenario is read"}, described);
    visit.require(!described.clusters.empty(), "path", "the name of a file that describes a board");
    for (const BoardSpec::Cluster& cluster : described.clusters) {
      visit.require(!clock || (cluster.min_clock_mhz <= *clock && *clock <= cluster.max_clock_mhz), "clock_mhz",
                    "a clock that every cluster of the board can have");
    }
  }
  std::unique_ptr<Config> clone() const override { return std::make_unique<FileBoard>(*this); }
  BoardSpec spec() const override { return described; }
  double clock_mhz(std::size_t cluster) const override {
    return clock.value_or(described.clusters[cluster].default_clock_mhz);
  }
};

}  // namespace

BoardEntry board_file() {
  return {{"file", "a board that a file describes"},
          [] { return std::unique_ptr<Config>(std::make_unique<FileBoard>()); }};
}

}  // namespace vecusim
