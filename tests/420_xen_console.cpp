// Xen's console as a serial server: experiments 7 and 8 of the specification of the mechanisms.
#include "catch.hpp"
#include "property.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const char* const kPreset = "pi4-xen-console";
constexpr double kCharacter = 10e6 / 115200;  // us

// The preset without the other writer: what is left is the program's own line.
Settings alone(const std::string& task, Settings more = {}) {
  more.push_back(R"(/domains/0/tasks=[{"name":"gpio","model":"interrupt","interrupt":"edge",)" + task + "}]");
  return undisturbed(more);
}

double least_us(const Settings& settings) { return to_us(simulate(kPreset, settings).min()); }

std::string line(int chars) { return R"("record":"console","record_chars":)" + std::to_string(chars); }

// A writer on a CPU of its own.
std::string writer(int cpu, int chars, int period_us) {
  return R"(,{"name":"writer )" + std::to_string(cpu) + R"(","model":"sporadic","period_us":)" +
         std::to_string(period_us) + R"(,"work_us":0,"print_chars":)" + std::to_string(chars) + R"(,"cpus":[)" +
         std::to_string(cpu) + "]}";
}

Settings beside(int vcpus, const std::string& writers, Settings more = {}) {
  more.push_back("/domains/0/vcpus=" + std::to_string(vcpus));
  more.push_back(
      R"(/domains/0/tasks=[{"name":"gpio","model":"interrupt","interrupt":"edge","interface":"kernel","cpus":[0]})" +
      writers + "]");
  more.push_back(R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":20,"count":1000})");
  return undisturbed(more);
}

}  // namespace

TEST_CASE("Experiment 7: a character more is one character time more, by the baud rate") {
  const double least = least_us(alone(line(19)));
  CHECK(least_us(alone(line(20))) - least == Approx(kCharacter).margin(0.02));
  CHECK(least_us(alone(line(30))) - least == Approx(11 * kCharacter).margin(0.2));
  const std::string fast = "/hypervisor/console/baud=230400";
  CHECK(least_us(alone(line(30), {fast})) - least_us(alone(line(20), {fast})) == Approx(5 * kCharacter).margin(0.2));
}

TEST_CASE("Experiment 7: a line waits for what does not fit into the port, its carriage return included") {
  const double file = least_us(alone(R"("record":"file")"));
  const double code = least_us(alone(line(8))) - file;  // nine characters fit: only the driver's code is left
  CHECK(code > 0.0);
  CHECK(code < 50.0);
  CHECK(least_us(alone(line(19))) - file == Approx(11 * kCharacter + code).margin(5.0));
  const std::string empty = R"(/hypervisor/console/gating="empty")";
  CHECK(least_us(alone(line(12), {empty})) - file == Approx(11 * kCharacter + code).margin(5.0));
}

TEST_CASE("Experiment 7: a console that is not synchronous costs tens of microseconds, however long the line") {
  const double file = least_us(alone(R"("record":"file")"));
  const std::string off = "/hypervisor/console/sync=false";
  CHECK(least_us(alone(line(19), {off})) - file < 50.0);
  // Each character costs its code: 88 cycles and two register accesses of 0.15 us.
  CHECK(least_us(alone(line(69), {off})) - least_us(alone(line(19), {off})) ==
        Approx(50 * (88.0 / 600.0 + 0.3)).margin(0.1));
}

TEST_CASE("A ring that is full drops characters and blocks nobody") {
  // 4096 characters each millisecond, of which the wire takes eleven.
  const Recorded recorded =
      simulate(kPreset, beside(2, writer(1, 4096, 1000), {"/hypervisor/console/sync=false", "/run/measure_ms=2000"}));
  CHECK(recorded.waited(Wait::lock) == Duration::zero());
  CHECK(recorded.max() < 1ms);
}

TEST_CASE("Without a hypervisor a console is memory: a line costs what a file does") {
  const auto native = [](const char* record) {
    return simulate("pi4-native", undisturbed({std::string("/domains/0/tasks/0/record=") + record})).mean_us();
  };
  CHECK(native("console") == native("file"));
  CHECK(native("none") < native("file"));
}

TEST_CASE("Experiment 8: while a vCPU prints its other interrupts wait, for up to the length of the print") {
  // 64 characters and a carriage return: 56 times a character's; 65 if the port is still busy with the line before.
  const Recorded recorded = simulate(kPreset, beside(1, writer(0, 64, 40'000)));
  CHECK(to_us(recorded.max()) > 50 * kCharacter);
  CHECK(to_us(recorded.max()) < 65 * kCharacter + 100.0);
  // The writer prints for an eighth of the time; who comes then waits for half of a print on average.
  const double waits = to_us(recorded.waited(Wait::masked)) / static_cast<double>(recorded.flights.size());
  CHECK(waits == Approx(56 * kCharacter / 40'000.0 * 56 * kCharacter / 2).epsilon(0.25));
  CHECK(recorded.waited(Wait::lock) == Duration::zero());
}

TEST_CASE("A line of several chunks lets the pCPU's other business in between, but not its own interrupts") {
  // 300 characters: three chunks, of which each stops other domains' interrupts and the whole stops the writer's.
  const Recorded recorded = simulate(kPreset, beside(1, writer(0, 300, 400'000)));
  CHECK(to_us(recorded.max()) > 270 * kCharacter);
  CHECK(to_us(recorded.max()) < 301 * kCharacter);
}

TEST_CASE("Experiment 8: a second printer waits for the lock, in order of arrival") {
  // The measured task and two others, each on a pCPU of its own: it never waits for more than both.
  Settings settings = beside(3, writer(1, 64, 6000) + writer(2, 64, 6000));
  settings.push_back(R"(/domains/0/tasks/0={"name":"gpio","model":"interrupt","interrupt":"edge","cpus":[0],)" +
                     line(19) + "}");
  const Recorded recorded = simulate(kPreset, settings);
  Duration longest{};
  for (const auto& flight : recorded.flights) {
    Duration waited{};
    for (const StageTime& stage : flight.stages) {
      waited += stage.waits[static_cast<std::size_t>(Wait::lock)];
    }
    longest = std::max(longest, waited);
  }
  CHECK(to_us(longest) > 65 * kCharacter);
  CHECK(to_us(longest) < 2 * 65 * kCharacter + 50.0);
}

TEST_CASE("Only dom0's console is Xen's: another domain prints into memory") {
  const Settings settings = beside(2, "", {"/domains/1/tasks=[" + writer(0, 64, 6000).substr(1) + "]"});
  CHECK(simulate(kPreset, settings).max() < 500us);
}

TEST_CASE("Whoever prints how much, stages and waits tile every latency") {
  check_property(
      [] {
        std::string tasks =
            R"([{"name":"gpio","model":"interrupt","interrupt":"edge",)" + line(*rc::gen::inRange(1, 300)) + "}";
        const int writers = *rc::gen::inRange(0, 4);
        for (int i = 0; i < writers; ++i) {
          tasks += R"(,{"name":"w)" + std::to_string(i) + R"(","model":"periodic","period_us":)" +
                   std::to_string(*rc::gen::inRange(500, 50000)) + R"(,"work_us":)" +
                   std::to_string(*rc::gen::inRange(0, 400)) + R"(,"print_chars":)" +
                   std::to_string(*rc::gen::inRange(0, 400)) + "}";
        }
        const Recorded recorded = simulate(
            kPreset, {"/domains/0/tasks=" + tasks + "]", "/domains/0/vcpus=" + std::to_string(*rc::gen::inRange(1, 4)),
                      "/domains/1/tasks=[{\"name\":\"hog\",\"model\":\"hog\"}]",
                      *rc::gen::element(std::string("/domains/0/affinity=[0]"), std::string("/domains/0/weight=256")),
                      *rc::gen::element(std::string("/domains/1/affinity=[0]"), std::string("/domains/1/weight=256")),
                      *rc::gen::element(std::string("/hypervisor/vwfi=trap"), std::string("/hypervisor/vwfi=native")),
                      "/hypervisor/console/sync=" + *rc::gen::element(std::string("true"), std::string("false")),
                      R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":15,"count":0})",
                      "/run/measure_ms=400", "/run/seed=" + std::to_string(*rc::gen::inRange(0, 100000))});
        for (const auto& flight : recorded.flights) {
          Duration sum{};
          for (const StageTime& stage : flight.stages) sum += stage.total();
          RC_ASSERT(sum == flight.latency);
        }
        RC_ASSERT(recorded.flights.size() + recorded.merged + recorded.lost <= recorded.stimuli);
      },
      100);
}
