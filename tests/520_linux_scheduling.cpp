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
  const auto load = busy(tasks(
      task("fair", R"("model":"hog","cpus":[2])") +
      task("rr", R"("model":"hog","policy":"rr","priority":10,"cpus":[2])") +
      task("urgent", R"("model":"periodic","period_us":10000,"work_us":2500,"policy":"rr","priority":20,"cpus":[2])")));
  CHECK(seconds(load, "linux fair") < 0.001);
  CHECK(seconds(load, "linux urgent") == Approx(1.0).epsilon(0.01));
  CHECK(seconds(load, "linux rr") > 2.9);
}

TEST_CASE("Equals under rr take turns of 100 ms, under fifo the first one keeps the CPU") {
  const auto both = [](const std::string& policy) {
    const std::string rest =
        R"("model":"recorded","run_us":[500000],"sleep_us":[1],"policy":")" + policy + R"(","cpus":[2])";
    return busy(tasks(task("a", rest) + task("b", rest)));
  };
  const auto turns = both("rr");
  CHECK(seconds(turns, "linux a") == Approx(2.0).epsilon(0.06));
  CHECK(seconds(turns, "linux b") == Approx(2.0).epsilon(0.06));
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
