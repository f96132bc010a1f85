// What holds for Credit2 whatever happens: random scripts on random machines, shortened when they fail.
#include <array>
#include <ostream>
#include <vector>

#include "allocations.hpp"
#include "catch.hpp"
#include "credit2_bench.hpp"
#include "property.hpp"

namespace vecusim::test {
namespace {

constexpr int kUnits = 8;
constexpr int kDomains = 3;
constexpr std::array kDomainOf = {0, 0, 0, 1, 1, 1, 2, 2};

enum class Verb { wake, block, yield, pause, unpause, hard, soft, weight, cap, ratelimit, poke };
constexpr std::array kVerbs = {"wake", "block",  "yield", "pause",     "unpause", "hard",
                               "soft", "weight", "cap",   "ratelimit", "poke"};

struct Command {
  int after_us;
  Verb verb;
  int what;  // the unit, domain or pCPU meant, modulo their number
  int value;
};
struct Script {
  int pcpus;
  int arrangement;
  int ratelimit;
  bool capped;
  std::vector<Command> commands;
};

constexpr std::array kArrangements = {R"("cpu")", R"("all", "max_cpus_runqueue": 2)", R"("all")"};
constexpr std::array kRatelimits = {0, 100, 1000, 5000};

std::string parameters_of(const Script& script) {
  return R"({"runqueue": )" + std::string(kArrangements.at(static_cast<std::size_t>(script.arrangement))) +
         R"(, "ratelimit_us": )" + std::to_string(kRatelimits.at(static_cast<std::size_t>(script.ratelimit))) + '}';
}

std::ostream& operator<<(std::ostream& out, const Script& script) {
  out << script.pcpus << " pCPUs, " << parameters_of(script) << (script.capped ? ", capped\n" : "\n");
  for (const Command& command : script.commands) {
    out << '+' << command.after_us << " us " << kVerbs.at(static_cast<std::size_t>(command.verb)) << ' ' << command.what
        << ' ' << command.value << '\n';
  }
  return out;
}

rc::Gen<Command> command() {
  return rc::gen::construct<Command>(
      rc::gen::weightedOneOf<int>({{3, rc::gen::inRange(0, 300)}, {2, rc::gen::inRange(0, 12'000)}}),
      rc::gen::map(rc::gen::weightedElement<int>(
                       {{12, 0}, {8, 1}, {2, 2}, {1, 3}, {2, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}, {1, 9}, {1, 10}}),
                   [](int verb) { return static_cast<Verb>(verb); }),
      rc::gen::inRange(0, kUnits), rc::gen::inRange(0, 64));
}

rc::Gen<Script> script() {
  return rc::gen::construct<Script>(rc::gen::inRange(1, 5), rc::gen::inRange(0, 3), rc::gen::inRange(0, 4),
                                    rc::gen::arbitrary<bool>(), rc::gen::container<std::vector<Command>>(command()));
}

/// Watches every pass while it carries out a script.
class Player final : public Credit2Bench {
 public:
  explicit Player(const Script& script)
      : Credit2Bench(static_cast<std::size_t>(script.pcpus), parameters_of(script)),
        script_(script),
        ratelimit_(std::chrono::microseconds{kRatelimits.at(static_cast<std::size_t>(script.ratelimit))}) {
    for (int u = 0; u < kUnits; ++u) {
      if (u == 0 || kDomainOf[static_cast<std::size_t>(u)] != kDomainOf[static_cast<std::size_t>(u - 1)]) add_domain();
      add("u" + std::to_string(u), u % script.pcpus);
    }
    if (script.capped) {
      for (int d = 0; d < 2; ++d) set_cap(static_cast<DomainId>(d), 30 + 40 * d);
    }
  }

  void play() {
    HvTime at{};
    for (const Command& command : script_.commands) {
      at += std::chrono::microseconds{command.after_us};
      until(at);
      carry_out(command);
      check_state();
    }
    until(at + 30ms);
    check_state();
  }

  bool on_one_pcpu = true;
  bool protected_by_ratelimit = true;
  bool heeds_affinity = true;
  bool conserves_work = true;
  std::string idle_beside;

 private:
  void carry_out(const Command& command) {
    const UnitId unit = unit_id(command.what % kUnits);
    const auto domain = static_cast<DomainId>(command.what % kDomains);
    const PcpuMask mask =
        PcpuMask::from_bits(static_cast<std::uint64_t>(command.value) + 1) & PcpuMask::first_n(core().pcpus());
    const PcpuMask some = mask.empty() ? PcpuMask{pcpu_id(0)} : mask;
    switch (command.verb) {
      case Verb::wake:
        wake(machine().now(), unit);
        break;
      case Verb::block:
        if (is_current(unit)) block(unit);
        break;
      case Verb::yield:
        if (is_current(unit)) {
          yielded_ = unit;
          yield_at(machine().now(), unit);
          yielded_ = kIdle;
        }
        break;
      case Verb::pause:
        pause(unit);
        break;
      case Verb::unpause:
        unpause(unit);
        break;
      case Verb::hard:
        set_hard_affinity(unit, some);
        break;
      case Verb::soft:
        set_soft_affinity(unit, some);
        break;
      case Verb::weight:
        set_weight(domain, 64 << (command.value % 6));
        break;
      case Verb::cap:
        if (script_.capped) set_cap(domain, command.value % 3 == 0 ? 0 : command.value * 3);
        break;
      case Verb::ratelimit:
        ratelimit_ =
            std::chrono::microseconds{kRatelimits.at(static_cast<std::size_t>(command.value) % kRatelimits.size())};
        core().adjust_ratelimit(moment(), ratelimit_);
        break;
      case Verb::poke:
        poke(command.what % static_cast<int>(core().pcpus()));
        break;
    }
  }

  bool is_current(UnitId unit) { return core().state().current_of(policy().pcpu_of(unit)) == unit; }

  void decided(PcpuId pcpu, UnitId previous, const Decision& decision) override {
    Credit2Bench::decided(pcpu, previous, decision);
    const MachineState& state = core().state();
    if (decision.unit != kIdle) {
      if (decision.unit != previous && state[decision.unit].running) on_one_pcpu = false;
      if (!state[decision.unit].hard.contains(pcpu)) heeds_affinity = false;
    }
    if (previous == kIdle || decision.unit == previous || previous == yielded_) return;
    const bool could_go_on = core().runnable(previous) && policy().held(context(), previous).reason != HoldReason::cap;
    if (could_go_on && machine().now() - state[previous].entry_time < ratelimit_) protected_by_ratelimit = false;
  }

  void check_state() {
    const MachineState& state = core().state();
    for (std::size_t p = 0; p < core().pcpus(); ++p) {
      const auto pcpu = static_cast<PcpuId>(p);
      const UnitId current = state.current_of(pcpu);
      if (current != kIdle) {
        if (policy().pcpu_of(current) != pcpu || !state[current].running) on_one_pcpu = false;
        continue;
      }
      for (int u = 0; u < kUnits; ++u) {
        if (waits_in_vain(unit_id(u), pcpu)) {
          conserves_work = false;
          idle_beside =
              "at " + ms(machine().now()) + " pCPU " + std::to_string(p) + " idles beside u" + std::to_string(u);
        }
      }
    }
  }

  /// Runnable on an idle pCPU of its runqueue, which would accept it.
  bool waits_in_vain(UnitId unit, PcpuId idle) {
    if (!core().runnable(unit) || core().state()[unit].running) return false;
    const auto queue = static_cast<std::size_t>(figure(unit, "runqueue"));
    const auto members = PcpuMask::from_bits(static_cast<std::uint64_t>(runqueue_figure(queue, "pcpus")));
    if (!(members & core().state()[unit].hard).contains(idle)) return false;
    return policy().pcpu_of(unit) == idle || credit(unit) >= -9'500'001;  // gotcha 29
  }

  const Script& script_;
  HvTime ratelimit_;
  /// While its yield is under way.
  UnitId yielded_ = kIdle;
};

void check(bool Player::*holds) {
  check_property(
      [&] {
        const Script played = *script();
        Player player(played);
        player.play();
        RC_LOG() << player.idle_beside << '\n';
        const bool held = player.*holds;
        RC_ASSERT(held);
      },
      400, 120);
}

TEST_CASE("Credit2: a unit runs on one pCPU at most, which is the one that it is assigned to") {
  check(&Player::on_one_pcpu);
}

TEST_CASE("Credit2: no unit is chosen for a pCPU that it may not use") { check(&Player::heeds_affinity); }

TEST_CASE("Credit2: no unit that can go on and does not yield is replaced before its rate limit") {
  check(&Player::protected_by_ratelimit);
}

TEST_CASE("Credit2: no pCPU idles while its runqueue has a unit that it may and would run") {
  check(&Player::conserves_work);
}

TEST_CASE("Credit2: the same script gives the same decisions") {
  check_property(
      [] {
        const Script played = *script();
        Player one(played);
        Player other(played);
        one.play();
        other.play();
        RC_ASSERT(one.passes() == other.passes());
      },
      100, 120);
}

TEST_CASE("Credit2: a capped domain runs for its budgets, and overruns by a shortest slice per unit") {
  check_property(
      [] {
        Script played = *script();
        std::erase_if(played.commands,
                      [](const Command& c) { return c.verb == Verb::cap || c.verb == Verb::ratelimit; });
        played.capped = true;
        Player player(played);
        player.play();
        const HvTime shortest = std::max<HvTime>(
            500us, std::chrono::microseconds{kRatelimits.at(static_cast<std::size_t>(played.ratelimit))});
        const std::int64_t periods = player.machine().now() / 10ms + 1;
        std::array<HvTime, kDomains> ran{};
        std::array<std::int64_t, kDomains> units{};
        for (int u = 0; u < kUnits; ++u) {
          const auto domain = static_cast<std::size_t>(kDomainOf[static_cast<std::size_t>(u)]);
          ran[domain] += player.ran(unit_id(u));
          ++units[domain];
        }
        for (std::size_t d = 0; d < 2; ++d) {
          const HvTime budget = 10ms * (30 + 40 * static_cast<std::int64_t>(d)) / 100;
          RC_ASSERT(ran[d] <= periods * budget + units[d] * shortest);
        }
      },
      200, 120);
}

TEST_CASE("Credit2: hogs of one pCPU share it by their weights") {
  check_property(
      [] {
        const auto weights = *rc::gen::container<std::vector<int>>(4, rc::gen::inRange(64, 1024));
        Credit2Bench b(1);
        std::int64_t total = 0;
        for (const int weight : weights) {
          RC_ASSERT(b.set_weight(b.add_domain(), weight));
          b.wake(0ms, b.add("A"));
          total += weight;
        }
        b.until(20s);
        for (std::size_t u = 0; u < weights.size(); ++u) {
          const HvTime fair = HvTime{20s} * weights[u] / total;
          const HvTime ran = b.ran(unit_id(static_cast<int>(u)));
          RC_ASSERT(ran > fair * 9 / 10 && ran < fair * 11 / 10);
        }
      },
      20);
}

TEST_CASE("Credit2: nothing is allocated after the units are inserted") {
  for (const std::string_view parameters : {"{}", R"({"runqueue": "cpu", "ratelimit_us": 0})"}) {
    PolicyBench b(make_credit2(arm_machine(4, resolve_version(kDefaultXenVersion).behaviour), parameters), 4);
    b.set_logging(false);
    std::vector<UnitId> units;
    std::vector<DomainId> domains;
    for (int u = 0; u < 12; ++u) {
      if (u % 4 == 0) domains.push_back(b.domain());
      units.push_back(b.unit(domains.back(), u % 4));
    }
    for (const DomainId domain : domains)
      b.core().adjust_domain(b.moment(), domain, {{}, 80, {}});  // arms each timer once
    b.machine().settle();
    const std::uint64_t before = allocations();
    std::uint32_t random = 1;
    for (HvTime at = 100us; at < 2s; at += 100us) {
      b.until(at);
      random = random * 1664525 + 1013904223;
      const UnitId unit = units[(random >> 24) % units.size()];
      const DomainId domain = domains[(random >> 20) % domains.size()];
      const std::uint32_t choice = (random >> 12) % 32;
      SchedCore& core = b.core();
      if (choice < 14) {
        core.down(unit) ? core.come_up(b.moment(), unit) : static_cast<void>(core.unblock(b.moment(), unit));
      } else if (choice < 24) {
        if (core.state()[unit].running) core.block(b.moment(), unit);
      } else if (choice == 24) {
        core.adjust_domain(b.moment(), domain, {static_cast<std::int32_t>(1 + random % 1000), 20 + choice, {}});
      } else if (choice == 25) {
        core.set_affinity(b.moment(), unit, PcpuMask::from_bits(1 + random % 15), std::nullopt);
      } else if (choice == 26) {
        core.set_affinity(b.moment(), unit, std::nullopt, PcpuMask::from_bits(1 + random % 15));
      } else if (choice == 27) {
        if (core.state()[unit].running) core.yield(b.moment(), unit);
      } else {
        choice == 28 ? core.pause(b.moment(), unit) : core.unpause(b.moment(), unit);
      }
      b.machine().settle();
    }
    CHECK(allocations() == before);
  }
}

}  // namespace
}  // namespace vecusim::test
