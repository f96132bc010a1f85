// What becomes of edges on their way into QEMU: answered, merged or lost, and each exactly once.
#include "catch.hpp"
#include "property.hpp"
#include "tcg_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const char* const kPreset = "pi4-tcg-longpath";

void check_conserved(const StagedRun& run, std::size_t edges) {
  CHECK(run.recorded.stimuli == edges);
  CHECK(run.recorded.flights.size() + run.recorded.merged + run.recorded.lost == edges);
}

}  // namespace

TEST_CASE("Experiment 12: a relay that loses everything leaves no answer, and each edge is lost once") {
  const StagedRun run =
      simulate_stages(kPreset, quiet_tcg({R"(/hypervisor/relay={"kind":"pipe","loss_ppm":1000000})"}));
  check_conserved(run, 100);
  CHECK(run.recorded.lost == 100);
}

TEST_CASE("Losses come at the rate given, and change nothing for the other edges") {
  const Settings many = {R"(/interrupts/0/stimulus={"model":"periodic","period_ms":200,"count":4000})"};
  Settings lossy = many;
  lossy.push_back(R"(/hypervisor/relay={"kind":"pipe","loss_ppm":50000})");
  const StagedRun all = simulate_stages(kPreset, quiet_tcg(many));
  const StagedRun some = simulate_stages(kPreset, quiet_tcg(lossy));
  check_conserved(some, 4000);
  CHECK(some.recorded.lost > 150);  // 200, with a deviation of 14
  CHECK(some.recorded.lost < 250);
  CHECK(some.recorded.mean_us() == Approx(all.recorded.mean_us()).epsilon(0.01));
}

TEST_CASE("A pulse that is over before the guest has read the pin is forgotten; one that lasts is not") {
  // From the raised line to the end of gpio_demux a halted guest needs some 400 us.
  const StagedRun brief = simulate_stages(kPreset, quiet_tcg({"/hypervisor/pulse_us=100"}));
  check_conserved(brief, 100);
  CHECK(brief.recorded.lost == 100);
  const StagedRun lasting = simulate_stages(kPreset, quiet_tcg({"/hypervisor/pulse_us=100000"}));
  check_conserved(lasting, 100);
  CHECK(lasting.recorded.lost == 0);
  CHECK(lasting.recorded.mean_us() == Approx(simulate_stages(kPreset, quiet_tcg()).recorded.mean_us()));
}

TEST_CASE("A pulse of middling length is lost when the guest is kept from looking") {
  // A hog of the host delays the vCPU's thread now and then.
  const StagedRun run = simulate_stages(
      kPreset, quiet_tcg({"/hypervisor/pulse_us=2000", "/domains/1/affinity=[1]", "/domains/1/os/tick_hz=250",
                          R"(/domains/0/tasks=[{"name":"load","model":"hog","cpus":[1]}])",
                          R"(/domains/1/tasks/-={"name":"load","model":"hog"})",
                          R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":300,"count":300})"}));
  check_conserved(run, 300);
  CHECK(run.recorded.lost > 5);
  CHECK(run.recorded.flights.size() > 150);
}

TEST_CASE("Edges closer than the guest reads them merge, as nothing counts them") {
  const StagedRun run = simulate_stages(
      kPreset,
      quiet_tcg(
          {R"(/interrupts/0/stimulus={"model":"burst","period_ms":500,"edges":10,"spacing_us":50,"count":500})"}));
  check_conserved(run, 500);
  CHECK(run.recorded.merged > 300);
  CHECK(run.recorded.flights.size() >= 50);
}

namespace {

Settings random_tcg() {
  Settings settings = {
      std::string(R"(/hypervisor/relay={"kind":")") +
          *rc::gen::element(std::string("pipe"), std::string("tcp"), std::string("qmp"), std::string("command")) +
          R"(","loss_ppm":)" + std::to_string(*rc::gen::element(0, 200000)) + "}",
      *rc::gen::element(std::string("/domains/1/tasks/0/interface=sysfs"),
                        std::string("/domains/1/tasks/0/interface=cdev"),
                        std::string("/domains/1/tasks/0/interface=kernel")),
      "/domains/1/os/preempt=" +
          *rc::gen::element(std::string("none"), std::string("voluntary"), std::string("full"), std::string("rt")),
      R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":)" + std::to_string(*rc::gen::inRange(1, 40)) +
          R"(,"count":60})",
      "/run/seed=" + std::to_string(*rc::gen::inRange(0, 1000000))};
  if (*rc::gen::arbitrary<bool>()) {
    settings.push_back("/hypervisor/pulse_us=" + std::to_string(*rc::gen::inRange(20, 3000)));
  }
  // A handler in the kernel has no work of its own.
  const bool program = settings[1] != "/domains/1/tasks/0/interface=kernel";
  settings.push_back("/domains/1/tasks/0/work_cycles=" + std::to_string(program ? *rc::gen::inRange(0, 100000) : 0));
  if (*rc::gen::arbitrary<bool>()) settings.emplace_back("/domains/1/affinity=[0]");
  if (*rc::gen::arbitrary<bool>()) {
    settings.emplace_back(R"(/domains/0/tasks=[{"name":"a","model":"hog","cpus":[0]},{"name":"b","model":"hog"}])");
  }
  if (*rc::gen::arbitrary<bool>()) {
    settings.push_back(R"(/domains/1/tasks/-={"name":"load","model":"periodic","period_us":)" +
                       std::to_string(*rc::gen::inRange(5000, 50000)) + R"(,"work_us":50})");
  }
  return settings;
}

}  // namespace

TEST_CASE("Whatever runs beside it, stages and waits tile every latency, and each edge has one fate") {
  check_property(
      [] {
        const Recorded recorded = simulate("pi4-tcg-stall", random_tcg());
        for (const auto& flight : recorded.flights) {
          Duration sum{};
          for (const StageTime& stage : flight.stages) sum += stage.total();
          RC_ASSERT(sum == flight.latency);
        }
        RC_ASSERT(recorded.stimuli == 60U);
        RC_ASSERT(recorded.flights.size() + recorded.merged + recorded.lost == 60U);
      },
      150);
}
