// Experiment 20 of the specification, as far as its systems exist: who isolates how well, and what memory does to all.
#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const std::string kEdges = R"("stimulus":{"model":"periodic","period_ms":3,"count":500},"measure":{"to":"kernel"}})";

// From a line of the board to the handler of a real-time kernel on core 3; others' cores are idle, or stream.

Settings quiet() { return {"/costs/core.jitter_sigma/value=0", "/costs/core.miss_cv/value=0"}; }

const std::string kControl =
    R"({"name":"control","affinity":[3],"os":{"model":"rtos"},"tasks":[{"name":"t","model":"interrupt",)"
    R"("interrupt":"i","interface":"kernel"}]})";
const std::string kLine = R"(/interrupts=[{"name":"i","source":"can0","target":"control",)" + kEdges + "]";

std::string neighbour(bool streams) {
  return std::string(R"({"name":"linux","affinity":[0,1,2],"os":{"model":"linux"},"tasks":[)") +
         (streams ? R"({"name":"hog","model":"hog","memory_mbps":4000})" : "") + "]}";
}

double native() {
  return simulate("zcu104-partition",
                  [] {
                    Settings settings = quiet();
                    settings.push_back(R"(/hypervisor={"model":"native"})");
                    settings.push_back(R"(/domains=[{"name":"rtos","os":{"model":"rtos"},"tasks":[{"name":"t",)"
                                       R"("model":"interrupt","interrupt":"i","interface":"kernel"}]}])");
                    settings.push_back(R"(/interrupts=[{"name":"i","source":"can0","target":"rtos",)" + kEdges + "]");
                    return settings;
                  }())
      .mean_us();
}

double partition(bool streams, const Settings& more = {}) {
  Settings settings = quiet();
  settings.push_back("/domains=[" + neighbour(streams) + "," + kControl + "]");
  settings.push_back(kLine);
  settings.insert(settings.end(), more.begin(), more.end());
  return simulate("zcu104-partition", settings).mean_us();
}

double xen(const std::string& hypervisor, const std::string& domains) {
  Settings settings = quiet();
  settings.push_back("/hypervisor=" + hypervisor);
  settings.push_back("/domains=[" + domains + "]");
  settings.push_back(kLine);
  return simulate("zcu104-dom0less", settings).mean_us();
}

const std::string kNull = R"({"model":"xen","vwfi":"native","scheduler":{"model":"null"}})";
const std::string kCredit2 = R"({"model":"xen","scheduler":{"model":"credit2"}})";

std::string guest(const std::string& name, const std::string& affinity, const std::string& tasks) {
  return R"({"name":")" + name + R"(","affinity":)" + affinity + R"(,"os":{"model":"linux"},"tasks":[)" + tasks + "]}";
}

}  // namespace

TEST_CASE("Experiment 20: native, static partitioning, Xen null, Xen credit2 idle and loaded, in this order") {
  const double bare = native();
  const double cell = partition(false);
  const double null = xen(kNull, guest("linux", "[0]", "") + "," + kControl);
  const double idle = xen(kCredit2, guest("linux", "[0]", "") + "," + kControl);
  const double loaded = xen(kCredit2, guest("linux", "[3]", R"({"name":"hog","model":"hog"})") + "," + kControl);
  INFO(bare << " " << cell << " " << null << " " << idle << " " << loaded);
  CHECK(bare < cell);
  CHECK(cell < null);
  CHECK(null < idle);
  CHECK(idle < loaded);
}

TEST_CASE("Experiment 20: a stream on another core reaches every partitioned system, and colours reduce it") {
  const Settings colors = {"/domains/0/l2_colors=[0,1,2,3,4,5,6,7]", "/domains/1/l2_colors=[8,9,10,11,12,13,14,15]"};
  const double quiet_cell = partition(false);
  const double attacked = partition(true);
  const double colored = partition(true, colors);
  CHECK(attacked > 1.2 * quiet_cell);
  CHECK(colored < attacked);
  const std::string hog = R"({"name":"hog","model":"hog","memory_mbps":4000})";
  const double quiet_null = xen(kNull, guest("linux", "[0]", "") + "," + kControl);
  const double null = xen(kNull, guest("linux", "[0]", hog) + "," + kControl);
  CHECK(null > 1.2 * quiet_null);
}
