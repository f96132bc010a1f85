// Linux as a scheduler: shares, priorities, preemption, ticks; seen through the load and the latency of a task.
#include <map>

#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

std::string tasks(const std::string& more) {
  return R"(/domains/0/tasks=[{"name":"gpio","model":"interrupt","interrupt":"edge","cpus":[1]})" + more + "]";
}
std::string task(const std::string& name, const std::string& rest) {
  return ",{\"name\":\"" + name + "\"," + rest + "}";
}

// Time of each party on each CPU.
std::map<std::pair<std::string, std::size_t>, Duration> busy(const std::string& tasks_setting, Settings more = {}) {
  more.push_back(tasks_setting);
  more.push_back("/run/measure_ms=4000");
  const LoadedScenario loaded = load_scenario("pi4-native", undisturbed(more));
  QuantileTables tables;
  Replication run(loaded.scenario, tables, 1, 0);
  Recorded recorded;
  run.attach(recorded);
  run.run();
  std::map<std::pair<std::string, std::size_t>, Duration> result;
  std::map<std::size_t, Occupied> now;
  for (const Occupied& event : recorded.occupied) {
    const auto cpu = static_cast<std::size_t>(event.cpu);
    if (const auto before = now.find(cpu); before != now.end()) {
      result[{std::string(run.name_of(before->second.party)), cpu}] += event.at - before->second.at;
    }
    now.insert_or_assign(cpu, event);
  }
  for (const auto& [cpu, event] : now) result[{std::string(run.name_of(event.party)), cpu}] += run.end() - event.at;
  return result;
}

double seconds(const std::map<std::pair<std::string, std::size_t>, Duration>& load, const std::string& party) {
  Duration sum{};
  for (const auto& [key, time] : load) {
    if (key.first == party) sum += time;
  }
  return to_s(sum);
}

}  // namespace

TEST_CASE("Two hogs on one CPU of the fair class get half of it each") {
  const auto load = busy(tasks(task("a", R"("model":"hog","cpus":[2])") + task("b", R"("model":"hog","cpus":[2])")));
  CHECK(seconds(load, "linux a") == Approx(seconds(load, "linux b")).epsilon(0.02));
  CHECK(seconds(load, "linux a") + seconds(load, "linux b") > 3.9);
}

TEST_CASE("Four hogs spread over the four CPUs, wherever they may run") {
  std::string hogs;
  for (const char* name : {"a", "b", "c", "d"}) hogs += task(name, R"("model":"hog")");
  const auto load = busy(tasks(hogs));
  for (const char* name : {"linux a", "linux b", "linux c", "linux d"}) CHECK(seconds(load, name) > 3.8);
}

TEST_CASE("A real-time hog leaves nothing to a fair one, and yields to a more urgent one") {
  const auto load =
      busy(tasks(task("fair", R"("model":"hog","cpus":[2])") +
                 task("rr", R"("model":"hog","policy":"rr","priority":10,"cpus":[2])") +
                 task("urgent",
                      R"("model":"periodic","period_us":10000,"work_us":2500,"policy":"rr","priority":20,"cpus":[2])")),
           {"/domains/0/os/sched_rt_runtime_us=-1"});
  CHECK(seconds(load, "linux fair") < 0.001);
  CHECK(seconds(load, "linux urgent") == Approx(1.0).epsilon(0.01));
  CHECK(seconds(load, "linux rr") > 2.9);
}

TEST_CASE("Equals under rr take turns of 100 ms, under fifo the first one keeps the CPU") {
  const auto both = [](const std::string& policy) {
    const std::string hog = R"("model":"hog","priority":10,"policy":")" + policy + R"(","cpus":[2])";
    return busy(tasks(task("a", hog) + task("b", hog)), {"/domains/0/os/sched_rt_runtime_us=-1"});
  };
  const auto turns = both("rr");
  CHECK(seconds(turns, "linux a") == Approx(2.0).epsilon(0.06));
  CHECK(seconds(turns, "linux b") == Approx(2.0).epsilon(0.06));
  const auto first = both("fifo");
  CHECK(seconds(first, "linux a") == Approx(4.0).epsilon(0.01));
  CHECK(seconds(first, "linux b") == 0.0);
}

TEST_CASE("A task that slept preempts a hog of the fair class at once") {
  const Recorded recorded = simulate("pi4-native", undisturbed({tasks(task("hog", R"("model":"hog","cpus":[1])"))}));
  const Recorded alone = simulate("pi4-native", undisturbed({tasks("")}));
  // A hog keeps the core awake: no wake-up from WFI, and a switch instead.
  CHECK(recorded.mean_us() < alone.mean_us() + 30.0);
  CHECK(to_us(recorded.waited(Wait::thread)) / 100.0 < 5.0);
}

TEST_CASE("A fair task waits for a real-time one, and the wait says so") {
  const Recorded recorded = simulate(
      "pi4-native",
      undisturbed(
          {"/interrupts/0/stimulus/period_ms=1003.7",
           tasks(task("rt", R"("model":"periodic","period_us":10000,"work_us":8000,"policy":"fifo","cpus":[1])"))}));
  CHECK(recorded.max() > 5ms);
  const double per_sample = to_us(recorded.waited(Wait::thread)) / 100.0;
  CHECK(per_sample > 2000.0);
  CHECK(recorded.mean_us() > per_sample);
}

TEST_CASE("Ticks run on busy CPUs only") {
  Settings often = undisturbed({tasks(""), "/run/measure_ms=1000", "/interrupts/0/stimulus/period_ms=10000"});
  const std::size_t idle = simulate("pi4-native", often).interrupts;
  often[often.size() - 3] = tasks(task("hog", R"("model":"hog","cpus":[2])"));
  const std::size_t busy_cpu = simulate("pi4-native", often).interrupts;
  CHECK(idle <= 3);
  CHECK(busy_cpu >= 249);
  CHECK(busy_cpu <= 255);
}

TEST_CASE("Work of a periodic task is done, whatever disturbs it") {
  const auto load = busy(tasks(task("p", R"("model":"periodic","period_us":1000,"work_us":250)")));
  CHECK(seconds(load, "linux p") == Approx(1.0).epsilon(0.15));  // its own time and the kernel's on its behalf
  CHECK(seconds(load, "linux p") > 1.0 - 0.001);
}

TEST_CASE("RT throttling takes a real-time hog 50 ms of every second, whether or not there is somebody to have them") {
  const std::string rt = task("rt", R"("model":"hog","policy":"fifo","cpus":[2])");
  const std::string fair = task("fair", R"("model":"hog","cpus":[2])");
  const auto both = busy(tasks(rt + fair));
  CHECK(seconds(both, "linux rt") == Approx(4 * 0.95).epsilon(0.01));
  CHECK(seconds(both, "linux fair") == Approx(4 * 0.05).epsilon(0.02));
  CHECK(seconds(busy(tasks(rt)), "linux rt") == Approx(4 * 0.95).epsilon(0.01));
  const auto half = busy(tasks(rt + fair), {"/domains/0/os/sched_rt_runtime_us=500000"});
  CHECK(seconds(half, "linux fair") == Approx(2.0).epsilon(0.02));
  CHECK(seconds(busy(tasks(rt + fair), {"/domains/0/os/sched_rt_runtime_us=-1"}), "linux fair") == 0.0);
}

TEST_CASE("Who meets RT throttling waits up to 50 ms for the next second, and the wait says why") {
  const Settings busy_fifo = {
      R"(/domains/0/tasks=[{"name":"gpio","model":"interrupt","interrupt":"edge","policy":"fifo","priority":90,"cpus":[1]},)"
      R"({"name":"rt","model":"hog","policy":"fifo","priority":10,"cpus":[1]}])",
      "/interrupts/0/stimulus/period_ms=13.7", "/interrupts/0/stimulus/count=1000"};
  const Recorded throttled = simulate("pi4-native", undisturbed(busy_fifo));
  CHECK(throttled.max() > 40ms);
  CHECK(throttled.max() < 51ms);
  CHECK(throttled.waited(Wait::budget) > throttled.max());
  Settings unlimited = busy_fifo;
  unlimited.emplace_back("/domains/0/os/sched_rt_runtime_us=-1");
  CHECK(simulate("pi4-native", undisturbed(unlimited)).max() < 1ms);
}

TEST_CASE("On isolated CPUs runs who names them, and nobody is moved between them") {
  const Settings isolated = {"/domains/0/os/isolcpus=[2,3]"};
  const auto spread = busy(
      tasks(task("a", R"("model":"hog")") + task("b", R"("model":"hog")") + task("c", R"("model":"hog")")), isolated);
  const auto on = [&](const auto& load, std::size_t cpu) {
    Duration sum{};
    for (const char* name : {"linux a", "linux b", "linux c"}) {
      if (const auto found = load.find({name, cpu}); found != load.end()) sum += found->second;
    }
    return to_s(sum);
  };
  CHECK(on(spread, 0) + on(spread, 1) > 7.8);
  CHECK(on(spread, 2) + on(spread, 3) == 0.0);
  const auto stuck =
      busy(tasks(task("a", R"("model":"hog","cpus":[2,3])") + task("b", R"("model":"hog","cpus":[2,3])")), isolated);
  CHECK(on(stuck, 2) > 3.9);
  CHECK(on(stuck, 3) == 0.0);
}

TEST_CASE("A nohz_full CPU has ticks while more than one task is runnable there") {
  const auto interrupts = [](const std::string& hogs, const std::string& cpus) {
    return simulate("pi4-native", undisturbed({tasks(hogs), "/run/measure_ms=1000", "/domains/0/os/nohz_full=" + cpus,
                                               "/interrupts/0/stimulus/period_ms=10000"}))
        .interrupts;
  };
  const std::string one = task("a", R"("model":"hog","cpus":[2])");
  const std::string two = one + task("b", R"("model":"hog","cpus":[2])");
  CHECK(interrupts(one, "[3]") >= 249);
  CHECK(interrupts(one, "[2]") <= 3);
  CHECK(interrupts(two, "[2]") >= 245);
}

TEST_CASE("Softirqs take 2 ms at the end of an interrupt and the rest from ksoftirqd; under rt all of it") {
  const Settings long_softirq = {R"(/costs/linux.tick_softirq/law={"model":"constant","value_us":3000})",
                                 "/domains/0/os/tick_hz=100"};
  const std::string hog = tasks(task("hog", R"("model":"hog","cpus":[2])"));
  const auto full = busy(hog, long_softirq);  // 400 ticks
  CHECK(seconds(full, "linux timer softirq on CPU 2") == Approx(0.8).epsilon(0.01));
  CHECK(seconds(full, "linux ksoftirqd/2") == Approx(0.4).epsilon(0.02));
  Settings rt = long_softirq;
  rt.emplace_back("/domains/0/os/preempt=rt");
  const auto threaded = busy(hog, rt);
  CHECK(seconds(threaded, "linux timer softirq on CPU 2") == 0.0);
  CHECK(seconds(threaded, "linux ksoftirqd/2") == Approx(1.2).epsilon(0.02));
}

TEST_CASE("An interrupt without a CPU of its own goes to the first that irqaffinity names") {
  const auto handled_on = [](const Settings& more) {
    const Recorded recorded = simulate("pi4-native", undisturbed(more));
    const auto irq = std::find_if(recorded.occupied.begin(), recorded.occupied.end(),
                                  [](const Occupied& o) { return o.context == Context::irq; });
    return static_cast<int>(irq->cpu);
  };
  CHECK(handled_on({}) == 0);
  CHECK(handled_on({"/domains/0/os/irqaffinity=[3,2]"}) == 2);
  CHECK(handled_on({"/domains/0/os/irqaffinity=[3,2]", "/interrupts/0/cpu=1"}) == 1);
}
