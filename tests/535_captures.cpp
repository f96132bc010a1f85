// Captures of frames: read by libpcap, beside the scenario that names them, and replayed.
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "engine/trace.hpp"
#include "system/replication.hpp"
#include "system/scenario.hpp"

using namespace vecusim;

namespace {

/// A file in the classic format of pcap, with microseconds.
class Pcap {
 public:
  explicit Pcap(std::uint32_t link = 1) {
    word(0xa1b2c3d4);
    word(4U << 16 | 2U);  // version 2.4
    word(0);
    word(0);
    word(65535);
    word(link);
  }
  Pcap& frame(std::uint32_t at_us, std::uint32_t length) {
    constexpr std::uint32_t kBegan = 1'700'000'000;
    word(kBegan + at_us / 1'000'000);
    word(at_us % 1'000'000);
    word(4);  // of it, this much is in the file
    word(length);
    word(0);
    return *this;
  }
  std::string bytes;

 private:
  void word(std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xffU));
  }
};

struct Delivered final : TraceSink {
  void on(const Frames& event) override {
    if (event.what == FrameEvent::delivered) frames += event.count;
  }
  std::uint64_t frames = 0;
};

const std::filesystem::path kPath = std::filesystem::temp_directory_path() / "vecusim-capture.pcap";

Settings replay(const std::string& bytes) {
  std::ofstream(kPath, std::ios::binary) << bytes;
  return {"/network/flows/0/arrivals=recorded", "/network/flows/0/file=" + kPath.string()};
}

Problem problem_of(const std::string& bytes) {
  try {
    load_scenario("vc3-native-rx", replay(bytes));
  } catch (const InvalidInput& error) {
    if (!error.problems().kept().empty()) return error.problems().kept().front();
  }
  return {};
}

}  // namespace

TEST_CASE("A capture gives times from its first frame on, and sizes on the wire") {
  const LoadedScenario loaded =
      load_scenario("vc3-native-rx", replay(Pcap().frame(5, 1514).frame(30, 42).frame(1'000'005, 100).bytes));
  const FlowConfig& flow = loaded.scenario.network->flows.front();
  CHECK(flow.times == std::vector<Duration>{0us, 25us, 1s});
  CHECK(flow.sizes_bytes == std::vector<double>{1538, 84, 124});  // 42 bytes are padded to 60
  REQUIRE(loaded.inputs.size() >= 2);
}

TEST_CASE("A capture is read if its flow, or all flows, are set with it") {
  const Settings file = replay(Pcap().frame(5, 1514).frame(30, 42).bytes);  // writes it
  const std::string flow =
      R"({"name":"udp","direction":"rx","domain":"linux","arrivals":"recorded","file":")" + kPath.string() + R"("})";
  for (const std::string& setting : {"/network/flows/0=" + flow, "/network/flows=[" + flow + "]"}) {
    const LoadedScenario loaded = load_scenario("vc3-native-rx", {setting});
    CHECK(loaded.scenario.network->flows.front().times.size() == 2);
    CHECK_THROWS_AS(with_values(loaded, {{"/network/flows/0/file", json::Node::string("other.pcap")}}), InvalidInput);
  }
}

TEST_CASE("Captured frames arrive once, each at its time") {
  Pcap capture;
  for (std::uint32_t i = 0; i < 100; ++i) capture.frame(i * 50, i % 2 == 0 ? 1514 : 60);
  const Scenario scenario = load_scenario("vc3-native-rx", replay(capture.bytes)).scenario;
  QuantileTables tables;
  Replication run(scenario, tables, 1, 0);
  Delivered delivered;
  run.attach(delivered);
  run.run();
  CHECK(delivered.frames == 100);
}

TEST_CASE("What is no capture of single Ethernet frames is a problem that says so") {
  const Problem text = problem_of("time,length\n");
  CHECK(text.pointer == "/network/flows/0/file");
  CHECK(text.expected.find("libpcap") != std::string::npos);
  CHECK(problem_of(Pcap(101).frame(0, 60).bytes).expected.find("Ethernet") != std::string::npos);
  CHECK(problem_of(Pcap().frame(0, 9000).bytes).expected.find("offloads") != std::string::npos);
  CHECK(problem_of(Pcap().bytes).found == "none");
  std::string cut = Pcap().frame(0, 60).frame(10, 60).bytes;
  cut.pop_back();
  CHECK(problem_of(cut).expected == "a whole capture");
}

TEST_CASE("A flow that is recorded and has nothing to replay is a problem") {
  CHECK_THROWS_AS(load_scenario("vc3-native-rx", {"/network/flows/0/arrivals=recorded"}), InvalidInput);
  CHECK_THROWS_AS(load_scenario("vc3-bridge-tx", replay(Pcap().frame(0, 60).bytes)), InvalidInput);
}
