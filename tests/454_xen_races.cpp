// Interrupts that meet Xen at work or a vCPU that is elsewhere, and those that follow a vCPU which moves.
#include "xen_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const std::string kGpio = R"({"name":"gpio","model":"interrupt","interrupt":"edge","interface":"kernel"})";
const std::string kHog = R"({"name":"hog","model":"hog"})";

std::string domain(const std::string& name, const std::string& pcpus, const std::string& tasks) {
  return R"({"name":")" + name + R"(","affinity":)" + pcpus + R"(,"os":{"model":"linux","tick_hz":24},"tasks":[)" +
         tasks + "]}";
}

std::string periodic(const std::string& period_us, const std::string& work_us) {
  return R"({"name":"load","model":"periodic","period_us":)" + period_us + R"(,"work_us":)" + work_us + "}";
}

Scenario flat(const std::string& domains, const std::string& target, const std::string& stimulus) {
  Scenario scenario = load_scenario("pi4-xen-published",
                                    {R"(/hypervisor={"model":"xen","scheduler":{"model":"credit2","ratelimit_us":0}})",
                                     "/domains=[" + domains + "]",
                                     R"(/interrupts=[{"name":"edge","source":"gpio17","target":")" + target +
                                         R"(","measure":{"to":"kernel"},"stimulus":)" + stimulus + "}]",
                                     "/run/measure_ms=4000"})
                          .scenario;
  make_flat(scenario);
  return scenario;
}

const std::string kRandomEdges = R"({"model":"poisson","mean_interval_ms":2})";
// Of a vCPU that is still there.
const std::vector<std::string> kPass = {"xen.schedule_running", "xen.pass"};
const std::vector<std::string> kSwitch = {"xen.schedule", "xen.pass", "xen.restore", "xen.switched"};

std::size_t count_with(const XenRun& run, std::string_view stage, double us) {
  std::size_t hits = 0;
  for (const auto& flight : run.recorded.flights) hits += run.service_us(flight, stage) == Approx(us).margin(0.001);
  return hits;
}

// Two loads push the handler's vCPU from pCPU to pCPU.
std::string pushed(const std::string& first, const std::string& second, const std::string& third) {
  return first + "," + second + "," + third;
}

}  // namespace

TEST_CASE("Interrupts follow a first domain's vCPU: every line of the machine is looked at, and one is written") {
  const Scenario scenario = flat(pushed(domain("dom0", "[0,1]", kGpio), domain("a", "[0]", periodic("7000", "3000")),
                                        domain("b", "[1]", periodic("11000", "5000"))),
                                 "dom0", kRandomEdges);
  const XenRun run = run_xen(scenario);
  const double follow = flat_us(scenario, {"xen.retarget"});
  CHECK(count_with(run, "xen_schedule", flat_us(scenario, kSwitch) + follow) > 10);
  check_tiling(run.recorded);
}

TEST_CASE("Interrupts follow another domain's vCPU: only its own lines are looked at") {
  const Scenario scenario = flat(pushed(domain("dom0", "[0]", periodic("7000", "3000")),
                                        domain("a", "[1]", periodic("11000", "5000")), domain("domU", "[0,1]", kGpio)),
                                 "domU", kRandomEdges);
  const XenRun run = run_xen(scenario);
  const double mhz = 600.0;
  const double cycles = scenario.costs.at("xen.retarget.cycles").value.value() / 224.0;
  const double mmio =
      scenario.costs.at("xen.retarget.mmio").value.value() * scenario.costs.at("core.mmio").value.value() * 1e-3;
  CHECK(count_with(run, "xen_schedule", flat_us(scenario, kSwitch) + cycles / mhz + mmio) > 10);
}

TEST_CASE("Race 1: an edge during the trap of WFI costs a decision, and no switch") {
  // The handler's vCPU goes back to sleep right after each edge; many edges come meanwhile.
  const Scenario scenario =
      flat(domain("dom0", "[0]", kGpio), "dom0", R"({"model":"poisson","mean_interval_ms":0.05})");
  const XenRun run = run_xen(scenario);
  std::size_t stayed = 0;
  for (const auto& flight : run.recorded.flights) {
    const bool woke = run.service_us(flight, "xen_wake") > 0.0;
    stayed += woke && run.service_us(flight, "xen_schedule") == Approx(flat_us(scenario, kPass)).margin(0.001);
  }
  CHECK(stayed > 100);
  CHECK(count_with(run, "xen_schedule", flat_us(scenario, kSwitch)) > 1000);
  check_tiling(run.recorded);
}

TEST_CASE("Race 2: an event for a vCPU that is being switched out waits for the rest of the switch, and for a pass") {
  // The handler's vCPU is asleep again soon after each event; many come meanwhile.
  const std::string front =
      R"({"name":"front","model":"sporadic","period_us":70,"work_us":1,"policy":"fifo","notify":"ring"})";
  const std::string back = R"({"name":"back","model":"interrupt","interrupt":"ring","interface":"kernel"})";
  Scenario scenario =
      load_scenario("pi4-xen-published",
                    {R"(/hypervisor={"model":"xen","scheduler":{"model":"credit2","ratelimit_us":0}})",
                     "/domains=[" + domain("dom0", "[0]", front) + "," + domain("back", "[1]", back) + "]",
                     R"(/interrupts=[{"name":"ring","source":"event","target":"back","measure":{"to":"kernel"}}])",
                     "/run/measure_ms=2000"})
          .scenario;
  make_flat(scenario);
  const XenRun run = run_xen(scenario);
  const double wake = flat_us(scenario, {"xen.wake"});
  const double wake_busy = flat_us(scenario, {"xen.wake_busy"});
  std::size_t raced = 0;
  for (const auto& flight : run.recorded.flights) {
    const double woke = run.service_us(flight, "xen_wake");
    // Nothing that it waits for is booked as work on its behalf.
    CHECK((woke == 0.0 || woke == Approx(wake).margin(0.001) || woke == Approx(wake_busy).margin(0.001)));
    raced += woke > 0.0 && run.service_us(flight, "xen_sgi") == 0.0;
  }
  CHECK(raced > 100);
  CHECK(run.blamed(Wait::hypervisor) == std::set<std::string>{"Xen"});
  CHECK(run.blamed(Wait::affinity).empty());
  CHECK(run.blamed(Wait::runqueue).empty());
  check_tiling(run.recorded);
}

TEST_CASE("Race 5: an edge that meets another domain's vCPU makes that one pay, and waits for the scheduler") {
  const Scenario scenario =
      flat(domain("dom0", "[0]", kGpio + "," + kHog) + "," + domain("domU", "[0]", kHog), "dom0", kRandomEdges);
  const XenRun run = run_xen(scenario);
  const double taken = flat_us(scenario, {"xen.exit_guest", "xen.irq_ack", "xen.irq_spi", "xen.inject"});
  // The hog's own tick may have left a list register in use.
  const double with_register = taken + flat_us(scenario, {"xen.exit_register"});
  std::size_t waited = 0;
  for (const auto& flight : run.recorded.flights) {
    CHECK(run.service_us(flight, "xen_wake") == 0.0);
    CHECK(run.service_us(flight, "xen_sgi") == 0.0);
    const double irq = run.service_us(flight, "xen_irq");
    waited +=
        flight.latency > 200us && (irq == Approx(taken).margin(0.001) || irq == Approx(with_register).margin(0.001));
  }
  // The hogs take turns of 10 ms. In each of the other one's, the first edge waits and the next ones merge into it.
  CHECK(static_cast<double>(waited) == Approx(200.0).margin(20.0));
  CHECK(run.blamed(Wait::affinity) == std::set<std::string>{"domU/0"});
  check_tiling(run.recorded);
}

TEST_CASE(
    "Experiment 5: two vCPUs woken together: the second waits for max(500 us, rate limit), or until the first sleeps") {
  // A hog elsewhere in the runqueue uses up its credit, so that all are made equal again and again.
  // Two pins rise together; their readers in dom0 each send an event, at no cost, before the SGI reaches the other
  // pCPU.
  const auto reader = [](const std::string& number) {
    return R"({"name":"r)" + number + R"(","model":"interrupt","interrupt":"edge)" + number + R"(","notify":"ring)" +
           number + "\"}";
  };
  const auto back = [](const std::string& number, int work_us) {
    return domain("b" + number, "[1]",
                  R"({"name":"back","model":"interrupt","interrupt":"ring)" + number + R"(","work_cycles":)" +
                      std::to_string(work_us * 600) + "}");
  };
  const auto edge = [](const std::string& number, const std::string& pin) {
    return R"({"name":"edge)" + number + R"(","source":")" + pin +
           R"(","target":"dom0","stimulus":{"model":"periodic","period_ms":100,"phase_us":50000,"clock_error_ppm":0,"count":20}},)"
           R"({"name":"ring)" +
           number + R"(","source":"event","target":"b)" + number + R"(","measure":{"to":"kernel"}})";
  };
  const auto waits_us = [&](int ratelimit_us, int work_us) {
    Scenario scenario =
        load_scenario(
            "pi4-xen-published",
            {R"(/hypervisor={"model":"xen","timer_slop_us":0,"scheduler":{"model":"credit2","ratelimit_us":)" +
                 std::to_string(ratelimit_us) + "}}",
             "/domains=[" + domain("dom0", "[0]", reader("1") + "," + reader("2")) + "," + back("1", work_us) + "," +
                 back("2", 1) + "," + domain("other", "[2]", kHog) + "]",
             "/interrupts=[" + edge("1", "gpio17") + "," + edge("2", "gpio18") + "]"})
            .scenario;
    make_ideal(scenario);
    scenario.costs.at("gic.forward").value = 5000.0;
    const XenRun run = run_xen(scenario);
    std::vector<double> waits;
    for (const auto& flight : run.recorded.flights) {
      if (run.view.interrupts[static_cast<std::size_t>(flight.interrupt)].name != "ring2") continue;
      waits.push_back(to_us(flight.latency) - 5.0);
    }
    return waits;
  };
  const auto all = [](const std::vector<double>& waits, double us) {
    INFO("from " << waits.front() << " to " << waits.back());
    CHECK(waits.size() == 20);
    for (const double wait : waits) CHECK(wait == Approx(us).margin(0.5));
  };
  // The end of a slice is an interrupt, which takes 5 us like every other one here.
  all(waits_us(1000, 3000), 1005.0);
  all(waits_us(100, 3000), 505.0);
  all(waits_us(0, 3000), 505.0);
  all(waits_us(1000, 300), 300.0);
}
