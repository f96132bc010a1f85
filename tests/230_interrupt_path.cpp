// The path graph: what is refused, bounds, drawing.
#include "catch.hpp"
#include "models/interrupt_path.hpp"

using namespace vecusim;

namespace {

InterruptPath diamond() {
  InterruptPath path;
  const StageId edge = path.add({"edge", Where::hardware, 1us, 2us});
  const StageId quick = path.add({"quick", Where::interrupt, 1us, 1us});
  const StageId slow = path.add({"slow", Where::thread, 5us, 9us});
  const StageId answer = path.add({"answer", Where::hardware, 2us, 2us});
  path.connect(edge, quick, "idle");
  path.connect(edge, slow, "busy");
  path.connect(quick, answer);
  path.connect(slow, answer);
  return path;
}

}  // namespace

TEST_CASE("The bounds are those of the shortest and of the longest way") {
  const InterruptPath path = diamond();
  path.verify();
  CHECK(path.unloaded_bounds(path.first(), path.last()) == std::pair<Duration, Duration>{4us, 13us});
  CHECK(path.unloaded_bounds(StageId{1}, path.last()) == std::pair<Duration, Duration>{3us, 3us});
}

TEST_CASE("A way back to an earlier stage is refused") {
  InterruptPath path = diamond();
  path.connect(StageId{2}, StageId{1});
  path.verify();
  path.connect(StageId{1}, StageId{2});
  CHECK_THROWS_WITH(path.verify(), Catch::Contains("leads back"));
}

TEST_CASE("A stage that nothing leads to, and one that leads nowhere, are named") {
  InterruptPath path = diamond();
  InterruptPath orphan;
  orphan.add({"edge", Where::hardware});
  orphan.add({"orphan", Where::hardware});
  const StageId end = orphan.add({"end", Where::hardware});
  orphan.connect(orphan.first(), end);
  CHECK_THROWS_WITH(orphan.verify(), Catch::Contains("nothing leads to \"orphan\"") &&
                                         Catch::Contains("\"orphan\" does not lead to the end"));
}

TEST_CASE("The drawing has every stage, every branch and its condition") {
  const std::string dot = diamond().to_dot("a \"title\"");
  for (const char* text :
       {"edge\n1–2 µs", "quick\n1 µs", "label=\"idle\"", "label=\"busy\"", "0->1", "a \\\"title\\\""}) {
    CHECK_THAT(dot, Catch::Contains(text));
  }
}
