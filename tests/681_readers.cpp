// What cyclictest, rtla, logic analysers, ftrace and xl write: samples in tests/data and what is read from them.
#include "analysis/data_forms.hpp"
#include "analysis/ftrace_summary.hpp"
#include "analysis/latency_figures.hpp"
#include "analysis/read_cyclictest.hpp"
#include "analysis/read_edges.hpp"
#include "analysis/read_rtla.hpp"
#include "analysis/read_xl.hpp"
#include "analysis/read_xl_cfg.hpp"
#include "analysis/xentrace_summary.hpp"
#include "sample_files.hpp"

using namespace vecusim;
using test::sample;

namespace {

using Counts = std::vector<LatencyCount>;

LatencyReading cyclictest(const std::string& text) { return read_cyclictest(text, "c.txt"); }

}  // namespace

TEST_CASE("each sample is recognised by its content") {
  const std::vector<std::pair<const char*, DataForm>> samples = {{"xentrace-tiny.bin", DataForm::xentrace},
                                                                 {"cyclictest-histogram.txt", DataForm::cyclictest},
                                                                 {"cyclictest-sums.txt", DataForm::cyclictest},
                                                                 {"cyclictest-status.txt", DataForm::cyclictest},
                                                                 {"cyclictest-verbose.txt", DataForm::cyclictest},
                                                                 {"cyclictest.json", DataForm::cyclictest_json},
                                                                 {"osadl-latency.txt", DataForm::latency_matrix},
                                                                 {"rtla-timerlat.txt", DataForm::timerlat},
                                                                 {"rtla-osnoise.txt", DataForm::osnoise},
                                                                 {"saleae.csv", DataForm::saleae},
                                                                 {"sigrok.csv", DataForm::sigrok},
                                                                 {"ftrace.txt", DataForm::ftrace},
                                                                 {"trace-cmd.txt", DataForm::ftrace},
                                                                 {"xl-info.txt", DataForm::xl},
                                                                 {"xl-list.txt", DataForm::xl},
                                                                 {"xl-vcpu-list.txt", DataForm::xl},
                                                                 {"xl-sched-credit2.txt", DataForm::xl},
                                                                 {"xl-sched-rtds.txt", DataForm::xl},
                                                                 {"xl-cpupool-list.txt", DataForm::xl},
                                                                 {"domain.cfg", DataForm::xl_cfg},
                                                                 {"stm32-log.csv", DataForm::bench},
                                                                 {"frames.pcap", DataForm::capture}};
  for (const auto& [name, form] : samples) {
    INFO(name);
    const DataFormEntry* found = data_form_of(sample(name));
    REQUIRE(found != nullptr);
    CHECK(found->form == form);
  }
  CHECK(data_form_of("Hello,\nworld\n") == nullptr);
  CHECK(data_form_of("") == nullptr);
}

TEST_CASE("a cyclictest histogram has its threads' counts, overflows and printed figures") {
  const LatencyReading reading = cyclictest(sample("cyclictest-histogram.txt"));
  REQUIRE(reading.series.size() == 2);
  const LatencySeries& first = reading.series[0];
  CHECK(first.counts == Counts{{65us, 1}, {66us, 32}, {67us, 260}, {68us, 7}});
  CHECK(first.overflows == 2);
  CHECK(first.n() == 302);
  CHECK(first.printed_mean == 139us);
  const LatencyFigures figures = figures_of(first);
  CHECK(figures.max == 1476us);  // which the histogram does not have
  CHECK(figures.quantiles[0] == 67us);
  CHECK(figures.quantiles[2] == 68us);
  CHECK(!figures.quantiles[3]);  // 302 samples say nothing of p99.9
  CHECK(reading.facts[0] == Fact{"overflow_cycles_thread_0", "00012 00288"});
  CHECK(reading.problems.text() ==
        "c.txt:17:1: /: expected all samples below the histogram's limit of 69 us, found thread 0: 2 of 302 beyond, up "
        "to 1476 us: the tail is cut off [warning: cyclictest]\n"
        "c.txt:17:1: /: expected all samples below the histogram's limit of 69 us, found thread 1: 2 of 300 beyond, up "
        "to 112 us: the tail is cut off [warning: cyclictest]\n");
}

TEST_CASE("the column of sums of cyclictest -H is no thread") {
  const LatencyReading reading = cyclictest(sample("cyclictest-sums.txt"));
  REQUIRE(reading.series.size() == 2);
  CHECK(reading.series[1].counts == Counts{{5us, 4}, {6us, 5}});
  CHECK(reading.problems.empty());
}

TEST_CASE("of cyclictest's status lines the last of each thread counts") {
  const LatencyReading reading = cyclictest(sample("cyclictest-status.txt"));
  REQUIRE(reading.series.size() == 2);
  CHECK(reading.problems.empty());
  CHECK(reading.series[0].n() == 100000);
  CHECK(reading.series[0].printed_max == 39242us);
  CHECK(figures_of(reading.series[1]).mean == 13us);
}

TEST_CASE("cyclictest -v gives samples in their order") {
  const LatencyReading reading = cyclictest(sample("cyclictest-verbose.txt"));
  CHECK(reading.problems.empty());
  CHECK(reading.series.at(0).counts == Counts{{92us, 1}, {14us, 1}, {13us, 1}, {15us, 1}});
  CHECK(reading.series.at(1).counts == Counts{{40us, 1}, {12us, 1}});
}

TEST_CASE("bad lines of cyclictest are told with their places, and the others are read") {
  const LatencyReading reading = cyclictest("# Histogram\n000001 000002\n000002 x\nfoo\n000002 000001\t3\n000001 1\n");
  CHECK(reading.series.at(0).counts == Counts{{1us, 2}});
  CHECK(reading.problems.text() ==
        "c.txt:3:8: /: expected a whole number of at most 10^15, found \"x\"\n"
        "c.txt:4:1: /: expected a row of a histogram, a status line or thread:cycle:value, found \"foo\"\n"
        "c.txt:5:1: /: expected 1 counts as in the rows before, found \"000002 000001\\t3\"\n"
        "c.txt:6:1: /: expected more than 1, found \"000001\"\n"
        "c.txt:7:1: /: expected # Total: and the lines behind it, found the end of the file [warning: cyclictest]\n");
}

TEST_CASE("cyclictest --json: sparse buckets, overflows from the cycles, keys with and without colons, no host name") {
  const std::string text = sample("cyclictest.json");
  const LatencyReading reading = read_cyclictest_json(text, "c.json");
  REQUIRE(reading.series.size() == 1);
  CHECK(reading.series[0].counts == Counts{{65us, 1}, {66us, 32}});
  CHECK(reading.series[0].overflows == 2);
  CHECK(reading.series[0].printed_mean == 66us + 250ns);
  CHECK(reading.problems.size() == 1);
  for (const Fact& fact : reading.facts) CHECK(fact.second.find("secret") == std::string::npos);
  CHECK(reading.facts.at(0) == Fact{"command", "cyclictest -h 67 --json=out.json"});
  CHECK(read_cyclictest_json(text.substr(0, text.size() / 2), "c.json").problems.has_errors());
  CHECK(read_cyclictest_json(
            R"({"file_version":1,"thread":{"0":{"histogram":{"x":1},"cycles":1,"min":1,"avg":1,"max":1}}})", "c")
            .problems.text()
            .find("/thread/0/histogram/x: expected a latency, and a count") != std::string::npos);
}

TEST_CASE("OSADL's matrix has a column for each core") {
  const LatencyReading reading = cyclictest(sample("osadl-latency.txt"));
  REQUIRE(reading.series.size() == 2);
  CHECK(reading.series[0].name == "core 0");
  CHECK(reading.series[0].counts == Counts{{2us, 7}, {3us, 90000}, {4us, 1200}, {7us, 1}});
  CHECK(reading.problems.empty());
  CHECK(pooled(reading).n() == 91208 + 81904);
}

TEST_CASE("timerlat's columns are stages, and those of the thread are the latency") {
  const LatencyReading reading = read_rtla_histogram(sample("rtla-timerlat.txt"), "t.txt");
  REQUIRE(reading.series.size() == 4);
  CHECK(reading.series[1].name == "Thr-000");
  CHECK(reading.series[1].counts == Counts{{1us, 57021}, {2us, 2977}, {5us, 2}});
  CHECK(reading.series[1].overflows == 1);
  CHECK(reading.series[0].n() == 60001);
  const LatencySeries all = pooled(reading);
  CHECK(all.n() == 120002);
  CHECK(all.printed_max == 40us);
  CHECK(reading.facts[0].second == "0 00:01:00");
}

TEST_CASE("osnoise's table has noise and its sources for each CPU") {
  const OsNoiseReading reading = read_osnoise(sample("rtla-osnoise.txt"), "o.txt");
  CHECK(reading.problems.empty());
  REQUIRE(reading.cpus.size() == 2);
  CHECK(reading.cpus[0].noise == 8122us);
  CHECK(reading.cpus[0].available_pct == Approx(99.98623));
  CHECK(reading.cpus[0].softirq == 1801);
  CHECK(reading.cpus[1].max_single == 17us);
}

TEST_CASE("edges are paired with the nearest stimulus before them") {
  const EdgesReading edges = read_saleae(sample("saleae.csv"), "s.csv");
  CHECK(edges.problems.empty());
  CHECK(edges.channels == std::vector<std::string>{"Channel 0", "Channel 0"});
  const LatencySeries plain = pair_edges(edges, {});
  CHECK(plain.counts == Counts{{182us + 500ns, 1}, {2184us + 800ns, 1}});
  CHECK(plain.missed == 3);  // at 1.001 s, at 2.001 s before the bounce, and the last
  const LatencySeries calm = pair_edges(edges, {.min_gap = 1ms});
  CHECK(calm.counts == Counts{{182us + 500ns, 1}, {2185us, 1}});
  CHECK(calm.missed == 2);
  CHECK(pair_edges(edges, {.timeout = 1ms}).counts.size() == 1);
  CHECK(pair_edges(edges, {.rise = false}).counts == Counts{{100us, 1}, {100ms, 1}});
}

TEST_CASE("sigrok's samples have their times from the rate") {
  const EdgesReading edges = read_sigrok(sample("sigrok.csv"), "s.csv");
  CHECK(edges.problems.empty());
  CHECK(edges.step == 1us);
  CHECK(pair_edges(edges, {}).counts == Counts{{12us, 1}, {9us, 1}});
  CHECK(read_sigrok("; sigrok\n0,1\n1,1\n", "s.csv").problems.text() ==
        "s.csv:4:1: /: expected a remark with the samplerate, found none: times are not known [warning: sigrok]\n");
}

TEST_CASE("bad rows of logic analysers are told with their places") {
  CHECK(read_saleae("Time [s],a,b\n0,0,0\n0.5,2,0\nx,1,0\n0.4,1,0\n0.3,0,0\n0.6,1\n", "s.csv").problems.text() ==
        "s.csv:3:5: /: expected 0 or 1, found \"2\"\n"
        "s.csv:4:1: /: expected a time in seconds, found \"x\"\n"
        "s.csv:6:1: /: expected a time not before that of the row before, found \"0.3\"\n"
        "s.csv:7:1: /: expected 3 fields, found \"0.6,1\"\n");
}

TEST_CASE("an ftrace gives wake-up delays and the lengths of handlers and softirqs") {
  const FtraceReading trace = read_ftrace(sample("ftrace.txt"), "f.txt");
  CHECK(trace.records.size() == 11);
  CHECK(trace.lost_events == 12);
  CHECK(trace.others == std::map<std::string, std::uint64_t>{{"sys_enter", 1}});
  const FtraceSummary summary = summarize(trace);
  REQUIRE(summary.wakeups.series.size() == 2);
  CHECK(summary.wakeups.series[0].name == "my worker-2-77");
  CHECK(summary.wakeups.series[0].counts == Counts{{25us, 1}});  // from waking on
  CHECK(summary.wakeups.series[1].counts == Counts{{8us, 1}});
  CHECK(summary.handlers.series.at(0).name == "irq 162 arch_timer");
  CHECK(summary.handlers.series.at(0).counts == Counts{{8us, 1}});
  CHECK(summary.softirqs.series.at(0).name == "softirq TIMER");
  CHECK(summary.softirqs.series.at(0).counts == Counts{{7us, 1}});
}

TEST_CASE("trace-cmd's short fields say the same as the kernel's") {
  const FtraceReading trace = read_ftrace(sample("trace-cmd.txt"), "f.txt");
  CHECK(trace.problems.empty());
  REQUIRE(trace.records.size() == 5);
  CHECK(trace.names[trace.records[3].name] == "rt");
  CHECK(trace.records[3].previous_priority == 120);
  CHECK(trace.records[4].previous_state == 'S');
  CHECK(summarize(trace).wakeups.series.at(0).counts == Counts{{8us, 1}});
  CHECK(read_ftrace(" rt-1 [001] 1.5: sched_switch: nonsense\n rt-1 [001] now: x: y\n", "f").problems.text() ==
        "f:1:32: /: expected the fields of sched_switch, found \"nonsense\"\n"
        "f:2:13: /: expected a time in seconds, and a colon, found \"now:\"\n");
}

TEST_CASE("waits after wakes are read from runstates, not from the word that is called so") {
  const XentraceSummary summary = summarize(read_xentrace(sample("xentrace-credit2.bin"), "t.bin"));
  REQUIRE(summary.vcpus.size() == 2);
  CHECK(summary.vcpus[0].vcpu == TracedVcpu{0, 0});
  CHECK(summary.vcpus[0].wake_waits.size() == 5);
  CHECK(summary.vcpus[1].preempted_waits.size() == 4);
  CHECK(summary.switches.at(0) == 10);
  CHECK(summary.wakes == 5);
  const LatencyReading waits = wake_latencies(summary, 62.5e6);
  CHECK(figures_of(waits.series.at(0)).min > 5us);
}

TEST_CASE("any prefix of a text is read without a crash and gives the first of its records") {
  for (const char* name : {"cyclictest-histogram.txt", "cyclictest-verbose.txt", "osadl-latency.txt",
                           "rtla-timerlat.txt", "saleae.csv", "sigrok.csv", "ftrace.txt", "trace-cmd.txt"}) {
    INFO(name);
    const std::string whole = sample(name);
    const DataForm form = data_form_of(whole)->form;
    const LatencyReading all = read_latencies(form, whole, name);
    test::for_prefixes(whole, 400, [&](const std::string& prefix) {
      const LatencyReading some = read_latencies(form, prefix, name);
      CHECK(!some.problems.has_errors());
      for (std::size_t i = 0; i < std::min(some.series.size(), all.series.size()); ++i) {
        const Counts& a = some.series[i].counts;
        const Counts& b = all.series[i].counts;
        if (some.series[i].name != all.series[i].name) continue;  // one of the first is not there yet
        REQUIRE(a.size() <= b.size());
        CHECK(std::equal(a.begin(), a.end(), b.begin()));
      }
    });
  }
}

TEST_CASE("xl's tables are read by their headers, and the host's name is not kept") {
  const XlReading info = read_xl(sample("xl-info.txt"), "xl");
  CHECK(info.problems.empty());
  CHECK(info.info_of("xen_version") == "4.17.7");
  CHECK(info.info_of("nr_cpus") == "4");
  CHECK(info.info_of("host").empty());

  const XlReading vcpus = read_xl(sample("xl-vcpu-list.txt"), "xl");
  CHECK(vcpus.problems.empty());
  REQUIRE(vcpus.vcpus.size() == 6);
  CHECK(vcpus.vcpus[1].soft == std::vector<std::int64_t>{0, 3});
  CHECK(!vcpus.vcpus[1].hard);
  CHECK(vcpus.vcpus[3].hard == std::vector<std::int64_t>{2, 3});
  CHECK(!vcpus.vcpus[5].pcpu);  // offline

  const XlReading shares = read_xl(sample("xl-sched-credit2.txt"), "xl");
  CHECK(shares.pools.at(0).ratelimit_us == 1000);
  CHECK(shares.shares.at(2).weight == 512);
  CHECK(shares.shares.at(2).cap == 50);

  const XlReading budgets = read_xl(sample("xl-sched-rtds.txt"), "xl");
  CHECK(budgets.budgets.at(1).budget == 2500us);
  CHECK(!budgets.budgets.at(1).extratime);
  CHECK(budgets.pools.at(0).scheduler == "rtds");

  CHECK(read_xl(sample("xl-list.txt"), "xl").domains.at(0).memory_mib == 768);
  CHECK(read_xl(sample("xl-cpupool-list.txt"), "xl").pools.at(0).scheduler == "null");
  CHECK(read_xl("Name  ID  VCPU   CPU State   Time(s) Affinity (Hard / Soft)\nu1 1 0 1 r-- 4.5 1-x / all\n", "xl")
            .problems.text() == "xl:2:1: /: expected a row as its header says, found \"u1 1 0 1 r-- 4.5 1-x / all\"\n");
}

TEST_CASE("xl's lists of pCPUs") {
  CHECK(!parse_xl_cpus("all").value());
  CHECK(parse_xl_cpus("0,3-5") == XlCpus{{0, 3, 4, 5}});
  for (const char* text : {"", "3-1", "x", "1,", "256", "1-"}) CHECK(!parse_xl_cpus(text));
}

TEST_CASE("a domain's configuration: strings, numbers, lists over lines, remarks") {
  const XlConfig config = read_xl_cfg(sample("domain.cfg"), "d.cfg");
  CHECK(config.problems.empty());
  CHECK(config.text("name") == "u2");
  CHECK(config.number("vcpus") == 2);
  CHECK(config.find("cpus")->list);
  CHECK(config.find("cpus")->items == std::vector<std::string>{"2", "3"});
  CHECK(config.find("vif")->items.at(0) == "mac=00:16:3e:00:00:01,bridge=xenbr0,rate=10Mb/s");
  CHECK(read_xl_cfg("name = \"a\nvcpus = x y\ncap 5\nok=1\ncpus = [\"1\"", "d.cfg").problems.text() ==
        "d.cfg:1:10: /: expected a closing \", found \"\"\n"
        "d.cfg:2:9: /: expected a string in quotes, a number or a list, found \"x y\"\n"
        "d.cfg:3:5: /: expected = behind cap, found \"5\"\n"
        "d.cfg:5:12: /: expected , or ] in a list, found the end of the file [warning: xl-cfg]\n");
}

TEST_CASE("any prefix of xl's texts is read without a crash and gives the first of its rows") {
  const std::string whole = sample("xl-vcpu-list.txt");
  test::for_prefixes(whole, 1000, [&](const std::string& prefix) {
    const XlReading some = read_xl(prefix, "xl");
    CHECK(!some.problems.has_errors());
    CHECK(some.vcpus.size() <= 6);
  });
  const std::string config = sample("domain.cfg");
  test::for_prefixes(config, 1000, [&](const std::string& prefix) {
    for (const auto& [key, value] : read_xl_cfg(prefix, "d.cfg").values) {
      CHECK(read_xl_cfg(config, "d.cfg").find(key)->items == value.items);
    }
  });
}

TEST_CASE("a histogram is a sample for bench data, and a row of figures if its tail is cut off") {
  const BenchData sums = bench_data_of(cyclictest(sample("cyclictest-sums.txt")), "c.txt");
  const auto& samples = std::get<BenchSamples>(sums.content);
  CHECK(samples.latencies.size() == 20);
  CHECK(samples.step == 2us);  // values are cut off to whole ones
  const BenchData cut_off = bench_data_of(cyclictest(sample("cyclictest-histogram.txt")), "c.txt");
  const BenchRow& row = std::get<std::vector<BenchRow>>(cut_off.content).at(0);
  CHECK(row.n == 602);
  CHECK(row.figures.at(Statistic::max).value == 1476us);
  CHECK(row.figures.at(Statistic::p50).value == 67us);
  CHECK(cut_off.warnings.size() == 2);
}
