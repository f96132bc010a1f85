// Text reports and explanations: what they say, and that they fit a terminal of 80 columns.
#include <sstream>
#include <string>
#include <vector>

#include "analysis/explain.hpp"
#include "analysis/report_text.hpp"
#include "analysis/text_layout.hpp"
#include "analysis/text_plot.hpp"
#include "catch.hpp"
#include "system/json_print.hpp"
#include "system/utf8.hpp"

using namespace vecusim;

namespace {

constexpr const char* kTitle =
    "A title of a scenario that is too long for one line of a terminal, so that it is broken";
constexpr std::size_t kRatelimit = static_cast<std::size_t>(Wait::ratelimit);
constexpr std::size_t kMasked = static_cast<std::size_t>(Wait::masked);

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    most = std::max(most, utf8_characters(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return most;
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// A hundred answers of which the slowest waited for the rate limit.
Explanation::Interrupt slow() {
  Explanation::Interrupt interrupt;
  interrupt.name = "edge";
  interrupt.from = "edge";
  interrupt.to = "response";
  interrupt.stages = {"gpio edge", "wake", "isr"};
  interrupt.n = 100;
  interrupt.p50 = 181900ns;
  interrupt.sums.resize(3);
  interrupt.sums[0].service = 100us;
  interrupt.sums[1].waits[kRatelimit] = 900us;
  interrupt.sums[2].service = 17000us;
  WorstFlight& flight = interrupt.worst.emplace_back();
  flight.replication = 3;
  flight.flight = 41;
  flight.began = kStart + 41s + 123ns;
  flight.stages.resize(3);
  flight.stages[0].service = 1us;
  flight.stages[0].waits[kMasked] = 2us;
  flight.stages[1].waits[kRatelimit] = 870us;
  flight.stages[1].longest_wait = 870us;
  flight.stages[2].service = 171us;
  flight.latency = 1044us;
  flight.blamed = {"", "domU/0", ""};
  return interrupt;
}

Result sample_result() {
  Result result;
  result.scenario = json::Node::object();
  result.scenario.set("title", json::Node::string(kTitle));
  LatencyResult& latency = result.latency.emplace_back();
  latency.name = "edge";
  latency.from = "edge";
  latency.to = "response";
  latency.n = 100;
  latency.lost = 2;
  latency.sum = 18200us;
  latency.mean_us = 182.0;
  latency.std_us = 12.345678;
  latency.min = 175us;
  latency.max = 270us;
  latency.quantiles[0].value = 181900ns;
  latency.requirement = RequirementResult{500us, 95.0, "B", 2, 102, 19607.8, 60500.1, true};
  latency.stages.push_back({"a stage with a name that is rather long", 9100us, {}});
  latency.stages.push_back({"wake", 0us, {}});
  latency.stages[1].waits[kRatelimit] = 9100us;
  result.load.push_back({"dom0", {0, 1.5, 2.5, 0.25, 0.125, 0}, 4.375, 1.09});
  result.load.push_back({"idle", {395.6, 0, 0, 0, 0, 0}, 395.6, 98.9});
  return result;
}

}  // namespace

TEST_CASE("numbers have four digits, and never more than three decimals") {
  CHECK(four_digits(0.0) == "0");
  CHECK(four_digits(0.0001) == "0");
  CHECK(four_digits(0.01234) == "0.012");
  CHECK(four_digits(9.99961) == "10.00");
  CHECK(four_digits(182.44) == "182.4");
  CHECK(four_digits(182.46) == "182.5");
  CHECK(four_digits(99999.0) == "100000");
  CHECK(four_digits(1054321.0) == "1054000");
  CHECK(four_digits(-2.5) == "-2.500");
  CHECK(four_digits(1500ns) == "1.500");
}

TEST_CASE("padding counts characters, not bytes") {
  CHECK(flush_right("µs", 4) == "  µs");
  CHECK(flush_left("–", 3) == "–  ");
  CHECK(flush_right("too long", 3) == "too long");
}

TEST_CASE("long lines are broken at blanks") {
  CHECK(wrapped("one two three", 80, 2) == "one two three");
  CHECK(wrapped("one two three", 7, 2) == "one two\n  three");
  CHECK(wrapped("µµµ µµµ µµµ", 9, 1, 2) == "µµµ µµµ\n µµµ");
  CHECK(wrapped("extraordinary a b", 5, 1) == "extraordinary\n a b");
  CHECK(wrapped("", 5, 1) == "");
}

TEST_CASE("a bar grows by eighths of a character") {
  CHECK(bar(0.0, 8) == "");
  CHECK(bar(1.0, 3) == "███");
  CHECK(bar(0.5, 3) == "█▌");
  CHECK(bar(7.0, 2) == "██");
}

TEST_CASE("a result's text tells latency, verdict, stages and load within 80 columns") {
  const std::string text = to_text(sample_result(), false);
  INFO(text);
  CHECK(widest(text) <= 80);
  CHECK(says(text, "A title of a scenario that is too long for one line of a terminal, so that it is\nbroken\n"));
  CHECK_FALSE(says(text, " \n"));
  CHECK(says(text, "edge: from edge to response, in µs\n"));
  CHECK(says(text, "100 answers, 0 of them late; 2 lost, 0 merged\n"));
  CHECK(says(text, "    182.0    12.35    175.0    181.9        –        –        –    270.0\n"));
  CHECK(says(text, "95 % within 500 µs (ASIL B): met\n"));
  CHECK(says(text, "2 of 102 missed it: 19610 ppm, with 95 % confidence at most 60500 ppm\n"));
  CHECK(says(text, "  wake                                0    91.00  ratelimit    50 % ██████\n"));
  CHECK(says(text, "dom0                4.375 %  1.090 %"));
  CHECK(says(text, "per second: 0 interrupts"));
  CHECK_FALSE(says(text, "\x1b"));
}

TEST_CASE("colours do not move anything") {
  std::string coloured = to_text(sample_result(), true);
  REQUIRE(says(coloured, "\x1b[32mmet\x1b[0m"));
  std::size_t begin = 0;
  while ((begin = coloured.find('\x1b')) != std::string::npos)
    coloured.erase(begin, coloured.find('m', begin) - begin + 1);
  CHECK(coloured == to_text(sample_result(), false));
}

TEST_CASE("a violated requirement and one that cannot be judged are told apart") {
  Result result = sample_result();
  result.latency[0].requirement->met = false;
  CHECK(says(to_text(result, false), "NOT MET"));
  result.latency[0].requirement->met.reset();
  CHECK(says(to_text(result, false), "too few samples to tell"));
}

TEST_CASE("the main cause is what exceeds its mean most, not what is largest") {
  const Explanation::Interrupt interrupt = slow();
  CHECK(main_cause(interrupt, interrupt.worst[0]) ==
        "870.0 µs of waiting in \"wake\" while the rate limit kept another vCPU running, longest for domU/0: "
        "861.0 µs more than in the mean.");
  Explanation::Interrupt usual = slow();
  usual.worst[0].stages[1] = {};
  usual.worst[0].stages[2].service = 300us;
  CHECK(main_cause(usual, usual.worst[0]) == "300.0 µs of work in \"isr\": 130.0 µs more than in the mean.");
}

TEST_CASE("of a single sample the largest part is the main cause") {
  Explanation::Interrupt single = slow();
  single.n = 1;
  const WorstFlight& flight = single.worst[0];
  for (std::size_t i = 0; i < 3; ++i) single.sums[i] = {flight.stages[i].service, flight.stages[i].waits};
  CHECK(main_cause(single, flight) ==
        "870.0 µs of waiting in \"wake\" while the rate limit kept another vCPU running, longest for domU/0.");
}

TEST_CASE("an explanation tells each stage's start, service and waits") {
  Explanation explanation;
  explanation.title = "A title";
  explanation.interrupts.push_back(slow());
  const std::string text = to_text(explanation);
  INFO(text);
  CHECK(widest(text) <= 80);
  CHECK(says(text, "edge: from edge to response, the slowest 1 of 100; median 181.9 µs\n"));
  CHECK(says(text, "1. 1044 µs: flight 41 of replication 3, begun at 41.000000123 s\n"));
  CHECK(says(text, "    3.000        0    870.0    9.000  wake (ratelimit 870.0; longest for domU/0)\n"));
  CHECK(says(text, "    873.0    171.0        –    170.0  isr\n"));

  const json::Node document = to_json(explanation);
  CHECK(document.find("schema")->text == "vecusim/explanation/1");
  const json::Node& flight = document.find("interrupts")->items[0].find("worst")->items[0];
  CHECK(flight.find("latency_us")->text == "1044");
  CHECK(flight.find("began_us")->text == "41000000.123");
  const json::Node& wake = flight.find("stages")->items[1];
  CHECK(wake.find("start_us")->text == "3");
  CHECK(wake.find("waits_us")->find("ratelimit")->text == "870");
  CHECK(wake.find("mean_us")->as_double() == 9.0);
  CHECK(wake.find("longest_wait_for")->text == "domU/0");
  CHECK(flight.find("stages")->items[0].find("longest_wait_for")->kind == json::Kind::null);
}

TEST_CASE("explaining a scenario keeps its slowest answers, which tile") {
  const LoadedScenario loaded =
      load_scenario("pi4-native", {"/interrupts/0/stimulus/count=50", "/interrupts/0/stimulus/period_ms=10"});
  RunOptions options;
  options.replications = 3;
  const Explanation explanation = explain(loaded, options, 4);
  REQUIRE(explanation.interrupts.size() == 1);
  const Explanation::Interrupt& interrupt = explanation.interrupts[0];
  REQUIRE(interrupt.worst.size() == 4);
  CHECK(run_experiment(loaded, options).latency[0].max == interrupt.worst[0].latency);
  for (const WorstFlight& flight : interrupt.worst) {
    Duration sum{};
    for (const StageTime& stage : flight.stages) sum += stage.total();
    CHECK(sum == flight.latency);
    CHECK(flight.stages.size() == interrupt.stages.size());
  }
  options.parallel.threads = 1;
  CHECK(json::pretty(to_json(explain(loaded, options, 4))) == json::pretty(to_json(explanation)));
}

TEST_CASE("A curve has a character for each value, as high as it is, and none where there is none") {
  CHECK(sparkline({1.0, 2.0, std::nullopt, 8.0}, 1.0, 8.0, 24) == "▁▂ █");
  CHECK(sparkline({3.0, 3.0}, 3.0, 3.0, 24) == "▁▁");
  // More values than there is room for are joined.
  CHECK(sparkline({0.0, 0.0, 7.0, 7.0}, 0.0, 7.0, 2) == "▁█");
  CHECK(sparkline({}, 0.0, 1.0, 24).empty());
}

TEST_CASE("A histogram has every sample in one of its rows, the tail in the last") {
  std::vector<Bin> bins;
  for (int us = 100; us < 200; ++us) bins.push_back({us * 1us, (us + 1) * 1us, 10});
  bins.push_back({9000us, 9001us, 1});
  const std::string text = histogram_plot(bins, 80);
  std::istringstream lines(text);
  std::uint64_t n = 0;
  std::string last;
  for (std::string line; std::getline(lines, line); last = line) {
    CHECK(utf8_characters(line) <= 80);
    n += std::stoull(line.substr(line.find_last_of(' ') + 1));
  }
  CHECK(n == 1001);
  CHECK_THAT(last, Catch::Contains("9001"));
  CHECK(histogram_plot({}, 80).empty());
}
