// Cpu: who is served when, to the picosecond, and what the others wait for.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "engine/cpu.hpp"

using namespace vecusim;

namespace {

constexpr Time at(Duration d) { return kStart + d; }

/// "name@time" of every work done, in order; the time in ns.
using Log = std::vector<std::string>;

/// A work that logs its end, then does what `then` says. Its account is open from the start of time.
struct Job {
  Job(EventQueue& q, Log& l, std::string n, Duration demand, std::uint8_t level = 1)
      : queue(q), log(l), name(std::move(n)) {
    work.demand = demand;
    work.level = level;
    work.done = Delegate<void()>::to<&Job::finish>(*this);
    work.account = &account;
    account.open(kStart, stage);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  void finish() {
    log.push_back(name + "@" + std::to_string((queue.now() - kStart) / 1ns));
    if (then) then();
  }
  Duration ask() {
    ++asked;
    return demand_when_begun;
  }
  Duration waited(Wait kind) const { return stage.waits[static_cast<std::size_t>(kind)]; }

  EventQueue& queue;
  Log& log;
  std::string name;
  Work work{};
  StageTime stage{};
  Account account{};
  std::function<void()> then;
  int asked = 0;
  Duration demand_when_begun{};
};

struct Rig {
  EventQueue queue;
  Trace trace;
  Cpu cpu{queue, trace, CpuId{3}};
  Log log;
  Job a{queue, log, "a", 10us};
  Job b{queue, log, "b", 5us};
  Job c{queue, log, "c", 2us};
  Job urgent{queue, log, "urgent", 1us, 0};

  void submit_at(Duration when, Job& job) {
    queue.run_until(at(when));
    cpu.submit(job.work);
  }
};

}  // namespace

SCENARIO_METHOD(Rig, "a work takes exactly its demand") {
  GIVEN("an idle CPU") {
    CHECK(cpu.idle());
    CHECK(cpu.served() == nullptr);
    WHEN("a work of 10 us is submitted at 3 us") {
      submit_at(3us, a);
      THEN("it is served at once and not done one picosecond early") {
        CHECK(cpu.served() == &a.work);
        CHECK_FALSE(cpu.idle());
        queue.run_until(at(13us) - Duration{1});
        CHECK(log.empty());
        CHECK(a.work.submitted);
        queue.run_until(at(13us));
        CHECK(log == Log{"a@13000"});
        CHECK(cpu.idle());
        CHECK_FALSE(a.work.submitted);
        CHECK(a.work.demand == Duration::zero());
      }
    }
    WHEN("a work without any demand is submitted") {
      a.work.demand = Duration::zero();
      submit_at(3us, a);
      THEN("it is done at the same moment, but not within submit()") {
        CHECK(log.empty());
        queue.run_until(at(3us));
        CHECK(log == Log{"a@3000"});
      }
    }
  }
}

SCENARIO_METHOD(Rig, "equals are served in order of submission, the more urgent first") {
  GIVEN("a work being served") {
    submit_at(0us, a);
    WHEN("two of the same level come") {
      submit_at(1us, c);
      submit_at(2us, b);
      queue.run_until(at(1ms));
      THEN("they follow in their order") { CHECK(log == Log{"a@10000", "c@12000", "b@17000"}); }
    }
    WHEN("a more urgent one comes behind an equal") {
      submit_at(1us, b);
      submit_at(4us, urgent);
      THEN("it is served at once, and the preempted one goes on before its equals with what is left") {
        CHECK(cpu.served() == &urgent.work);
        CHECK(a.work.demand == 6us);
        queue.run_until(at(1ms));
        CHECK(log == Log{"urgent@5000", "a@11000", "b@16000"});
      }
    }
    WHEN("a less urgent one comes first and an equal second") {
      c.work.level = 2;
      submit_at(1us, c);
      submit_at(2us, b);
      queue.run_until(at(1ms));
      THEN("the equal goes first") { CHECK(log == Log{"a@10000", "b@15000", "c@17000"}); }
    }
  }
}

SCENARIO_METHOD(Rig, "a sequence of works runs to completion by go_on()") {
  GIVEN("a work that goes on with another, and an equal that waits") {
    a.then = [&] { cpu.go_on(c.work); };
    submit_at(0us, a);
    submit_at(1us, b);
    WHEN("nothing else comes") {
      queue.run_until(at(1ms));
      THEN("the next step comes before the equal") { CHECK(log == Log{"a@10000", "c@12000", "b@17000"}); }
    }
    WHEN("a more urgent work comes within the sequence") {
      submit_at(11us, urgent);
      queue.run_until(at(1ms));
      THEN("it goes first, and the sequence goes on") {
        CHECK(log == Log{"a@10000", "urgent@12000", "c@13000", "b@18000"});
      }
    }
    WHEN("the end of the work also submits a more urgent one") {
      a.then = [&] {
        cpu.go_on(c.work);
        cpu.submit(urgent.work);
      };
      queue.run_until(at(1ms));
      THEN("who is next is decided when all is said") {
        CHECK(log == Log{"a@10000", "urgent@11000", "c@13000", "b@18000"});
      }
    }
  }
  GIVEN("a work that submits itself again three times") {
    int left = 3;
    c.then = [&] {
      if (--left < 0) return;
      c.work.demand = 2us;
      cpu.submit(c.work);
    };
    submit_at(0us, c);
    submit_at(0us, b);
    queue.run_until(at(1ms));
    THEN("it queues up behind its equals each time") {
      CHECK(log == Log{"c@2000", "b@7000", "c@9000", "c@11000", "c@13000"});
    }
  }
  GIVEN("the end of a work") {
    const Work* served = &a.work;
    bool idle = false;
    a.then = [&] {
      cpu.submit(c.work);
      served = cpu.served();
      idle = cpu.idle();
    };
    submit_at(0us, a);
    queue.run_until(at(10us));
    THEN("nobody is served while it is being told, and a CPU with works is not idle") {
      CHECK(served == nullptr);
      CHECK_FALSE(idle);
      CHECK(cpu.served() == &c.work);
    }
  }
}

SCENARIO_METHOD(Rig, "a halted CPU makes no progress") {
  GIVEN("a work of 10 us that has been served for 4 us") {
    submit_at(0us, a);
    queue.run_until(at(4us));
    WHEN("the CPU is halted for 100 us") {
      cpu.halt(Wait::runqueue, Party{2});
      CHECK(cpu.halted());
      CHECK(cpu.served() == nullptr);
      CHECK_FALSE(cpu.idle());
      submit_at(50us, urgent);
      queue.run_until(at(104us));
      CHECK(log.empty());
      cpu.resume();
      queue.run_until(at(1ms));
      THEN("the rest is served afterwards, the most urgent first") {
        CHECK(log == Log{"urgent@105000", "a@111000"});
        a.account.close(queue.now());
        CHECK(a.waited(Wait::runqueue) == 100us);
        CHECK(a.stage.longest_wait == 100us);
        CHECK(a.stage.longest_wait_for == Party{2});
      }
    }
    WHEN("the reason of the halt changes") {
      cpu.halt(Wait::budget, Party{1});
      queue.run_until(at(14us));
      cpu.halt(Wait::runqueue, Party{2});
      queue.run_until(at(44us));
      cpu.resume();
      queue.run_until(at(50us));
      a.account.close(queue.now());
      THEN("each reason gets its time") {
        CHECK(log == Log{"a@50000"});
        CHECK(a.stage.service == 10us);
        CHECK(a.waited(Wait::budget) == 10us);
        CHECK(a.waited(Wait::runqueue) == 30us);
        CHECK(a.stage.longest_wait_for == Party{2});
      }
    }
    WHEN("it is halted and resumed at the same moment") {
      cpu.halt(Wait::runqueue, Party::nobody);
      cpu.resume();
      queue.run_until(at(1ms));
      THEN("nothing has changed") { CHECK(log == Log{"a@10000"}); }
    }
  }
  GIVEN("a work whose end halts the CPU while another waits") {
    a.then = [&] { cpu.halt(Wait::slot, Party::nobody); };
    submit_at(0us, a);
    submit_at(0us, b);
    queue.run_until(at(30us));
    CHECK(log == Log{"a@10000"});
    WHEN("it is resumed") {
      cpu.resume();
      queue.run_until(at(35us));
      b.account.close(queue.now());
      THEN("the other one is served from then on") {
        CHECK(log == Log{"a@10000", "b@35000"});
        CHECK(b.waited(Wait::queue) == 10us);
        CHECK(b.waited(Wait::slot) == 20us);
      }
    }
  }
}

SCENARIO_METHOD(Rig, "at the moment a work ends, who armed first decides whether a halt comes before") {
  Job halter(queue, log, "halt", 10us);
  Cpu other(queue, trace, CpuId{4});
  halter.then = [&] { cpu.halt(Wait::runqueue, Party::nobody); };
  GIVEN("a halt that was due first") {
    other.submit(halter.work);
    cpu.submit(a.work);
    queue.run_until(at(20us));
    THEN("the work has no demand left, but is done only after the halt") {
      CHECK(log == Log{"halt@10000"});
      CHECK(a.work.demand == Duration::zero());
      cpu.resume();
      queue.run_until(at(20us));
      CHECK(log == Log{"halt@10000", "a@20000"});
    }
  }
  GIVEN("a work that was due first") {
    cpu.submit(a.work);
    other.submit(halter.work);
    queue.run_until(at(20us));
    THEN("it is done") { CHECK(log == Log{"a@10000", "halt@10000"}); }
  }
}

SCENARIO_METHOD(Rig, "a work can be withdrawn at any moment") {
  GIVEN("a work being served and one that waits") {
    submit_at(0us, a);
    submit_at(0us, b);
    queue.run_until(at(4us));
    WHEN("the served one is withdrawn") {
      cpu.withdraw(a.work);
      THEN("the other one is served at once") {
        CHECK(cpu.served() == &b.work);
        CHECK_FALSE(a.work.submitted);
        CHECK(a.work.demand == 6us);
        queue.run_until(at(1ms));
        CHECK(log == Log{"b@9000"});
      }
      AND_WHEN("it is submitted again") {
        submit_at(7us, a);
        queue.run_until(at(1ms));
        THEN("only the rest is served") { CHECK(log == Log{"b@9000", "a@15000"}); }
      }
    }
    WHEN("the waiting one is withdrawn") {
      cpu.withdraw(b.work);
      cpu.withdraw(b.work);
      queue.run_until(at(1ms));
      THEN("the served one does not notice") {
        CHECK(log == Log{"a@10000"});
        CHECK(b.work.demand == 5us);
        CHECK(cpu.idle());
      }
    }
    WHEN("the end of the served one withdraws the other") {
      a.then = [&] { cpu.withdraw(b.work); };
      queue.run_until(at(1ms));
      THEN("the CPU is idle afterwards") {
        CHECK(log == Log{"a@10000"});
        CHECK(cpu.idle());
      }
    }
    WHEN("the end of the served one withdraws itself, and withdraws what it has just submitted") {
      a.then = [&] {
        cpu.withdraw(a.work);
        cpu.submit(c.work);
        cpu.withdraw(c.work);
      };
      queue.run_until(at(1ms));
      THEN("only the other one is left") { CHECK(log == Log{"a@10000", "b@15000"}); }
    }
    WHEN("the CPU is halted and the works are withdrawn") {
      cpu.halt(Wait::runqueue, Party::nobody);
      cpu.withdraw(a.work);
      cpu.withdraw(b.work);
      cpu.resume();
      THEN("nothing is left to serve") {
        CHECK(cpu.idle());
        CHECK(queue.next() == kNever);
      }
    }
  }
}

SCENARIO_METHOD(Rig, "a work whose cost depends on the CPU's state is asked when it begins") {
  a.work.begin = Delegate<Duration()>::to<&Job::ask>(a);
  a.demand_when_begun = 3us;
  GIVEN("a busy CPU") {
    submit_at(0us, b);
    submit_at(1us, a);
    CHECK(a.asked == 0);
    WHEN("the work gets its turn") {
      queue.run_until(at(5us));
      THEN("it is asked then, and takes what it said") {
        CHECK(a.asked == 1);
        queue.run_until(at(1ms));
        CHECK(log == Log{"b@5000", "a@8000"});
      }
    }
    WHEN("it is preempted, halted, withdrawn and submitted again") {
      submit_at(6us, urgent);
      queue.run_until(at(8us));
      cpu.halt(Wait::cap, Party::nobody);
      cpu.resume();
      cpu.withdraw(a.work);
      submit_at(20us, a);
      queue.run_until(at(1ms));
      THEN("it is not asked again: the rest is known") {
        CHECK(a.asked == 1);
        CHECK(log == Log{"b@5000", "urgent@7000", "a@21000"});
      }
    }
    WHEN("it is done and submitted once more") {
      queue.run_until(at(10us));
      submit_at(20us, a);
      queue.run_until(at(1ms));
      THEN("it is asked anew") {
        CHECK(a.asked == 2);
        CHECK(log == Log{"b@5000", "a@8000", "a@23000"});
      }
    }
    WHEN("it is withdrawn before its turn") {
      cpu.withdraw(a.work);
      queue.run_until(at(1ms));
      THEN("it is never asked") { CHECK(a.asked == 0); }
    }
  }
}

SCENARIO_METHOD(Rig, "who waits learns for what and for whom") {
  GIVEN("works that inflict waits of different kinds") {
    a.work.inflicts = Wait::thread;
    a.work.party = Party{1};
    urgent.work.inflicts = Wait::hypervisor;
    urgent.work.party = Party{2};
    submit_at(0us, a);
    submit_at(1us, b);  // behind a, for 9 us of which the urgent one takes 1 us more
    submit_at(4us, urgent);
    submit_at(7us, c);
    queue.run_until(at(18us));
    for (Job* job : {&a, &b, &c}) job->account.close(at(18us));
    THEN("every wait has its kind") {
      CHECK(log == Log{"urgent@5000", "a@11000", "b@16000", "c@18000"});
      CHECK(a.waited(Wait::hypervisor) == 1us);
      CHECK(a.stage.longest_wait_for == Party{2});
      CHECK(b.waited(Wait::thread) == 3us + 6us);
      CHECK(b.waited(Wait::hypervisor) == 1us);
      CHECK(c.waited(Wait::thread) == 4us);
      CHECK(c.waited(Wait::queue) == 5us);
    }
    THEN("the arrival of others does not cut a wait in two") {
      CHECK(b.stage.longest_wait == 6us);
      CHECK(b.stage.longest_wait_for == Party{1});
    }
    THEN("service and waits tile the time") {
      CHECK(a.stage.total() == 18us);
      CHECK(b.stage.total() == 18us);
      CHECK(c.stage.total() == 18us);
    }
  }
}

namespace {

struct Occupancy final : TraceSink {
  void on(const Occupied& event) override {
    CHECK(event.cpu == CpuId{3});
    seen.push_back(std::to_string((event.at - kStart) / 1ns) + " " +
                   std::string(kContextNames[static_cast<std::size_t>(event.context)]) + " " +
                   std::to_string(static_cast<int>(event.party)));
  }
  Log seen;
};

}  // namespace

SCENARIO_METHOD(Rig, "the trace tells what the CPU does, once per change") {
  Occupancy occupancy;
  trace.attach(occupancy);
  GIVEN("works of two contexts and parties") {
    for (Job* job : {&a, &b}) job->work.party = Party{1};
    urgent.work.context = Context::irq;
    urgent.work.party = Party{2};
    submit_at(1us, a);
    submit_at(2us, b);
    submit_at(4us, urgent);
    queue.run_until(at(12us));
    cpu.halt(Wait::runqueue, Party::nobody);
    cpu.halt(Wait::budget, Party::nobody);
    queue.run_until(at(20us));
    cpu.resume();
    queue.run_until(at(1ms));
    THEN("the change from one work to its like is none") {
      CHECK(log == Log{"urgent@5000", "a@12000", "b@25000"});
      CHECK(occupancy.seen ==
            Log{"1000 kernel 1", "4000 irq 2", "5000 kernel 1", "12000 idle 0", "20000 kernel 1", "25000 idle 0"});
    }
  }
}
