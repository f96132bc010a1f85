// What a slice brings, and what running costs.
#include "schedulers/credit_state.hpp"

namespace vecusim::credit {
namespace {

constexpr std::int64_t kCreditsPerMs = 10;
constexpr std::int64_t kMillionths = 1'000'000;

}  // namespace

// A slice has three ticks if it takes 3 ms at least, else one (specification, 5.1).
Slice::Slice(HvTime tslice)
    : length(tslice),
      tick(tslice < 3ms ? tslice : HvTime{std::chrono::duration_cast<std::chrono::microseconds>(tslice) / 3}),
      credits(static_cast<std::uint32_t>(kCreditsPerMs * (tslice / 1ms))) {}

// The time below one credit is charged again the next time although it is in the residual (golden trace format, 49).
void Unit::burn(HvTime now) {
  const HvTime ran = now - start;
  if (ran <= HvTime{0}) return;
  const std::int64_t due = ran.count() * kCreditsPerMs + residual;
  const std::int64_t credits = due / kMillionths;
  residual = due % kMillionths;
  credit = add_credits(credit, -static_cast<std::uint32_t>(credits));
  start += HvTime{credits * kMillionths / kCreditsPerMs};
}

}  // namespace vecusim::credit
