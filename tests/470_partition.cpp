// Static partitioning: what its hypervisor costs, what goes past it, and what reaches a cell from others all the same.
#include "catch.hpp"
#include "staged_run.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const char* const kPreset = "zcu104-partition";

// Line to handler, without the frame's way on the bus.
const std::string kEdges =
    R"(/interrupts/0={"name":"brake","source":"can0","target":"control","measure":{"to":"kernel"},)"
    R"("stimulus":{"model":"periodic","period_ms":10,"count":300}})";

Settings alone(Settings more = {}) {
  Settings settings = {kEdges, "/domains/0/tasks=[]", "/costs/core.jitter_sigma/value=0",
                       "/costs/core.miss_cv/value=0"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

Settings with_hogs(Settings more = {}) {
  Settings settings = {kEdges, "/costs/core.jitter_sigma/value=0", "/costs/core.miss_cv/value=0"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

// The same kernel with the board to itself.
Settings native() {
  return alone({R"(/hypervisor={"model":"native"})",
                R"(/domains=[{"name":"rtos","os":{"model":"rtos"},"tasks":[{"name":"brake","model":"interrupt",)"
                R"("interrupt":"brake","interface":"task","priority":90}]}])",
                "/interrupts/0/target=rtos"});
}

std::vector<Problem> problems_of(const Settings& settings) {
  try {
    load_scenario(kPreset, settings);
  } catch (const InvalidInput& error) {
    return error.problems().kept();
  }
  return {};
}

bool says(const std::vector<Problem>& problems, std::string_view pointer, std::string_view word) {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    return problem.pointer == pointer && (problem.expected + problem.found).find(word) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("An interrupt costs a trap that passes it on, and nothing else that native does not") {
  const LoadedScenario loaded = load_scenario(kPreset, alone());
  QuantileTables tables;
  Replication run(loaded.scenario, tables, 1, 0);
  const InterruptPath& path = run.path(0);
  std::vector<std::string> names;
  for (const Stage& stage : path.stages()) names.push_back(stage.name);
  CHECK(std::count(names.begin(), names.end(), "hv_irq") == 1);
  // Warm: 282 cycles at 1200 MHz, and three registers of 150 ns.
  const char* const warm = "/costs/core.evictions/value=0";
  const StagedRun passed_on = simulate_stages(kPreset, alone({warm}));
  CHECK(passed_on.stage(passed_on.flights_of(0).size() - 1, "hv_irq").service == 685ns);
  Settings bare = native();
  bare.emplace_back(warm);
  const Recorded without = simulate(kPreset, bare);
  CHECK(passed_on.recorded.flights.back().latency == without.flights.back().latency + 685ns);
}

TEST_CASE("What comes while an interrupt is passed on waits for that, be it the more urgent one") {
  // can0 has the smaller number, and comes 0.5 us after can1.
  const StagedRun run = simulate_stages(
      kPreset,
      alone({R"(/interrupts/-={"name":"first","source":"can1","target":"control","measure":{"to":"kernel"},)"
             R"("stimulus":{"model":"periodic","period_ms":10,"count":300}})",
             R"(/interrupts/0/stimulus={"model":"follows","interrupt":"first","delay_us":0.5})",
             R"(/domains/1/tasks/-={"name":"first","model":"interrupt","interrupt":"first","interface":"task"})"}));
  const auto second = run.flights_of(0);
  const auto first = run.flights_of(1);
  REQUIRE(first.size() == 300);
  REQUIRE(second.size() == 300);
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(run.stage(first[i], "hv_irq").waits == std::array<Duration, kWaits>{});
    CHECK(first[i].began + first[i].latency < second[i].began + second[i].latency);
    Duration waited{};
    for (const StageTime& stage : second[i].stages) waited += stage.waits[static_cast<std::size_t>(Wait::hypervisor)];
    CHECK(waited > Duration::zero());
  }
}

TEST_CASE("Direct injection takes the trap away") {
  const double direct = simulate(kPreset, alone({"/hypervisor/direct_injection=true"})).mean_us();
  CHECK(direct == Approx(simulate(kPreset, native()).mean_us()).epsilon(0.01));
  CHECK(direct < simulate(kPreset, alone()).mean_us() - 0.5);
}

TEST_CASE("Cores of another cell slow an interrupt down through cache and memory, and colours help") {
  const Recorded quiet = simulate(kPreset, alone());
  const Recorded hogs = simulate(kPreset, with_hogs());
  const Recorded colored = simulate(
      kPreset, with_hogs({"/domains/0/l2_colors=[0,1,2,3,4,5,6,7]", "/domains/1/l2_colors=[8,9,10,11,12,13,14,15]"}));
  CHECK(hogs.mean_us() > 1.3 * quiet.mean_us());
  CHECK(colored.mean_us() < hogs.mean_us());
  CHECK(colored.mean_us() > quiet.mean_us());  // memory is as slow as before, and the hypervisor has all colours
}

TEST_CASE("A hog that stays within its caches slows nobody down; its ticks even keep the hypervisor's code warm") {
  const Recorded quiet = simulate(kPreset, alone());
  const Recorded computing =
      simulate(kPreset, with_hogs({"/domains/0/tasks/0/memory_mbps=0", "/domains/0/tasks/1/memory_mbps=0"}));
  CHECK(computing.mean_us() < quiet.mean_us());
}

TEST_CASE("The interference follows what runs now: a stream of half the time does about half of it") {
  const std::string half = R"(/domains/0/tasks=[{"name":"s","model":"periodic","period_us":1000,"work_us":500,)"
                           R"("memory_mbps":3000,"cpus":[0]}])";
  const std::string whole = R"(/domains/0/tasks=[{"name":"s","model":"hog","memory_mbps":3000,"cpus":[0]}])";
  // At random moments, each long after the last one, and with nothing left in the cache by then in any case: so what a
  // stream does is to make memory slower while it lasts, which is half of the time or all of it.
  const std::string random = R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":10,"count":1000})";
  const char* const cold = "/costs/core.evictions/value=1e9";
  const double quiet = simulate(kPreset, alone({random, cold})).mean_us();
  const double often = simulate(kPreset, with_hogs({random, cold, half})).mean_us();
  const double always = simulate(kPreset, with_hogs({random, cold, whole})).mean_us();
  CHECK((often - quiet) / (always - quiet) == Approx(0.5).margin(0.06));  // 1000 edges: 0.016
  // With the background of an idle system the cache is emptied by the stream as well, of which half is as good as all.
  const double warm = simulate(kPreset, alone({random})).mean_us();
  const double share = (simulate(kPreset, with_hogs({random, half})).mean_us() - warm) /
                       (simulate(kPreset, with_hogs({random, whole})).mean_us() - warm);
  CHECK(share == Approx(0.5).margin(0.15));
}

TEST_CASE("A cell's CPUs interrupt each other through the hypervisor") {
  // The handler on the cell's CPU 1, its task on CPU 2.
  for (const char* direct : {"false", "true"}) {
    const Recorded recorded =
        simulate(kPreset, {R"(/domains/0/tasks=[{"name":"t","model":"interrupt","interrupt":"brake","cpus":[2]}])",
                           R"(/domains/1/tasks=[])",
                           R"(/interrupts/0={"name":"brake","source":"can0","target":"linux","cpu":1,)"
                           R"("stimulus":{"model":"poisson","mean_interval_ms":0.3,"count":3000}})",
                           std::string("/hypervisor/direct_injection=") + direct});
    CHECK(recorded.flights.size() + recorded.merged + recorded.lost == recorded.stimuli);
    CHECK(recorded.flights.size() > 2000);
    for (const auto& flight : recorded.flights) {
      Duration sum{};
      for (const StageTime& stage : flight.stages) sum += stage.total();
      CHECK(sum == flight.latency);
    }
  }
}

TEST_CASE("Busy cells with timers, frames and ticks lose nothing and book everything") {
  for (std::uint32_t replication = 0; replication < 6; ++replication) {
    const Recorded recorded = simulate(
        kPreset,
        {R"(/domains/0/tasks=[{"name":"hog","model":"hog","memory_mbps":900},)"
         R"({"name":"p","model":"periodic","period_us":700,"work_us":300},)"
         R"({"name":"w","model":"interrupt","interrupt":"wake"},{"name":"g","model":"interrupt","interrupt":"pin"}])",
         R"(/interrupts=[{"name":"brake","source":"can0","target":"control","measure":{"from":"producer","to":"user"},)"
         R"("frame":{"bus":"chassis","id":256,"bytes":8,"rx_fifo":4},)"
         R"("stimulus":{"model":"burst","period_ms":10,"edges":6,"spacing_us":20,"count":600}},)"
         R"({"name":"wake","source":"timer","target":"linux","measure":{"to":"user","clock":"target"},)"
         R"("stimulus":{"model":"periodic","period_ms":1,"count":1000}},)"
         R"({"name":"pin","source":"gpio3","target":"linux","cpu":2,)"
         R"("stimulus":{"model":"poisson","mean_interval_ms":1,"count":1000}}])"},
        replication);
    CHECK(recorded.flights.size() + recorded.merged + recorded.lost == recorded.stimuli);
    for (const auto& flight : recorded.flights) {
      Duration sum{};
      for (const StageTime& stage : flight.stages) sum += stage.total();
      CHECK(sum == flight.latency);
    }
  }
}

TEST_CASE("What does not belong to static partitioning is refused, all at once") {
  const auto problems = problems_of(
      {"/domains/1/affinity=[2,3]", "/domains/1/weight=256", "/domains/1/vcpus=1", "/domains/1/l2_colors=[16]"});
  CHECK(says(problems, "/domains/1/affinity", "no other domain"));
  CHECK(says(problems, "/domains/1/weight", "no such key"));
  CHECK(says(problems, "/domains/1/vcpus", "2"));
  CHECK(says(problems, "/domains/1/l2_colors", "0 to 15"));
  CHECK(says(problems_of({"/domains/1/affinity=[]"}), "/domains/1/affinity", "nothing"));
}

TEST_CASE("Frames that their bus does not have are refused") {
  CHECK(says(problems_of({"/interrupts/0/frame/bytes=9"}), "/interrupts/0/frame/bytes", "0 to 8"));
  CHECK(says(problems_of({"/interrupts/0/frame/bus=chasis"}), "/interrupts/0/frame/bus", "chasis"));
  CHECK(says(problems_of({"/interrupts/0/frame/slot=3"}), "/interrupts/0/frame/slot", "flexray"));
  CHECK(says(problems_of({"/interrupts/0/frame/id=4096"}), "/interrupts/0/frame/id", "2047"));
  CHECK(says(problems_of({"/buses/0/traffic/0/pcp=3"}), "/buses/0/traffic/0/pcp", "ethernet"));
  CHECK(says(problems_of({kEdges, "/interrupts/0/measure/from=producer"}), "/interrupts/0/measure/from", "frame"));
}

TEST_CASE("Two frames of one bus with the same identifier, or in the same slot, are refused") {
  const auto brake = [](const char* frame) {
    return std::string(R"(/interrupts/0={"name":"brake","source":"can0","target":"control","frame":)") + frame +
           R"(,"stimulus":{"model":"periodic","period_ms":10,"count":10}})";
  };
  const std::string other =
      R"(/interrupts/-={"name":"other","source":"can1","target":"linux","frame":{"bus":"chassis","id":256,"bytes":8},)"
      R"("stimulus":{"model":"periodic","period_ms":10,"count":10}})";
  const std::string task = R"(/domains/0/tasks/-={"name":"other","model":"interrupt","interrupt":"other"})";
  const std::string id = R"({"bus":"chassis","id":256,"bytes":8})";
  CHECK(says(problems_of({brake(id.c_str()), task, other}), "/interrupts/1/frame/id", "256"));
  // A long identifier is another one, and so is the same one of another bus.
  CHECK(problems_of({brake(id.c_str()), task, other, "/interrupts/1/frame/extended=true"}).empty());
  CHECK(problems_of({brake(id.c_str()), task, other, R"(/buses/-={"name":"body","model":"can"})",
                     "/interrupts/1/frame/bus=body"})
            .empty());
  CHECK(says(problems_of({brake(id.c_str()), "/buses/0/traffic/0/id=256"}), "/interrupts/0/frame/id", "256"));
  CHECK(says(problems_of({"/buses/0/traffic/0/id=77", "/buses/0/traffic/1/id=77"}), "/buses/0/traffic/1/id", "77"));

  const std::string flexray =
      R"(/buses=[{"name":"chassis","model":"flexray","bitrate_hz":10000000,"slots":60,"slot_us":50}])";
  const std::string slot = R"({"bus":"chassis","slot":4,"bytes":8})";
  CHECK(problems_of(
            {flexray, brake(slot.c_str()), task, other, "/interrupts/1/frame=" + slot, "/interrupts/1/frame/slot=5"})
            .empty());
  CHECK(says(problems_of({flexray, brake(slot.c_str()), task, other, "/interrupts/1/frame=" + slot}),
             "/interrupts/1/frame/slot", "4"));
}
