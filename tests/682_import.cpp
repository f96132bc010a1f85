// Import: what is said of files, samples that are read again, and xl's outputs as a scenario.
#include <sstream>

#include "analysis/bench_data.hpp"
#include "analysis/import.hpp"
#include "analysis/latency_figures.hpp"
#include "analysis/xl_scenario.hpp"
#include "sample_files.hpp"
#include "system/json_print.hpp"

using namespace vecusim;
using test::sample;

namespace {

Imported imported(const std::string& name) { return import_data(sample(name), name, {}); }

BenchData bench_data(const std::string& text) {
  std::istringstream in(text);
  return read_bench_data(in, "data");
}

std::string cell(const Imported& file, std::string_view key, std::size_t row, std::string_view column) {
  for (const ImportTable& table : file.tables) {
    if (table.key != key) continue;
    const auto at = std::find(table.columns.begin(), table.columns.end(), column);
    REQUIRE(at != table.columns.end());
    return table.rows.at(row).at(static_cast<std::size_t>(at - table.columns.begin())).text;
  }
  return "no such table";
}

}  // namespace

TEST_CASE("a summary has the figures of each series") {
  const Imported file = imported("rtla-timerlat.txt");
  CHECK(file.form->name == "timerlat");
  CHECK(cell(file, "latency", 1, "series") == "Thr-000");
  CHECK(cell(file, "latency", 1, "n") == "60001");
  CHECK(cell(file, "latency", 1, "beyond") == "1");
  CHECK(cell(file, "latency", 1, "p99_us") == "2");
  CHECK(cell(file, "latency", 1, "max_us") == "12");
}

TEST_CASE("a trace's summary has times by runstate, if the frequency is known") {
  CHECK(imported("xentrace-tiny.bin").problems.size() == 1);
  const Imported file = import_data(sample("xentrace-tiny.bin"), "t", {.counter_hz = 1e6});
  CHECK(file.problems.empty());
  CHECK(cell(file, "vcpus", 0, "vcpu") == "d0v0");
  CHECK(cell(file, "vcpus", 0, "runnable_ms") == "2.048");  // 0x800 ticks
  CHECK(cell(file, "wake_to_run", 0, "max_us") == "2048");
}

TEST_CASE("of a capture only times and lengths are kept") {
  const Imported file = imported("frames.pcap");
  CHECK(samples_csv(file) == "time_us,bytes\n0,60\n125,1514\n250,60\n380,342\n");
  CHECK(file.problems.empty());
  const Imported cut_off = import_data(sample("frames.pcap").substr(0, 70), "f", {});
  CHECK(samples_csv(cut_off) == "time_us,bytes\n0,60\n125,1514\n");
  CHECK(!cut_off.problems.has_errors());
  CHECK(cut_off.problems.size() == 1);
}

TEST_CASE("samples are read again as they were") {
  for (const char* name : {"cyclictest-verbose.txt", "cyclictest-sums.txt", "osadl-latency.txt", "saleae.csv"}) {
    INFO(name);
    const auto direct = bench_data(sample(name));
    const auto again = bench_data(samples_csv(imported(name)));
    const auto& a = std::get<BenchSamples>(direct.content);
    const auto& b = std::get<BenchSamples>(again.content);
    CHECK(a.latencies == b.latencies);
    CHECK(a.missed == b.missed);
  }
}

TEST_CASE("what has no latencies is no bench data, and unknown content is told with what was looked for") {
  CHECK_THROWS_WITH(bench_data(sample("xl-list.txt")), Catch::Contains("expected a file of latencies, found what xl"));
  CHECK_THROWS_WITH(import_data("hello\n", "h", {}), Catch::Contains("cyclictest --json"));
}

TEST_CASE("xl's outputs and a configuration become a scenario, and what they do not say is told") {
  const std::vector<XlReading> outputs = {read_xl(sample("xl-info.txt"), "i"), read_xl(sample("xl-list.txt"), "l"),
                                          read_xl(sample("xl-vcpu-list.txt"), "v"),
                                          read_xl(sample("xl-sched-credit2.txt"), "s")};
  const XlConfig config =
      read_xl_cfg("name=\"u4\"\nvcpus=2\ncpus=[\"1\",\"2-3\"]\ncpu_weight=128\nperiod=10\n", "u4.cfg");
  const XlScenario scenario = make_scenario(outputs, {config});
  CHECK(
      json::compact(*scenario.document.find("hypervisor")) ==
      R"({"model": "xen", "version": "4.17.7", "vwfi": "trap", "scheduler": {"model": "credit2", "ratelimit_us": 1000}})");
  const json::Node& domains = *scenario.document.find("domains");
  REQUIRE(domains.items.size() == 5);
  CHECK(
      json::compact(domains.items[0]) ==
      R"({"name": "dom0", "vcpus": 2, "weight": 256, "soft_affinity": [[0, 1, 2, 3], [0, 3]], "os": {"model": "linux"}})");
  CHECK(json::compact(domains.items[2]) ==
        R"({"name": "u2", "vcpus": 2, "weight": 512, "cap_pct": 50, "affinity": [2, 3], "os": {"model": "linux"}})");
  CHECK(json::compact(domains.items[4]) ==
        R"({"name": "u4", "vcpus": 2, "weight": 128, "affinity": [[1], [2, 3]], "os": {"model": "linux"}})");
  const auto told = [&](const std::string& sentence) {
    return std::find(scenario.unknown.begin(), scenario.unknown.end(), sentence) != scenario.unknown.end();
  };
  CHECK(told("how many vCPUs u3 has (xl vcpu-list): 1 is taken"));
  CHECK(told("the RTDS budget of u4: xl.cfg cannot say it (xl sched-rtds does)"));
}

TEST_CASE("RTDS's budgets are read per domain") {
  const XlScenario scenario = make_scenario({read_xl(sample("xl-sched-rtds.txt"), "s")}, {});
  CHECK(
      json::compact(scenario.document.find("domains")->items.at(1)) ==
      R"({"name": "u1", "vcpus": 1, "period_us": 10000, "budget_us": 2500, "extratime": false, "os": {"model": "linux"}})");
}
