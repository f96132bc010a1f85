// Whom a wait under Xen is for: the competitor, the slot's owner, or the vCPU's own limit, by name.
#include "xen_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const std::string kGpio = R"({"name":"gpio","model":"interrupt","interrupt":"edge"})";
const std::string kHog = R"({"name":"hog","model":"hog"})";

// dom0's only vCPU handles random edges on the only pCPU that it may use; `others` are the domains beside it.
XenRun beside(const std::string& scheduler, const std::string& dom0, const std::string& tasks,
              const std::string& others) {
  return run_xen({R"(/hypervisor={"model":"xen","scheduler":)" + scheduler + "}",
                  R"(/domains=[{"name":"dom0","vcpus":1,"affinity":[0],)" + dom0 +
                      R"("os":{"model":"linux"},"tasks":[)" + tasks + "]}" + others + "]",
                  R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":20,"count":200})"});
}

std::string hog(const std::string& name, const std::string& affinity = "[0]") {
  return R"(,{"name":")" + name + R"(","vcpus":1,"affinity":)" + affinity + R"(,"os":{"model":"linux"},"tasks":[)" +
         kHog + "]}";
}

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("A wait for the rate limit is for whom it keeps running") {
  const XenRun run = beside(R"({"model":"credit2","ratelimit_us":10000})", "", kGpio, hog("domU"));
  CHECK(run.blamed(Wait::ratelimit) == Names{"domU/0"});
  CHECK(run.blamed(Wait::budget).empty());
  CHECK(run.blamed(Wait::cap).empty());
}

TEST_CASE("A wait in the run queue is for whom the pCPU executes") {
  // All pCPUs are taken, so that it is not the pin that keeps the vCPU waiting.
  const XenRun run = beside(R"({"model":"credit2","ratelimit_us":0})", "", kGpio + "," + kHog,
                            hog("u0") + hog("u1", "[1]") + hog("u2", "[2]") + hog("u3", "[3]"));
  CHECK(run.blamed(Wait::runqueue) == Names{"u0/0"});
  CHECK(run.blamed(Wait::affinity).empty());
}

TEST_CASE("A wait for a budget or a cap is for the vCPU's own limit, whoever runs meanwhile") {
  const XenRun budget = beside(R"({"model":"rtds"})", R"("budget_us":2000,"period_us":20000,"extratime":false,)",
                               kGpio + "," + kHog, hog("domU"));
  CHECK(budget.blamed(Wait::budget) == Names{"the limit of dom0/0 itself"});
  const XenRun cap = beside(R"({"model":"credit2"})", R"("cap_pct":20,)", kGpio + "," + kHog, "");
  CHECK(cap.blamed(Wait::cap) == Names{"the limit of dom0/0 itself"});
  CHECK(cap.blamed(Wait::budget).empty());
}

TEST_CASE("A wait outside one's slot is for the slot that is served") {
  const XenRun run = beside(
      R"({"model":"arinc653","major_frame_us":20000,"entries":[{"vcpu":"dom0/0","runtime_us":1000},{"vcpu":"domU/0","runtime_us":19000}]})",
      "", kGpio, hog("domU"));
  CHECK(run.blamed(Wait::slot) == Names{"slot 1, of domU/0"});
}

TEST_CASE("A wait beside free pCPUs that the vCPU may not use is for its pin, and for whom the pCPU executes") {
  const XenRun run = beside(R"({"model":"credit2","ratelimit_us":0})", "", kGpio + "," + kHog, hog("domU"));
  CHECK(run.blamed(Wait::affinity) == Names{"domU/0"});
}
