// The network: closed forms of batches, conservation, load that adds up, and what surprises.
#include <cmath>
#include <map>
#include <string>

#include "analysis/experiment.hpp"
#include "analysis/load_sink.hpp"
#include "analysis/network_sink.hpp"
#include "catch.hpp"
#include "system_bench.hpp"
#include "xen_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

/// Dependent on nothing but what a test sets: every cost is zero.
Scenario ideal(const std::string& preset, const Settings& settings, const std::map<std::string, double>& costs) {
  Scenario scenario = load_scenario(preset, settings).scenario;
  make_ideal(scenario);
  for (const auto& [name, value] : costs) scenario.costs.at(name).value = value;
  scenario.costs.at("rswitch2.bus").value = 1e9;
  scenario.costs.at("rswitch2.buffer").value = 1e9;
  return scenario;
}

struct NetworkRun {
  std::vector<FlowTally> flows;
  std::vector<std::uint64_t> queued;
  LoadTally load;
  double seconds = 0.0;

  double batch() const { return static_cast<double>(flows.at(0).batched) / static_cast<double>(flows.at(0).batches); }
  double mean_us() const { return flows.at(0).latency.mean_us(); }
  /// In percent of one pCPU.
  double pct(std::string_view domain) const {
    Wide sum = 0;
    for (const LoadTally::Party& party : load.parties) {
      for (const Wide part : party.contexts) sum += party.name == domain ? part : 0;
    }
    return static_cast<double>(sum) / seconds * 1e-10;
  }
};

NetworkRun run_network(const Scenario& scenario) {
  QuantileTables tables;
  Replication run(scenario, tables, scenario.run.seed, 0);
  NetworkSink network(run.view().flows.size(), kStart);
  LoadSink load(run.view(), kStart);
  run.attach(network);
  run.attach(load);
  run.run();
  NetworkRun result;
  result.flows = network.take();
  result.queued = run.queued_frames();
  result.load = load.finish(run.end());
  result.seconds = to_s(run.end() - kStart);
  return result;
}

NetworkRun run_network(const std::string& preset, Settings settings) {
  settings.emplace_back("/run/warmup_ms=0");
  settings.emplace_back("/run/measure_ms=200");
  return run_network(load_scenario(preset, settings).scenario);
}

std::string flow(const std::string& values) {
  return "/network/flows=[{\"name\":\"udp\",\"domain\":\"domU\"," + values + "}]";
}

Settings at_rate(double mbps) { return {"/network/flows/0/rate_mbps=" + std::to_string(mbps)}; }

/// Frames per second of 1538 bytes at 1 Gb/s.
constexpr double kLineRate = 1e9 / (1538 * 8);

}  // namespace

// Specification of the mechanisms, section 5.5: an interrupt-then-poll queue with entry latency d and cost c per frame.

TEST_CASE("batches at a constant rate follow their closed form") {
  for (const auto& [d_us, c_us] :
       {std::pair{6.0, 3.0}, std::pair{6.0, 6.0}, std::pair{20.0, 3.0}, std::pair{30.0, 8.0}}) {
    const Scenario scenario = ideal("vc3-native-rx", {"/run/measure_ms=500"},
                                    {{"rswitch2.write_arrives", d_us}, {"net.driver_rx.cycles", c_us * 1500}});
    const double lam = kLineRate * 1e-6;  // per us
    const double expected = std::floor(lam * d_us / (1.0 - lam * c_us)) + 1.0;
    CAPTURE(d_us, c_us);
    CHECK(run_network(scenario).batch() == Approx(expected).epsilon(0.02));
  }
}

TEST_CASE("batches of Poisson arrivals follow their closed form") {
  for (const auto& [mbps, d_us, c_us] : {std::tuple{1000.0, 6.0, 3.0}, std::tuple{1000.0, 20.0, 3.0},
                                         std::tuple{600.0, 10.0, 7.0}, std::tuple{250.0, 6.0, 3.0}}) {
    const Scenario scenario = ideal("vc3-native-rx",
                                    {"/run/measure_ms=2000", "/network/flows/0/arrivals=poisson",
                                     "/network/flows/0/rate_mbps=" + std::to_string(mbps)},
                                    {{"rswitch2.write_arrives", d_us}, {"net.driver_rx.cycles", c_us * 1500}});
    const double lam = kLineRate * mbps * 1e-9;
    CAPTURE(mbps, d_us, c_us);
    CHECK(run_network(scenario).batch() == Approx((1.0 + lam * d_us) / (1.0 - lam * c_us)).epsilon(0.02));
  }
}

TEST_CASE("a masked hand-shake's batches follow their closed form") {
  for (const auto& [irq_us, upcall_us, c_us] :
       {std::tuple{10.0, 10.0, 3.0}, std::tuple{20.0, 20.0, 3.0}, std::tuple{10.0, 10.0, 8.0}}) {
    constexpr double kWrite = 5.0;
    const Scenario scenario = ideal("vc3-rswitch2-rx", {"/run/measure_ms=500"},
                                    {{"rswitch2.write_arrives", kWrite},
                                     {"net.irq.cycles", irq_us * 1500},
                                     {"net.upcall.cycles", upcall_us * 1500},
                                     {"net.shared_rx.cycles", c_us * 1500}});
    const double lam = kLineRate * 1e-6;
    // To the poll: the handler, two events' handlers in the domain; from it: dom0's handler, and the write.
    const double loop_us = irq_us + 2 * upcall_us + upcall_us + kWrite;
    CAPTURE(irq_us, upcall_us, c_us);
    CHECK(run_network(scenario).batch() == Approx(lam * loop_us / (1.0 - lam * c_us)).epsilon(0.02));
  }
}

TEST_CASE("a batch is one frame at a low rate, and a poll's budget when the domain is saturated") {
  CHECK(run_network("vc3-bridge-rx", at_rate(1.0)).batch() == Approx(1.0).epsilon(0.001));
  const NetworkRun flood =
      run_network("vc3-bridge-rx", {flow(R"("direction":"rx","rate_mbps":1000,"frame_bytes":84)")});
  CHECK(flood.batch() > 60.0);
  CHECK(flood.flows[0].dropped > 0);
}

TEST_CASE("every frame is delivered, dropped or under way") {
  for (const std::string preset :
       {"vc3-bridge-rx", "vc3-rswitch2-rx", "vc3-bridge-tx", "vc3-rswitch2-tx", "vc3-passthrough"}) {
    for (const std::string arrivals : {"constant", "poisson", "burst"}) {
      for (const char* frame : {"84", "400", "1538"}) {
        for (const char* rate : {"30", "990"}) {
          const NetworkRun run = run_network(
              preset,
              {std::string("/network/flows/0/frame_bytes=") + frame, std::string("/network/flows/0/rate_mbps=") + rate,
               "/network/flows/0/arrivals=" + arrivals, R"(/domains/1/tasks=[{"name":"hog","model":"hog"}])"});
          const FlowTally& udp = run.flows[0];
          CAPTURE(preset, arrivals, frame, rate);
          CHECK(udp.offered > 0);
          CHECK(udp.delivered > 0);
          CHECK(udp.offered == udp.delivered + udp.dropped + run.queued[0]);
        }
      }
    }
  }
}

namespace {

/// One domain receives, another one sends.
Settings two_domains(const std::string& path, const std::string& more) {
  return {R"(/domains/-={"name":"domV","vcpus":1,"os":{"model":"linux"}})", "/network/path=" + path,
          R"(/network/flows=[{"name":"in","domain":"domU","direction":"rx","rate_mbps":300},)"
          R"({"name":"out","domain":"domV","direction":"tx","rate_mbps":200)" +
              more + "}]"};
}

bool conserves(const NetworkRun& run) {
  for (std::size_t i = 0; i < run.flows.size(); ++i) {
    const FlowTally& flow = run.flows[i];
    if (flow.offered != flow.delivered + flow.dropped + run.queued[i]) return false;
  }
  return true;
}

double delivered(const NetworkRun& run, std::size_t flow) {
  return static_cast<double>(run.flows[flow].delivered) / static_cast<double>(run.flows[flow].offered);
}

}  // namespace

TEST_CASE("Every frame is accounted for where one domain receives and another one sends") {
  for (const std::string path : {"bridge", "rswitch2", "passthrough"}) {
    for (const char* completion : {"false", "true"}) {
      for (const char* moderation : {"0", "100"}) {
        for (const char* more : {R"(,"frame_bytes":400)", R"(,"arrivals":"burst")"}) {
          Settings settings = two_domains(path, more);
          settings.push_back(std::string("/network/tx_completion_irq=") + completion);
          settings.push_back(std::string("/network/moderation_us=") + moderation);
          const NetworkRun run = run_network("vc3-rswitch2-rx", settings);
          CAPTURE(path, completion, moderation, more);
          CHECK(conserves(run));
          CHECK(delivered(run, 0) > 0.98);
          CHECK(delivered(run, 1) > 0.98);
        }
      }
    }
  }
}

TEST_CASE("Who waits for a descriptor is told, whoever has had the last one") {
  for (const char* path : {"native", "bridge"}) {
    Settings settings = {"/network/tx_descriptors=1",
                         R"(/network/flows=[{"name":"a","domain":"linux","direction":"tx","rate_mbps":100},)"
                         R"({"name":"b","domain":"linux","direction":"tx","rate_mbps":100,"arrivals":"poisson"}])"};
    const bool native = std::string(path) == "native";
    if (!native) {
      settings[1] = R"(/network/flows=[{"name":"a","domain":"dom0","direction":"tx","rate_mbps":100},)"
                    R"({"name":"b","domain":"domU","direction":"tx","rate_mbps":100,"arrivals":"poisson"}])";
    }
    const NetworkRun run = run_network(native ? "vc3-native-rx" : "vc3-bridge-tx", settings);
    CAPTURE(path);
    CHECK(conserves(run));
    CHECK(delivered(run, 0) > 0.9);
    if (native) CHECK(delivered(run, 1) > 0.9);
  }
}

TEST_CASE("Who waits for a slot of the ring is told when there is one") {
  Settings settings = {"/costs/xen.grant_unmap/value=20",
                       R"(/network/flows=[{"name":"a","domain":"domU","direction":"tx","rate_mbps":400},)"
                       R"({"name":"b","domain":"domU","direction":"tx","rate_mbps":400}])"};
  const NetworkRun run = run_network("vc3-bridge-tx", settings);
  CHECK(conserves(run));
  // Unmapping is the bottleneck: what it lets pass is shared.
  CHECK(run.flows[0].delivered > 1000);
  CHECK(run.flows[1].delivered > 1000);
  CHECK(static_cast<double>(run.flows[0].delivered + run.flows[1].delivered) < 0.2 * 1e6 / 20);
}

// A window.

TEST_CASE("A window's throughput is what is outstanding over the time that it takes, at most the rate") {
  const auto pps = [](const char* direction, const char* peer_us, const char* frames_bytes) {
    const Scenario scenario = ideal(
        "vc3-native-rx",
        {"/run/warmup_ms=0", "/run/measure_ms=200",
         std::string(R"(/network/flows=[{"name":"w","domain":"linux","arrivals":"window","direction":")") + direction +
             R"(","rate_mbps":1000,"peer_us":)" + peer_us + R"(,"window_bytes":)" + frames_bytes + "}]"},
        {});
    const NetworkRun run = run_network(scenario);
    CHECK(conserves(run));
    return static_cast<double>(run.flows[0].delivered) / run.seconds;
  };
  CHECK(pps("rx", "200", "6152") == Approx(4 / 200e-6).epsilon(0.01));  // 4 frames
  CHECK(pps("rx", "200", "1") == Approx(1 / 200e-6).epsilon(0.01));
  CHECK(pps("rx", "20", "61520") == Approx(kLineRate).epsilon(0.01));
  CHECK(pps("tx", "0", "1") == Approx(kLineRate).epsilon(0.01));  // its buffer is free when the frame has left
  CHECK(pps("tx", "0", "61520") == Approx(kLineRate).epsilon(0.01));
}

TEST_CASE("A window goes on whatever is dropped, on every path") {
  for (const std::string path : {"bridge", "rswitch2", "passthrough"}) {
    for (const char* descriptors : {"2", "256"}) {
      const NetworkRun run = run_network(
          "vc3-rswitch2-rx",
          {"/network/path=" + path, "/network/tx_completion_irq=true",
           std::string("/network/rx_descriptors=") + descriptors,
           R"(/network/flows=[{"name":"in","domain":"domU","direction":"rx","arrivals":"window","rate_mbps":900},)"
           R"({"name":"out","domain":"domU","direction":"tx","arrivals":"window","rate_mbps":900}])"});
      CAPTURE(path, descriptors);
      CHECK(conserves(run));
      CHECK(run.flows[0].delivered > 1000);
      CHECK(run.flows[1].delivered > 1000);
    }
  }
}

// A batch's price.

TEST_CASE("A batch with frames of two ways costs each of them its own") {
  // dom0's queue has frames for dom0 itself, which IP and UDP see there, and for its bridge.
  const Scenario scenario =
      ideal("vc3-bridge-rx",
            {"/run/warmup_ms=0", "/run/measure_ms=200",
             R"(/network/flows=[{"name":"u","domain":"domU","direction":"rx","rate_mbps":400,"frame_bytes":1538},)"
             R"({"name":"0","domain":"dom0","direction":"rx","rate_mbps":100,"frame_bytes":200}])"},
            {{"net.ip_rx.cycles", 1500.0 * 2}, {"net.bridge.cycles", 1500.0 * 4}});
  const double us = 400e6 / (1538 * 8) * 4 + 100e6 / (200 * 8) * 2;
  CHECK(run_network(scenario).pct("dom0") == Approx(us * 1e-4).epsilon(0.02));
}

TEST_CASE("Of frames that a domain sends only those are mapped that are longer than what is copied of them") {
  const Scenario scenario =
      ideal("vc3-bridge-tx",
            {"/run/warmup_ms=0", "/run/measure_ms=200",
             R"(/network/flows=[{"name":"long","domain":"domU","direction":"tx","rate_mbps":200,"frame_bytes":1538},)"
             R"({"name":"short","domain":"domU","direction":"tx","rate_mbps":20,"frame_bytes":100}])"},
            {{"xen.grant_map", 3.0}, {"xen.grant_unmap", 2.0}});
  const double us = 200e6 / (1538 * 8) * 5;
  CHECK(run_network(scenario).pct("dom0") == Approx(us * 1e-4).epsilon(0.02));
}

TEST_CASE("Netback's queue is limited by bytes, whatever other flows there are") {
  const NetworkRun run = run_network(
      "vc3-bridge-rx", {"/costs/net.netback_rx.cycles/value=1500000",
                        R"(/network/flows=[{"name":"long","domain":"domU","direction":"rx","rate_mbps":500},)"
                        R"({"name":"short","domain":"domU","direction":"rx","rate_mbps":0.01,"frame_bytes":84}])"});
  CHECK(conserves(run));
  // 87 in its queue, 32 of the interface, one batch of 64 of the thread's, and the device's 256.
  CHECK(run.queued[0] > 87);
  CHECK(run.queued[0] < 87 + 32 + 64 + 256);
}

TEST_CASE("A domain that has its own queue pays for freeing what it has sent") {
  for (const char* completion : {"false", "true"}) {
    const Scenario scenario =
        ideal("vc3-rswitch2-tx",
              {"/run/warmup_ms=0", "/run/measure_ms=400", std::string("/network/tx_completion_irq=") + completion},
              {{"net.free.cycles", 1500.0}});  // 1 us
    CHECK(run_network(scenario).pct("domU") == Approx(600e6 / (1538 * 8) * 1e-4).epsilon(0.02));
  }
}

TEST_CASE("load with a network adds up to the machine, exactly") {
  for (const std::string preset :
       {"vc3-bridge-rx", "vc3-rswitch2-rx", "vc3-bridge-tx", "vc3-rswitch2-tx", "vc3-passthrough"}) {
    const NetworkRun run = run_network(preset, {});
    Wide sum = 0;
    for (const LoadTally::Party& party : run.load.parties) {
      for (const Wide part : party.contexts) sum += part;
    }
    CAPTURE(preset);
    CHECK(static_cast<std::uint64_t>(sum) == static_cast<std::uint64_t>(run.load.capacity));
  }
}

TEST_CASE("payload never exceeds what a port carries") {
  const double payload =
      static_cast<double>(run_network("vc3-rswitch2-rx", {}).flows[0].delivered) * 1472 * 8 / 0.2 * 1e-6;
  CHECK(payload > 950.0);
  CHECK(payload <= 957.2);
}

TEST_CASE("a rate that no port carries is an error that names the limit") {
  const auto load = [] { load_scenario("vc3-rswitch2-rx", {"/network/flows/0/rate_mbps=1045"}); };  // 1 Gb/s of payload
  try {
    load();
    FAIL("accepted");
  } catch (const InvalidInput& invalid) {
    REQUIRE(invalid.problems().kept().size() == 1);
    const Problem& problem = invalid.problems().kept().front();
    CHECK(problem.pointer == "/network/flows/0/rate_mbps");
    CHECK(problem.expected.find("1000 Mb/s") != std::string::npos);
    CHECK(problem.expected.find("957") != std::string::npos);
    CHECK(problem.found == "1045");
  }
}

TEST_CASE("A network where no model has one, or in a kernel without drivers, is a problem that says where") {
  const auto problems = [](const std::string& preset, const Settings& settings) {
    std::vector<std::string> pointers;
    try {
      load_scenario(preset, settings);
    } catch (const InvalidInput& invalid) {
      for (const Problem& problem : invalid.problems().kept()) pointers.push_back(problem.pointer);
    }
    return pointers;
  };
  const std::string native = R"("path":"native","flows":[{"name":"u","domain":"host","rate_mbps":1}])";
  CHECK(problems("pi4-kvm", {"/network={" + native + "}", "/run/measure_ms=10"}) ==
        std::vector<std::string>{"/network"});
  CHECK(problems("vc3-bridge-rx", {"/network/path=native"}) == std::vector<std::string>{"/network/path"});
  // Once, however many flows need it.
  const std::string flows =
      R"([{"name":"a","domain":"domU","rate_mbps":1},{"name":"b","domain":"domU","rate_mbps":1}])";
  CHECK(problems("vc3-bridge-rx", {"/network/flows=" + flows, "/domains/0/os/preempt=rt"}) ==
        std::vector<std::string>{"/domains/0/os"});
  CHECK(problems("vc3-passthrough", {"/domains/0/os/preempt=rt"}).empty());
}

// Section 9, experiment 18, and what surprises.

TEST_CASE("the bridge's load grows with the rate, ever more slowly; shared queues' does not") {
  std::vector<double> bridge;
  std::vector<double> shared;
  for (const double mbps : {100.0, 400.0, 700.0, 1000.0}) {
    bridge.push_back(run_network("vc3-bridge-rx", at_rate(mbps)).pct("dom0"));
    shared.push_back(run_network("vc3-rswitch2-rx", at_rate(mbps)).pct("dom0"));
  }
  for (std::size_t i = 1; i < bridge.size(); ++i) {
    CHECK(bridge[i] > bridge[i - 1]);
    if (i > 1) CHECK(bridge[i] - bridge[i - 1] < bridge[i - 1] - bridge[i - 2]);
  }
  CHECK(shared[3] < 1.1 * shared[2]);
}

TEST_CASE("at a low rate shared queues save nothing, at line rate they do, and the domain pays the same") {
  const auto ratio = [](double mbps, const char* domain) {
    return run_network("vc3-rswitch2-rx", at_rate(mbps)).pct(domain) /
           run_network("vc3-bridge-rx", at_rate(mbps)).pct(domain);
  };
  CHECK(ratio(20.0, "dom0") > 0.85);
  CHECK(ratio(1000.0, "dom0") < 0.6);
  CHECK(ratio(1000.0, "domU") == Approx(1.0).epsilon(0.1));
}

TEST_CASE("a slower loop of notifications lowers dom0's load and raises the latency") {
  const NetworkRun fast = run_network("vc3-rswitch2-rx", {});
  const NetworkRun slow = run_network("vc3-rswitch2-rx", {"/costs/rswitch2.write_arrives/value=40"});
  CHECK(slow.pct("dom0") < 0.9 * fast.pct("dom0"));
  CHECK(slow.mean_us() > fast.mean_us());
}

TEST_CASE("what a frame costs the bridge grows with its size by the copy alone") {
  // The same frames per second, 400 and 1538 bytes.
  const double small =
      run_network("vc3-bridge-rx", {flow(R"("direction":"rx","rate_mbps":104.031,"frame_bytes":400)")}).pct("dom0");
  const double large =
      run_network("vc3-bridge-rx", {flow(R"("direction":"rx","rate_mbps":400,"frame_bytes":1538)")}).pct("dom0");
  const double pps = 400e6 / (1538 * 8);
  CHECK(large - small == Approx(pps * (1538 - 400) * 400e-12 * 100).margin(0.4));
}

TEST_CASE("dom0's work waits for its pCPU like any other") {
  const auto beside_hog = [](const char* affinity) {
    Settings settings = at_rate(200.0);
    settings.emplace_back(
        R"(/domains/-={"name":"busy","os":{"model":"linux"},"tasks":[{"name":"hog","model":"hog"}]})");
    settings.emplace_back("/domains/0/affinity=[0]");
    settings.emplace_back(std::string("/domains/2/affinity=") + affinity);
    return run_network("vc3-bridge-rx", settings).mean_us();
  };
  CHECK(beside_hog("[0]") > 1.5 * beside_hog("[3]"));
}
