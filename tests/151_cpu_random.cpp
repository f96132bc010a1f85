// Cpu against a plain model that looks at every work at every step, over random scripts.
#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "engine/cpu.hpp"
#include "property.hpp"

using namespace vecusim;

namespace {

enum class Verb { submit, go_on, withdraw, halt, resume };
struct Command {
  Verb verb;
  int work;  // the one meant, or the reason of a halt
};
struct Plan {
  int level;
  int demand;                 // ps
  bool asked;                 // its demand is asked when it begins, and depends on that moment
  std::vector<Command> then;  // what its end does, the first kRuns times
};
struct Step {
  int pause;  // ps before the command
  Command command;
};
constexpr int kWorks = 5;
constexpr int kRuns = 4;
constexpr std::array kHalts = {Wait::runqueue, Wait::ratelimit, Wait::budget};
struct Script {
  std::vector<Plan> plans;
  std::vector<Step> steps;
};

std::ostream& operator<<(std::ostream& out, const Command& command) {
  static constexpr std::array kNames = {"submit", "go_on", "withdraw", "halt", "resume"};
  return out << kNames.at(static_cast<std::size_t>(command.verb)) << " " << command.work;
}
std::ostream& operator<<(std::ostream& out, const Script& script) {
  for (std::size_t i = 0; i < script.plans.size(); ++i) {
    const Plan& plan = script.plans[i];
    out << "work " << i << ": level " << plan.level << " demand " << plan.demand << (plan.asked ? " asked" : "");
    for (const Command& command : plan.then) out << "; " << command;
    out << "\n";
  }
  for (const Step& step : script.steps) out << "+" << step.pause << " " << step.command << "\n";
  return out;
}

Wait halt_kind(const Command& command) { return kHalts.at(static_cast<std::size_t>(command.work) % kHalts.size()); }
Party halt_party(const Command& command) { return Party{static_cast<std::uint16_t>(100 + command.work)}; }
Party party_of(int work) { return Party{static_cast<std::uint16_t>(work + 1)}; }
Wait inflicted_by(int work) { return work % 2 == 0 ? Wait::queue : Wait::thread; }
int demand_at(const Plan& plan, std::int64_t now) { return plan.demand + (plan.asked ? static_cast<int>(now % 7) : 0); }

/// What happened to one work: where its time went, and when it was done.
struct Story {
  StageTime stage;
  std::vector<std::int64_t> done;
  std::int64_t demanded = 0;  // by all its runs, less what is left of the last
};
bool operator==(const StageTime& x, const StageTime& y) {
  return std::tie(x.service, x.waits, x.longest_wait, x.longest_wait_for) ==
         std::tie(y.service, y.waits, y.longest_wait, y.longest_wait_for);
}

// ---- The real thing ----

class Real final : TraceSink {
 public:
  explicit Real(const Script& script) : script_(script) {
    trace_.attach(*this);
    for (int i = 0; i < kWorks; ++i) jobs_[static_cast<std::size_t>(i)].set_up(*this, i);
  }

  void advance_to(std::int64_t ps) { queue_.run_until(Time{Duration{ps}}); }

  void execute(const Command& command) {
    Job& job = jobs_.at(static_cast<std::size_t>(command.work));
    switch (command.verb) {
      case Verb::submit:
      case Verb::go_on:
        if (job.work.submitted) return;
        if (!job.work.begun) job.work.demand = Duration{job.plan().demand};
        if (command.verb == Verb::submit) cpu_.submit(job.work);
        if (command.verb == Verb::go_on) cpu_.go_on(job.work);
        return;
      case Verb::withdraw:
        if (!job.work.submitted) return;
        cpu_.withdraw(job.work);
        job.leave();
        return;
      case Verb::halt:
        return cpu_.halt(halt_kind(command), halt_party(command));
      case Verb::resume:
        return cpu_.resume();
    }
  }

  /// The index of the served work, or -1.
  int served() const {
    for (int i = 0; i < kWorks; ++i) {
      if (cpu_.served() == &jobs_[static_cast<std::size_t>(i)].work) return i;
    }
    return -1;
  }
  bool idle() const { return cpu_.idle(); }
  bool halted() const { return cpu_.halted(); }
  bool anything_pending() const { return queue_.next() != kNever; }

  std::vector<Story> end() {
    std::vector<Story> stories;
    for (Job& job : jobs_) {
      job.account.close(queue_.now());
      stories.push_back(job.story);
    }
    on(Occupied{queue_.now(), CpuId{0}, Context::idle, Party::nobody});
    return stories;
  }
  /// From the trace: how long the CPU worked for each work.
  const std::array<Duration, kWorks>& occupied() const { return occupied_; }

 private:
  struct Job {
    void set_up(Real& real, int i) {
      owner = &real;
      index = i;
      work.level = static_cast<std::uint8_t>(plan().level);
      if (plan().asked) work.begin = Delegate<Duration()>::to<&Job::ask>(*this);
      work.done = Delegate<void()>::to<&Job::finish>(*this);
      work.inflicts = inflicted_by(i);
      work.party = party_of(i);
      work.account = &account;
      account.open(kStart, story.stage);
      leave();
    }
    const Plan& plan() const { return owner->script_.plans[static_cast<std::size_t>(index)]; }
    Time now() const { return owner->queue_.now(); }
    Duration ask() { return Duration{demand_at(plan(), now().time_since_epoch().count())}; }
    void leave() { account.wait(now(), Wait::moderation); }
    void finish() {
      leave();
      story.done.push_back(now().time_since_epoch().count());
      if (story.done.size() > kRuns) return;
      for (const Command& command : plan().then) owner->execute(command);
    }
    Real* owner = nullptr;
    int index = 0;
    Work work{};
    Account account{};
    Story story{};
  };

  void on(const Occupied& event) override {
    if (party_ != Party::nobody) occupied_.at(static_cast<std::size_t>(party_) - 1) += event.at - since_;
    party_ = event.party;
    since_ = event.at;
  }

  const Script& script_;
  EventQueue queue_;
  Trace trace_;
  Cpu cpu_{queue_, trace_, CpuId{0}};
  std::array<Job, kWorks> jobs_{};
  Party party_ = Party::nobody;
  Time since_{};
  std::array<Duration, kWorks> occupied_{};
};

// ---- The plain model ----

class Model {
 public:
  explicit Model(const Script& script) : script_(script) {
    for (Item& item : items_) item.told = {{0, Told{Told::kAway, Wait::moderation, Party::nobody}}};
  }

  void advance_to(std::int64_t end) {
    while (served_ != -1 && now_ + item(served_).left <= end) {
      pass(item(served_).left);
      complete();
    }
    pass(end - now_);
  }

  void execute(const Command& command) {
    Item& it = item(command.work);
    switch (command.verb) {
      case Verb::submit:
      case Verb::go_on:
        if (it.here) return;
        it.here = true;
        it.place = command.verb == Verb::submit ? ++last_ : --first_;
        break;
      case Verb::withdraw:
        if (!it.here) return;
        it.here = false;
        if (served_ == command.work) served_ = -1;
        tell(it, {Told::kAway, Wait::moderation, Party::nobody});
        break;
      case Verb::halt:
        halted_ = true;
        halt_ = command;
        stop_serving();
        break;
      case Verb::resume:
        halted_ = false;
        break;
    }
    if (!completing_) settle();
  }

  int served() const { return served_; }
  bool idle() const {
    for (const Item& it : items_) {
      if (it.here) return false;
    }
    return true;
  }
  bool halted() const { return halted_; }

  std::vector<Story> end() {
    std::vector<Story> stories;
    for (Item& it : items_) {
      for (std::size_t i = 0; i < it.told.size(); ++i) {
        const auto& [from, told] = it.told[i];
        const Duration length{(i + 1 < it.told.size() ? it.told[i + 1].first : now_) - from};
        if (told.what == Told::kServed) {
          it.story.stage.service += length;
          continue;
        }
        it.story.stage.waits[static_cast<std::size_t>(told.kind)] += length;
        if (length > it.story.stage.longest_wait) {
          it.story.stage.longest_wait = length;
          it.story.stage.longest_wait_for = told.party;
        }
      }
      if (it.begun) it.story.demanded -= it.left;  // withdrawn for good with a rest
      stories.push_back(it.story);
    }
    return stories;
  }

 private:
  struct Told {
    enum What { kAway, kWaits, kServed } what;
    Wait kind;
    Party party;
    bool operator==(const Told& other) const {
      return std::tie(what, kind, party) == std::tie(other.what, other.kind, other.party);
    }
  };
  struct Item {
    bool here = false;
    bool begun = false;
    std::int64_t left = 0;
    std::int64_t place = 0;  // within its level: the smaller the earlier
    std::vector<std::pair<std::int64_t, Told>> told;
    Story story{};
  };

  Item& item(int i) { return items_.at(static_cast<std::size_t>(i)); }
  const Plan& plan(int i) const { return script_.plans[static_cast<std::size_t>(i)]; }

  void pass(std::int64_t ps) {
    if (served_ != -1) item(served_).left -= ps;
    now_ += ps;
  }

  void complete() {
    Item& it = item(served_);
    const Plan& its_plan = plan(served_);
    it.here = it.begun = false;
    served_ = -1;
    tell(it, {Told::kAway, Wait::moderation, Party::nobody});
    it.story.done.push_back(now_);
    completing_ = true;
    if (it.story.done.size() <= kRuns) {
      for (const Command& command : its_plan.then) execute(command);
    }
    completing_ = false;
    settle();
  }

  void stop_serving() {
    if (served_ == -1) return;
    item(served_).place = --first_;
    served_ = -1;
  }

  void settle() {
    if (!halted_) {
      int best = -1;
      for (int i = 0; i < kWorks; ++i) {
        if (!item(i).here || i == served_) continue;
        if (best == -1 || std::pair(plan(i).level, item(i).place) < std::pair(plan(best).level, item(best).place)) {
          best = i;
        }
      }
      if (best != -1 && (served_ == -1 || plan(best).level < plan(served_).level)) {
        stop_serving();
        served_ = best;
        if (!item(best).begun) {
          item(best).begun = true;
          item(best).left = demand_at(plan(best), now_);
          item(best).story.demanded += item(best).left;
        }
      }
    }
    for (int i = 0; i < kWorks; ++i) {
      if (i == served_) tell(item(i), {Told::kServed, Wait::queue, Party::nobody});
      if (i == served_ || !item(i).here) continue;
      if (halted_) tell(item(i), {Told::kWaits, halt_kind(halt_), halt_party(halt_)});
      if (!halted_) tell(item(i), {Told::kWaits, inflicted_by(served_), party_of(served_)});
    }
  }

  void tell(Item& it, Told told) {
    if (!(it.told.back().second == told)) it.told.emplace_back(now_, told);
  }

  const Script& script_;
  std::array<Item, kWorks> items_{};
  std::int64_t now_ = 0;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  int served_ = -1;
  bool halted_ = false;
  bool completing_ = false;
  Command halt_{};
};

/// Plays a script to both and compares them after every step; what they tell at the end is compared too.
void check_script(const Script& script) {
  Real real(script);
  Model model(script);
  std::int64_t now = 0;
  const auto compare = [&] {
    RC_ASSERT(real.served() == model.served());
    RC_ASSERT(real.idle() == model.idle());
    RC_ASSERT(real.halted() == model.halted());
    RC_ASSERT(real.halted() || real.idle() == (real.served() == -1));  // it never idles while there is work
  };
  const auto play = [&](const Step& step) {
    now += step.pause;
    real.advance_to(now);
    model.advance_to(now);
    compare();
    real.execute(step.command);
    model.execute(step.command);
    compare();
  };
  for (const Step& step : script.steps) play(step);
  for (int i = 0; i < kWorks; ++i) play({0, {Verb::submit, i}});
  while (!real.idle() || !model.idle()) {  // an end may have halted it
    play({0, {Verb::resume, 0}});
    play({100, {Verb::resume, 0}});
  }
  RC_ASSERT_FALSE(real.anything_pending());

  const std::vector<Story> got = real.end();
  const std::vector<Story> expected = model.end();
  for (std::size_t i = 0; i < got.size(); ++i) {
    RC_ASSERT(got[i].done == expected[i].done);
    RC_ASSERT((got[i].stage == expected[i].stage));
    RC_ASSERT(got[i].stage.total() == Duration{now});                   // tiles
    RC_ASSERT(got[i].stage.service == Duration{expected[i].demanded});  // all that was demanded was served
    RC_ASSERT(got[i].stage.service == real.occupied()[i]);              // and the trace says the same
  }
}

}  // namespace

namespace rc {

template <>
struct Arbitrary<Command> {
  static Gen<Command> arbitrary() {
    return gen::build<Command>(
        gen::set(&Command::verb,
                 gen::weightedElement<Verb>(
                     {{6, Verb::submit}, {3, Verb::go_on}, {3, Verb::withdraw}, {2, Verb::halt}, {3, Verb::resume}})),
        gen::set(&Command::work, gen::inRange(0, kWorks)));
  }
};

template <>
struct Arbitrary<Plan> {
  static Gen<Plan> arbitrary() {
    return gen::build<Plan>(gen::set(&Plan::level, gen::inRange(0, 3)), gen::set(&Plan::demand, gen::inRange(0, 12)),
                            gen::set(&Plan::asked),
                            gen::set(&Plan::then, gen::resize(4, gen::arbitrary<std::vector<Command>>())));
  }
};

template <>
struct Arbitrary<Step> {
  static Gen<Step> arbitrary() {
    return gen::build<Step>(gen::set(&Step::pause, gen::inRange(0, 9)), gen::set(&Step::command));
  }
};

template <>
struct Arbitrary<Script> {
  static Gen<Script> arbitrary() {
    return gen::build<Script>(
        gen::set(&Script::plans, gen::container<std::vector<Plan>>(kWorks, gen::arbitrary<Plan>())),
        gen::set(&Script::steps));
  }
};

}  // namespace rc

TEST_CASE("a CPU does what the plain model does, whatever happens at whichever moment") {
  test::check_property(check_script, 5'000, 120);
}
