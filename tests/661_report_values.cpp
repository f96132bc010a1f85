// Samples as plots have them: bins that hold everything, and curves whose few points keep both ends.
#include "analysis/report_values.hpp"
#include "catch.hpp"

using namespace vecusim;
using namespace vecusim::report;

namespace {

Values evenly(int n, Duration from, Duration step) {
  Values values;
  for (int i = 0; i < n; ++i) values.push_back({from + i * step, 1});
  return values;
}

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t n : counts) all += n;
  return all;
}

}  // namespace

TEST_CASE("bins are of one round width and hold every sample") {
  const Values values = evenly(1000, 100us, 70ns);
  const Edges edges = edges_for({&values});
  REQUIRE_FALSE(edges.logarithmic);
  const Duration width = edges.at[1] - edges.at[0];
  CHECK(width == 500ns);  // 70 µs in 253 bins at most
  for (std::size_t i = 1; i < edges.at.size(); ++i) CHECK(edges.at[i] - edges.at[i - 1] == width);
  CHECK(edges.at.front() == 100us);
  CHECK(sum(counts(edges, values)) == 1000);
}

TEST_CASE("a tail far beyond the median makes the bins logarithmic, and is in one of them") {
  Values values = evenly(1000, 10us, 1ns);
  values.push_back({10ms, 1});
  const Edges edges = edges_for({&values});
  CHECK(edges.logarithmic);
  CHECK(edges.at.size() < 200);
  const std::vector<std::uint64_t> n = counts(edges, values);
  CHECK(sum(n) == 1001);
  CHECK(n.back() == 1);
}

TEST_CASE("two samples share their bins") {
  const Values simulated = evenly(100, 100us, 1us);
  const Values measured = evenly(100, 50us, 1us);
  const Edges edges = edges_for({&simulated, &measured});
  CHECK(sum(counts(edges, simulated)) == 100);
  CHECK(sum(counts(edges, measured)) == 100);
}

TEST_CASE("equal samples make one bin") {
  const Values values = {{100us, 5}};
  const Edges edges = edges_for({&values});
  CHECK(counts(edges, values) == std::vector<std::uint64_t>{5});
}

TEST_CASE("values are exact while the samples are, and counted together") {
  Samples samples;
  for (const Duration value : {3us, 1us, 3us}) samples.add(value);
  const Values values = values_of(samples);
  REQUIRE(values.size() == 2);
  CHECK((values[0].value == 1us && values[0].n == 1));
  CHECK((values[1].value == 3us && values[1].n == 2));
}

TEST_CASE("few values are all on the curve") {
  const std::vector<Share> all = shares({{1us, 1}, {2us, 2}, {4us, 1}}, 400);
  REQUIRE(all.size() == 3);
  CHECK((all[0].at_most == 0.25 && all[0].beyond == 0.75));
  CHECK((all[1].at_most == 0.75 && all[1].beyond == 0.25));
  CHECK((all[2].at_most == 1.0 && all[2].beyond == 0.0));
}

TEST_CASE("of many values a curve keeps the ends, and the tail point by point") {
  const std::vector<Share> few = shares(evenly(100'000, 1us, 1ns), 400);
  CHECK(few.size() <= 402);
  CHECK(few.size() > 100);
  CHECK(few.front().at_most == Approx(1e-5));
  CHECK(few.back().beyond == 0.0);
  CHECK(few[few.size() - 2].beyond == Approx(1e-5));
  CHECK(few[few.size() - 3].beyond == Approx(2e-5));
}
