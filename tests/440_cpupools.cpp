// Cpupools: every pool has its own scheduler and cores, and what scenarios may say of them.
#include "xen_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const std::string kGpio = R"({"name":"gpio","model":"interrupt","interrupt":"edge","interface":"kernel"})";
const std::string kHog = R"({"name":"hog","model":"hog"})";

std::string domain(const std::string& name, const std::string& pool, const std::string& tasks,
                   const std::string& more = "") {
  return R"({"name":")" + name + "\"" + (pool.empty() ? "" : R"(,"pool":")" + pool + "\"") + more +
         R"(,"os":{"model":"linux"},"tasks":[)" + tasks + "]}";
}

std::string pool(const std::string& name, const std::string& pcpus, const std::string& scheduler) {
  return R"({"name":")" + name + R"(","pcpus":)" + pcpus + R"(,"scheduler":)" + scheduler + "}";
}

Settings pools(const std::string& list, const std::string& domains, Settings more = {}) {
  Settings settings =
      undisturbed({R"(/hypervisor={"model":"xen","cpupools":[)" + list + "]}", "/domains=[" + domains + "]"});
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const std::string kCredit2 = R"({"model":"credit2"})";

std::vector<std::string> problems(const Settings& settings) {
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

using Found = std::vector<std::string>;

}  // namespace

TEST_CASE("Hogs share the pCPUs of their pool and leave those of another alone") {
  const XenRun run = run_xen(pools(pool("Pool-0", "[0]", kCredit2) + "," + pool("small", "[2]", kCredit2),
                                   domain("dom0", "Pool-0", kGpio + "," + kHog) + "," + domain("a", "small", kHog) +
                                       "," + domain("b", "small", kHog),
                                   {"/run/measure_ms=2000"}));
  CHECK(run.share("dom0/0") > 0.99);
  CHECK(run.share("a/0") == Approx(0.5).margin(0.01));
  CHECK(run.share("b/0") == Approx(0.5).margin(0.01));
  // The pCPUs of no pool do nothing at all.
  CHECK(run.busy("pcpu1") == Duration::zero());
  CHECK(run.busy("pcpu3") == Duration::zero());
}

TEST_CASE("A pool's scheduler is its own: a budget holds in the one with RTDS and not beside it") {
  const XenRun run =
      run_xen(pools(pool("Pool-0", "[0,1]", kCredit2) + "," + pool("budgets", "[2,3]", R"({"model":"rtds"})"),
                    domain("dom0", "Pool-0", kGpio + "," + kHog) + "," +
                        domain("a", "budgets", kHog, R"(,"budget_us":2000,"period_us":8000,"extratime":false)"),
                    {"/run/measure_ms=2000"}));
  CHECK(run.share("dom0/0") > 0.99);
  CHECK(run.share("a/0") == Approx(0.25).margin(0.01));
}

TEST_CASE("A slot table speaks of the vCPUs of its pool, whatever their numbers are there") {
  const XenRun run = run_xen(pools(
      pool("Pool-0", "[0,1,3]", kCredit2) + "," +
          pool(
              "slots", "[2]",
              R"({"model":"arinc653","major_frame_us":10000,"entries":[{"vcpu":"b/0","runtime_us":7000},{"vcpu":"a/0","runtime_us":3000}]})"),
      domain("dom0", "Pool-0", kGpio) + "," + domain("a", "slots", kHog) + "," + domain("b", "slots", kHog),
      {"/run/measure_ms=2000"}));
  CHECK(run.share("a/0") == Approx(0.3).margin(0.01));
  CHECK(run.share("b/0") == Approx(0.7).margin(0.01));
}

TEST_CASE("Without a table ARINC653 gives the slots to dom0 alone, in whichever pool") {
  const XenRun run =
      run_xen(pools(pool("Pool-0", "[0]", kCredit2) + "," + pool("slots", "[1]", R"({"model":"arinc653"})"),
                    domain("dom0", "Pool-0", kGpio) + "," + domain("a", "slots", kHog), {"/run/measure_ms=500"}));
  CHECK(run.busy("a/0") == Duration::zero());
}

TEST_CASE("Every scheduler answers every edge on the pCPUs 2 and 3 of a pool, and touches no other") {
  for (
      const char* scheduler :
      {R"({"model":"credit2"})", R"({"model":"credit"})", R"({"model":"rtds"})", R"({"model":"null"})",
       R"({"model":"arinc653","major_frame_us":2000,"entries":[{"vcpu":"dom0/0","runtime_us":1000},{"vcpu":"domU/0","runtime_us":1000}]})"}) {
    INFO(scheduler);
    const XenRun run = run_xen(pools(pool("Pool-0", "[2,3]", scheduler),
                                     domain("dom0", "Pool-0", kGpio) + "," + domain("domU", "Pool-0", kHog),
                                     {"/interrupts/0/measure/to=kernel", "/interrupts/0/stimulus/period_ms=20"}));
    CHECK(run.recorded.flights.size() == 100);
    check_tiling(run.recorded);
    CHECK(run.busy("pcpu0") == Duration::zero());
    CHECK(run.busy("pcpu1") == Duration::zero());
  }
}

TEST_CASE("A scenario with one pool of all pCPUs is the scenario without pools") {
  const Settings tasks = {"/domains/1/tasks=[" + kHog + "]"};
  Settings plain = undisturbed(tasks);
  Settings pooled = undisturbed(tasks);
  pooled.push_back(R"(/hypervisor={"model":"xen","version":"4.14.3","cpupools":[)" +
                   pool("Pool-0", "[0,1,2,3]", kCredit2) + "]}");
  pooled.push_back("/domains/0/pool=Pool-0");
  pooled.push_back("/domains/1/pool=Pool-0");
  const XenRun a = run_xen(plain);
  const XenRun b = run_xen(pooled);
  REQUIRE(a.recorded.flights.size() == b.recorded.flights.size());
  for (std::size_t i = 0; i < a.recorded.flights.size(); ++i) {
    CHECK(a.recorded.flights[i].latency == b.recorded.flights[i].latency);
  }
}

TEST_CASE("A pCPU is in one pool at most, and on the board") {
  CHECK(
      problems(pools(pool("Pool-0", "[0,1]", kCredit2) + "," + pool("b", "[1,4]", kCredit2),
                     domain("dom0", "Pool-0", kGpio))) ==
      Found{R"(/hypervisor/cpupools/1/pcpus/0: 1, which is in "Pool-0" already)", "/hypervisor/cpupools/1/pcpus/1: 4"});
}

TEST_CASE("With cpupools every domain names one that exists, and dom0 the first") {
  const std::string two = pool("Pool-0", "[0,1]", kCredit2) + "," + pool("other", "[2,3]", kCredit2);
  CHECK(problems(pools(
            two, domain("dom0", "other", kGpio) + "," + domain("a", "", kHog) + "," + domain("b", "othr", kHog))) ==
        Found{R"(/domains/0/pool: "other")", "/domains/1/pool: nothing", R"(/domains/2/pool: "othr")"});
  CHECK(problems(undisturbed({"/domains/0/pool=Pool-0"})) == Found{R"(/domains/0/pool: "Pool-0")"});
}

TEST_CASE("Pools have names of their own, and stand instead of the one scheduler") {
  CHECK(problems(pools(pool("p", "[0]", kCredit2) + "," + pool("p", "[1]", kCredit2), domain("dom0", "p", kGpio))) ==
        Found{R"(/hypervisor/cpupools/1/name: "p" again)"});
  const Found both = problems(undisturbed({R"(/hypervisor/cpupools=[)" + pool("p", "[0]", kCredit2) + "]"}));
  REQUIRE(both.size() == 1);
  CHECK(both.front().rfind("/hypervisor/cpupools: ", 0) == 0);
}

TEST_CASE("A vCPU may be pinned within its pool only") {
  CHECK(problems(pools(pool("Pool-0", "[0,1]", kCredit2) + "," + pool("other", "[2,3]", kCredit2),
                       domain("dom0", "Pool-0", kGpio, R"(,"affinity":[2])"))) ==
        Found{"/domains/0/affinity: pCPU 2 for vCPU 0"});
}
