// RandomStream: keyed by seed, replication and name; uniform; the published generator.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <Random123/philox.h>

#include "catch.hpp"
#include "engine/distribution.hpp"
#include "engine/random.hpp"
#include "engine/simulation.hpp"
#include "statistics.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

std::vector<std::uint64_t> draws(RandomStream stream, std::size_t n) {
  std::vector<std::uint64_t> result(n);
  for (auto& bits : result) bits = stream.bits();
  return result;
}

/// Chi-squared of pairs of uniforms in 16 x 16 equal cells: large if one tells something of the other.
template <class Pair>
double pair_statistic(Pair next_pair) {
  std::vector<std::size_t> cells(256);
  for (int i = 0; i < 1 << 18; ++i) {
    const auto [x, y] = next_pair();
    ++cells[static_cast<std::size_t>(x * 16.0) * 16 + static_cast<std::size_t>(y * 16.0)];
  }
  return chi_squared(cells);
}

}  // namespace

// Counter, key and result as in the known-answer tests published with Random123 (Salmon et al. 2011).
TEST_CASE("the generator gives the published answers of Philox4x32-10") {
  using Block = r123::Philox4x32::ctr_type;
  const r123::Philox4x32 philox;
  CHECK(philox({{0, 0, 0, 0}}, {{0, 0}}) == Block{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  CHECK(philox({{~0U, ~0U, ~0U, ~0U}}, {{~0U, ~0U}}) == Block{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  CHECK(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}) ==
        Block{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

// Results must not change from version to version. The numbers come from an implementation of Philox4x32-10 and FNV-1a
// of its own: counter (index / 2, replication, low and high half of the name's hash), key the seed.
TEST_CASE("a stream's numbers are fixed for all times") {
  CHECK(draws({1, 0, "ecu/0#isr"}, 4) ==
        std::vector<std::uint64_t>{0x4a0d07f4ed2a98c3, 0x04a17b9fb91a3a5e, 0xa3a3cfd3f7243656, 0xf868b75041703e88});
  CHECK(draws({0x0123456789abcdef, 7, "pi4/gic#ack"}, 4) ==
        std::vector<std::uint64_t>{0xc311c70e109282b6, 0x3d5e265c6e95bb43, 0xc479a76531350177, 0x21a80cbc243dc596});
}

TEST_CASE("the same seed, replication and name give the same numbers, whatever else is drawn") {
  QuantileTables tables;
  const Simulation alone(tables, 42, 3);
  const Simulation crowded(tables, 42, 3);
  RandomStream other = crowded.stream("another sensor");
  RandomStream expected = alone.stream("gic#ack");
  RandomStream stream = crowded.stream("gic#ack");
  for (int i = 0; i < 1000; ++i) {
    other.bits();
    REQUIRE(stream.bits() == expected.bits());
  }
  CHECK(stream.index() == 1000);
}

TEST_CASE("another seed, replication or name gives other numbers") {
  const auto reference = draws({1, 0, "name"}, 64);
  for (const RandomStream& other : {RandomStream{2, 0, "name"}, RandomStream{1ULL << 32 | 1, 0, "name"},
                                    RandomStream{1, 1, "name"}, RandomStream{1, 0, "eman"}, RandomStream{1, 0, ""}}) {
    const auto numbers = draws(other, 64);
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(numbers[i] != reference[i]);
  }
}

TEST_CASE("streams whose keys hardly differ are independent") {
  RandomStream reference(1, 0, "ecu/0#isr");
  auto other = GENERATE(RandomStream(1, 0, "ecu/1#isr"), RandomStream(1, 1, "ecu/0#isr"),
                        RandomStream(2, 0, "ecu/0#isr"), RandomStream(1, 0, "ecu/0#isq"));
  CHECK(pair_statistic([&] { return std::pair(reference.uniform(), other.uniform()); }) < chi_squared_limit(255));
}

TEST_CASE("successive draws of a stream are independent") {
  RandomStream stream(1, 0, "successive");
  CHECK(pair_statistic([&] {
          const double first = stream.uniform();
          return std::pair(first, stream.uniform());
        }) < chi_squared_limit(255));
}

TEST_CASE("a uniform is never 0 and never 1") {
  CHECK(to_uniform(0) == 0x1p-53);
  CHECK(to_uniform(~std::uint64_t{0}) == 1.0 - 0x1p-53);
  CHECK(to_uniform(std::uint64_t{1} << 63) == 0.5 + 0x1p-53);
}

TEST_CASE("uniforms are uniform") {
  RandomStream stream(1, 0, "uniform");
  std::vector<double> samples(1'000'000);
  std::vector<std::size_t> cells(1024);
  for (double& sample : samples) {
    sample = stream.uniform();
    ++cells[static_cast<std::size_t>(sample * 1024.0)];
  }
  CHECK(kolmogorov_distance(samples, [](double x) { return x; }) < kolmogorov_limit(samples.size()));
  CHECK(chi_squared(cells) < chi_squared_limit(1023));
}

TEST_CASE("each of the 64 bits is set half of the time") {
  constexpr int kDraws = 100'000;
  RandomStream stream(1, 0, "bits");
  std::array<int, 64> ones{};
  for (int i = 0; i < kDraws; ++i) {
    std::uint64_t bits = stream.bits();
    for (int& count : ones) {
      count += static_cast<int>(bits & 1);
      bits >>= 1;
    }
  }
  // 64 looks at a normal variable of standard deviation sqrt(n) / 2: |z| > 5.66 has probability 1e-6 / 64.
  for (const int count : ones) CHECK(std::abs(count - kDraws / 2) < 5.66 * std::sqrt(kDraws) / 2);
}
