// Event channels between domains: what a send costs in each of the four cases, what merges, and how the waits are
// booked.
#include "hypervisors/xen_events.hpp"
#include "xen_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const std::string kFront =
    R"({"name":"front","model":"periodic","period_us":10000,"work_us":100,"policy":"fifo","notify":"ring"})";
const std::string kBack = R"({"name":"back","model":"interrupt","interrupt":"ring","interface":"kernel"})";
const std::string kHog = R"({"name":"hog","model":"hog"})";
const std::string kRing = R"({"name":"ring","source":"event","target":"back","measure":{"to":"kernel"}})";

std::string domain(const std::string& name, const std::string& pcpu, const std::string& tasks) {
  return R"({"name":")" + name + R"(","affinity":)" + pcpu + R"(,"os":{"model":"linux","tick_hz":24},"tasks":[)" +
         tasks + "]}";
}

Scenario flat(const std::string& domains, const std::string& hypervisor = R"({"model":"xen"})",
              const std::string& interrupts = kRing) {
  Scenario scenario = load_scenario("pi4-xen-published", {"/hypervisor=" + hypervisor, "/domains=[" + domains + "]",
                                                          "/interrupts=[" + interrupts + "]", "/run/measure_ms=1000"})
                          .scenario;
  make_flat(scenario);
  return scenario;
}

// The flights that took the given service in a stage, of all.
double share_with(const XenRun& run, std::string_view stage, double us) {
  double hits = 0;
  for (const auto& flight : run.recorded.flights) hits += run.service_us(flight, stage) == Approx(us).margin(0.001);
  return hits / static_cast<double>(run.recorded.flights.size());
}

// The sender was woken by its timer, whose list register is still in use.
const std::vector<std::string> kSend = {"xen.exit_guest", "xen.exit_register", "xen.event_send", "xen.inject"};

std::vector<std::string> rule(const Settings& settings) {
  std::vector<std::string> result;
  try {
    load_scenario("pi4-xen-published", settings);
  } catch (const InvalidInput& invalid) {
    for (const Problem& problem : invalid.problems().kept()) {
      if (problem.severity == Severity::error) result.push_back(problem.pointer + ": " + problem.found);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("An event for a blocked vCPU of an idle pCPU: trap, wake, SGI, switch and entry, to the nanosecond") {
  const Scenario scenario = flat(domain("dom0", "[0]", kFront) + "," + domain("back", "[1]", kBack));
  const XenRun run = run_xen(scenario);
  REQUIRE(run.recorded.flights.size() >= 99);
  const double send = flat_us(scenario, kSend);
  const double wake = flat_us(scenario, {"xen.wake"});
  const double sgi = flat_us(
      scenario, {"xen.sgi_send", "gic.forward", "core.wfi_exit", "xen.exit_idle", "xen.irq_ack", "xen.irq_event_idle"});
  const double pass = flat_us(scenario, {"xen.schedule", "xen.pass", "xen.restore", "xen.switched"});
  const double enter = flat_us(scenario, {"xen.enter_register", "xen.enter_guest"});
  const double guest = flat_us(scenario, {"linux.irq_entry", "linux.irq_ack", "linux.irq_handler"});
  const double upcall = flat_us(scenario, {"linux.event_upcall"});
  for (const auto& flight : run.recorded.flights) {
    CHECK(run.service_us(flight, "xen_send") == Approx(send).margin(0.001));
    CHECK(run.service_us(flight, "xen_wake") == Approx(wake).margin(0.001));
    CHECK(run.service_us(flight, "xen_sgi") == Approx(sgi).margin(0.001));
    CHECK(run.service_us(flight, "xen_schedule") == Approx(pass).margin(0.001));
    CHECK(run.service_us(flight, "xen_enter") == Approx(enter).margin(0.001));
    CHECK(run.service_us(flight, "event_upcall") == Approx(upcall).margin(0.001));
  }
  // Guest code has a scale of its own, so that only an order of magnitude is said of it.
  CHECK(to_us(run.recorded.min()) > send + wake + sgi + pass + enter + 0.2 * guest);
  check_tiling(run.recorded);
}

TEST_CASE("The instructions of a send are those counted on Xen 4.17, within a seventh") {
  const Scenario scenario = flat(domain("dom0", "[0]", kFront) + "," + domain("back", "[1]", kBack));
  const auto instructions = [&](const std::vector<std::string>& pieces) {
    double cycles = 0;
    for (const std::string& piece : pieces) cycles += scenario.costs.at(piece + ".cycles").value.value();
    return cycles / 1.3;  // the table's cycles per instruction
  };
  // 2404 for a blocked target on the same pCPU, 2038 for one on another pCPU, to the sender's return.
  CHECK(instructions({"xen.exit_guest", "xen.exit_register", "xen.event_send", "xen.inject", "xen.wake_busy",
                      "xen.enter_guest"}) == Approx(2404).epsilon(1.0 / 7.0));
  CHECK(instructions({"xen.exit_guest", "xen.event_send", "xen.inject", "xen.wake", "xen.sgi_send",
                      "xen.enter_guest"}) == Approx(2038).epsilon(1.0 / 7.0));
}

TEST_CASE("An event for a vCPU that runs on another pCPU costs an SGI and an exit there, and no pass") {
  const Scenario scenario = flat(domain("dom0", "[0]", kFront) + "," + domain("back", "[1]", kBack + "," + kHog));
  const XenRun run = run_xen(scenario);
  const double sgi =
      flat_us(scenario, {"xen.sgi_send", "gic.forward", "xen.exit_guest", "xen.irq_ack", "xen.irq_event"});
  CHECK(share_with(run, "xen_send", flat_us(scenario, kSend)) == 1.0);
  // The hog's own tick may have left a list register in use; others meet an exit that is under way.
  const double with_register = sgi + flat_us(scenario, {"xen.exit_register"});
  CHECK(share_with(run, "xen_sgi", sgi) + share_with(run, "xen_sgi", with_register) > 0.97);
  CHECK(share_with(run, "xen_wake", 0.0) == 1.0);
  CHECK(share_with(run, "xen_schedule", 0.0) == 1.0);
}

TEST_CASE("An event for the sender's own vCPU is taken at its return, without SGI or pass") {
  const Scenario scenario =
      flat(domain("back", "[0]", kFront + "," + kBack), R"({"model":"xen","scheduler":{"model":"null"}})");
  const XenRun run = run_xen(scenario);
  REQUIRE(run.recorded.flights.size() >= 99);
  CHECK(share_with(run, "xen_sgi", 0.0) == 1.0);
  CHECK(share_with(run, "xen_wake", 0.0) == 1.0);
  CHECK(share_with(run, "xen_schedule", 0.0) == 1.0);
  CHECK(share_with(run, "xen_enter", flat_us(scenario, {"xen.enter_guest"})) == 1.0);
}

TEST_CASE("An event for a vCPU that waits for its pCPU changes nothing until the scheduler's own reasons let it run") {
  const Scenario scenario = flat(domain("dom0", "[0]", kFront) + "," + domain("back", "[1]", kBack + "," + kHog) + "," +
                                 domain("rival", "[1]", kHog));
  const XenRun run = run_xen(scenario);
  std::size_t waited = 0;
  for (const auto& flight : run.recorded.flights) {
    CHECK(run.service_us(flight, "xen_wake") == 0.0);
    if (flight.latency < 100us) continue;
    ++waited;
    CHECK(run.service_us(flight, "xen_sgi") == 0.0);
    CHECK(flight.latency < 11ms);  // the rival's slice
  }
  // Two hogs with turns of up to 10 ms: about half of the events find the other one running.
  CHECK(waited > 25);
  CHECK(waited < 75);
  CHECK(run.blamed(Wait::affinity) == std::set<std::string>{"rival/0"});
}

TEST_CASE("What is sent while the receiver is out of its slot merges into one event") {
  // Twenty sends in each frame of 10 ms: two find the receiver in its slot of 1 ms, the others are one event.
  const Scenario scenario = flat(
      R"({"name":"dom0","pool":"Pool-0","os":{"model":"linux","tick_hz":24},"tasks":[{"name":"front","model":"periodic","period_us":500,"work_us":10,"notify":"ring"}]},)"
      R"({"name":"back","pool":"slots","os":{"model":"linux","tick_hz":24},"tasks":[)" +
          kBack + "]}",
      R"({"model":"xen","version":"4.22","cpupools":[{"name":"Pool-0","pcpus":[0],"scheduler":{"model":"null"}},{"name":"slots","pcpus":[1],)"
      R"("scheduler":{"model":"arinc653","major_frame_us":10000,"entries":[{"vcpu":"back/0","runtime_us":1000}]}}]})");
  const XenRun run = run_xen(scenario);
  const double frames = 100;
  CHECK(static_cast<double>(run.recorded.flights.size()) == Approx(3 * frames).margin(5));
  CHECK(static_cast<double>(run.recorded.merged) == Approx(17 * frames).margin(10));
  CHECK(run.recorded.stimuli - run.recorded.flights.size() - run.recorded.merged <= 1);
  CHECK(run.blamed(Wait::slot) == std::set<std::string>{"the part of the frame that is no slot"});
  check_tiling(run.recorded);
}

TEST_CASE("Two channels of a receiver that is out of its slot share one upcall, and both are answered") {
  const std::string other = R"({"name":"back2","model":"interrupt","interrupt":"ring2","interface":"kernel"})";
  const Scenario scenario = flat(
      R"({"name":"dom0","vcpus":2,"pool":"Pool-0","os":{"model":"linux","tick_hz":24},"tasks":[{"name":"front","model":"periodic","period_us":20000,"work_us":10,"notify":"ring","cpus":[0]},)"
      R"({"name":"front2","model":"periodic","period_us":20000,"work_us":10,"notify":"ring2","cpus":[1]}]},)"
      R"({"name":"back","pool":"slots","os":{"model":"linux","tick_hz":24},"tasks":[)" +
          kBack + "," + other + "]}",
      R"({"model":"xen","cpupools":[{"name":"Pool-0","pcpus":[0,2],"scheduler":{"model":"null"}},{"name":"slots","pcpus":[1],)"
      R"("scheduler":{"model":"arinc653","major_frame_us":20000,"entries":[{"vcpu":"back/0","runtime_us":100}]}}]})",
      kRing + R"(,{"name":"ring2","source":"event","target":"back","measure":{"to":"kernel"}})");
  const XenRun run = run_xen(scenario);
  std::array<std::size_t, 2> answered{};
  std::array<std::size_t, 2> scanned{};
  for (const auto& flight : run.recorded.flights) {
    ++answered[static_cast<std::size_t>(flight.interrupt)];
    scanned[static_cast<std::size_t>(flight.interrupt)] += run.service_us(flight, "event_upcall") > 0.0;
  }
  CHECK(answered[0] >= 48);
  CHECK(answered[1] >= 48);
  CHECK(run.recorded.merged == 0);
  // One of each pair's events brought the handler along for both.
  CHECK(scanned[0] + scanned[1] <= answered[0] + 1);
  check_tiling(run.recorded);
}

TEST_CASE("Whatever the order of sends and handlers: events are taken or merged, and upcalls are no more than sends") {
  struct Sink final : TraceSink {
    void on(const Dropped& event) override { merged += static_cast<std::size_t>(event.fate == Fate::merged); }
    std::size_t merged = 0;
  };
  QuantileTables tables;
  Simulation simulation(tables, 1, 0);
  Sink sink;
  simulation.trace.attach(sink);
  std::vector<std::unique_ptr<MeasuredInterrupt>> interrupts;
  XenEvents events;
  for (std::uint16_t i = 0; i < 3; ++i) {
    interrupts.push_back(std::make_unique<MeasuredInterrupt>(simulation, InterruptId{i}, MeasureConfig{}));
    interrupts.back()->path.add({"only", Where::hypervisor});
    events.bind("ring" + std::to_string(i), *interrupts.back());
  }
  RandomStream random = simulation.stream("test");
  std::size_t sends = 0;
  std::size_t upcalls = 0;
  std::size_t taken = 0;
  bool wanted = false;
  for (int step = 0; step < 10000; ++step) {
    if (random.uniform() < 0.3) {
      // The handler finds something exactly if an upcall was wanted since it came last.
      const std::size_t found = events.take_latched().size();
      CHECK((found > 0) == wanted);
      taken += found;
      wanted = false;
      continue;
    }
    const auto port = static_cast<std::size_t>(random.uniform() * 3.0);
    ++sends;
    if (events.send(port, &events.interrupt(port)->take_off()) != XenEvents::Sent::upcall) continue;
    CHECK_FALSE(wanted);
    wanted = true;
    ++upcalls;
  }
  taken += events.take_latched().size();
  CHECK(sends == taken + sink.merged);
  CHECK(upcalls <= taken);
  CHECK(sink.merged > 1000);
}

TEST_CASE("Both ends of an event channel must exist, and no stimulus belongs to it") {
  const Settings none = {R"(/interrupts/0={"name":"edge","source":"event","target":"dom0"})", "/run/measure_ms=10"};
  CHECK(rule(none) == std::vector<std::string>{"/interrupts/0/source: none"});
  CHECK(rule({R"(/domains/1/tasks=[{"name":"p","model":"periodic","period_us":1000,"work_us":1,"notify":"ring"}])"}) ==
        std::vector<std::string>{R"(/domains/1/tasks/0/notify: "ring")"});
  CHECK(rule({R"(/interrupts/0={"name":"edge","source":"gpio17","target":"dom0"})"}) ==
        std::vector<std::string>{"/interrupts/0/stimulus: nothing"});
  const auto given = rule({R"(/interrupts/0/source="event")"});
  REQUIRE_FALSE(given.empty());
  CHECK(given.front().rfind("/interrupts/0/stimulus: ", 0) == 0);
}
