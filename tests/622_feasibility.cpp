// Whether printed figures can belong to one set of samples.
#include <algorithm>
#include <vector>

#include "analysis/feasibility.hpp"
#include "catch.hpp"
#include "property.hpp"

using namespace vecusim;

namespace {

PrintedRow row(std::int64_t n, Figure min, Figure mean, Figure max) { return {n, min, mean, max}; }
Figure exact(Duration value) { return {value, Duration{0}}; }
Figure printed(Duration value, Duration step) { return {value, step}; }

const PrintedRow kTcg = row(100, printed(49ms, 1ms), printed(52ms, 1ms), printed(1054ms, 1ms));

}  // namespace

TEST_CASE("the published rows without a hypervisor and under Xen can be true") {
  CHECK(feasibility(row(100, printed(175us, 1us), printed(182us, 1us), printed(270us, 10us))).feasible());
  CHECK(feasibility(row(100, printed(1190us, 10us), printed(1250us, 10us), printed(2980us, 10us))).feasible());
}

TEST_CASE("the published QEMU row cannot be true of 100 samples") {
  const Feasibility result = feasibility(kTcg);
  CHECK(result.contradiction == Contradiction::mean_too_low);
  CHECK(result.smallest_n == 252);
  CHECK(result.smallest_n_unrounded == 335);
  CHECK(result.reading == Reading::max_apart);
  CHECK(explain(result, kTcg) ==
        "with min 49000 us and max 1054000 us the mean of 100 samples is at least 58550 us, printed is 52000 us; it "
        "would take n >= 252; read with max as no sample of the mean, like a late answer to a lost edge");
}

TEST_CASE("the published QEMU row is accepted from 252 samples on, and without its lost edge") {
  PrintedRow more = kTcg;
  more.n = 251;
  CHECK(!feasibility(more).feasible());
  more.n = 252;
  CHECK(feasibility(more).feasible());
  PrintedRow apart = kTcg;
  apart.n = 99;
  apart.max.reset();
  CHECK(feasibility(apart).feasible());
}

TEST_CASE("a mean that is too high for one small sample is the mirror image") {
  const Feasibility result = feasibility(row(100, exact(1us), exact(999us), exact(1000us)));
  CHECK(result.contradiction == Contradiction::mean_too_high);
  CHECK(result.smallest_n == 999);
  CHECK(result.reading == Reading::min_apart);
}

TEST_CASE("figures out of order have no smallest n, and no reading") {
  const Feasibility result = feasibility(row(100, exact(5us), exact(4us), exact(9us)));
  CHECK(result.contradiction == Contradiction::order);
  CHECK(!result.smallest_n);
  // Without min they are fine.
  CHECK(result.reading == Reading::min_apart);
  const Feasibility hopeless = feasibility({3, exact(5us), exact(4us), exact(3us)});
  CHECK(hopeless.reading == Reading::none);
}

TEST_CASE("print rounding is granted to each figure, up to its half step and no further") {
  // Nine samples of 10 and one of 21 have a mean of 11.1.
  CHECK(feasibility(row(10, exact(10us), printed(11us, 200ns), exact(21us))).feasible());
  CHECK(!feasibility(row(10, exact(10us), printed(11us, 199ns), exact(21us))).feasible());
  CHECK(feasibility(row(10, printed(10us, 1us), exact(11us), printed(21us, 1us))).feasible());
}

TEST_CASE("one sample has one value, and two have the middle as mean") {
  CHECK(feasibility(row(1, exact(5us), exact(5us), exact(5us))).feasible());
  CHECK(!feasibility(row(1, exact(5us), exact(5us), exact(6us))).feasible());
  CHECK(!feasibility(row(1, printed(0us, 2us), printed(2us, 2us), printed(4us, 2us))).feasible());
  CHECK(feasibility(row(2, exact(4us), exact(5us), exact(6us))).feasible());
  CHECK(feasibility(row(2, exact(4us), exact(6us), exact(6us))).contradiction == Contradiction::mean_too_high);
}

TEST_CASE("what is not printed contradicts nothing") {
  CHECK(feasibility({100, {}, {}, {}}).feasible());
  CHECK(feasibility({100, exact(5us), {}, exact(6us)}).feasible());
  CHECK(!feasibility({100, exact(7us), {}, exact(6us)}).feasible());
  CHECK(explain(feasibility({100, {}, {}, {}}), {100, {}, {}, {}}).empty());
}

TEST_CASE("figures of real samples are always feasible, rounded or not, and smallest n never exceeds n") {
  test::check_property(
      [](const std::vector<std::uint16_t>& raw, std::uint8_t raw_step) {
        RC_PRE(!raw.empty());
        const auto n = static_cast<std::int64_t>(raw.size());
        std::int64_t sum = 0;
        for (const std::uint16_t value : raw) sum += value;
        const auto [least, most] = std::minmax_element(raw.begin(), raw.end());
        const std::int64_t step = 2 * (raw_step % 50) + 1;
        const auto rounded = [step](std::int64_t numerator, std::int64_t divisor) {
          const std::int64_t steps = (2 * numerator + step * divisor) / (2 * step * divisor);
          return Figure{Duration{steps * step}, Duration{step}};
        };
        const Feasibility result = feasibility({n, rounded(*least, 1), rounded(sum, n), rounded(*most, 1)});
        RC_ASSERT(result.feasible());
        RC_ASSERT(result.smallest_n.has_value());
        RC_ASSERT(*result.smallest_n <= n);
      },
      2000);
}

TEST_CASE("the smallest n is where feasibility begins") {
  test::check_property(
      [](std::uint16_t a, std::uint16_t b, std::uint16_t c, std::uint8_t step) {
        std::vector<std::int64_t> values = {a, b, c};
        std::sort(values.begin(), values.end());
        const auto figure = [step](std::int64_t value) { return Figure{Duration{value}, Duration{step}}; };
        PrintedRow some = row(1, figure(values[0]), figure(values[1]), figure(values[2]));
        const auto smallest = feasibility(some).smallest_n;
        if (!smallest) {
          some.n = 1'000'000'000;
          RC_ASSERT(!feasibility(some).feasible());
          return;
        }
        some.n = *smallest;
        RC_ASSERT(feasibility(some).feasible());
        if (*smallest > 1) {
          some.n = *smallest - 1;
          RC_ASSERT(!feasibility(some).feasible());
        }
      },
      2000);
}
