// Explanations as text and as the document vecusim/explanation/1.
#include <utility>

#include "analysis/explain.hpp"
#include "analysis/text_layout.hpp"
#include "system/json_decimal.hpp"

namespace vecusim {
namespace {

using json::Node;

constexpr std::size_t kWidth = 80;
constexpr std::size_t kNumber = 9;
constexpr std::size_t kIndent = 3;
/// Where the names of stages begin.
constexpr std::size_t kStage = 4 * kNumber + 2;

/// "(runqueue 120.1, queue 0.4; longest for domU/load)"
std::string waits(const StageTime& stage, const std::string& blamed) {
  std::string text;
  for (std::size_t kind = 0; kind < kWaits; ++kind) {
    if (stage.waits[kind] == Duration::zero()) continue;
    text += (text.empty() ? "" : ", ") + std::string(kWaitNames[kind]) + " " + four_digits(stage.waits[kind]);
  }
  if (text.empty()) return text;
  if (!blamed.empty()) text += "; longest for " + blamed;
  return " (" + text + ")";
}

/// What a stage takes in the mean of all samples.
double usual_us(const Explanation::Interrupt& interrupt, std::size_t stage) {
  return to_us(interrupt.sums[stage].total()) / static_cast<double>(interrupt.n);
}

std::string flight_text(const Explanation::Interrupt& interrupt, const WorstFlight& flight, std::size_t place) {
  std::string text = "\n" + std::to_string(place) + ". " + four_digits(flight.latency) + " µs: flight " +
                     std::to_string(flight.flight) + " of replication " + std::to_string(flight.replication) +
                     ", begun at " + json::print_decimal(flight.began.time_since_epoch().count(), -12) + " s\n";
  text +=
      std::string(kIndent, ' ') + wrapped("Mainly " + main_cause(interrupt, flight), kWidth, kIndent, kIndent) + "\n";
  text += flush_right("start", kNumber) + flush_right("service", kNumber) + flush_right("wait", kNumber) +
          flush_right("usually", kNumber) + "  stage\n";
  Duration start{};
  for (std::size_t i = 0; i < flight.stages.size(); ++i) {
    const StageTime& stage = flight.stages[i];
    const Duration waited = stage.total() - stage.service;
    text += flush_right(four_digits(start), kNumber) + flush_right(four_digits(stage.service), kNumber) +
            flush_right(waited == Duration::zero() ? "–" : four_digits(waited), kNumber) +
            flush_right(four_digits(usual_us(interrupt, i)), kNumber) + "  " +
            wrapped(interrupt.stages[i] + waits(stage, flight.blamed[i]), kWidth, kStage + 2, kStage) + "\n";
    start += stage.total();
  }
  return text;
}

Node us(Duration time) { return Node::number(json::print_decimal(time.count(), -6)); }

Node flight_json(const Explanation::Interrupt& interrupt, const WorstFlight& flight) {
  Node node = Node::object();
  node.set("replication", Node::integer(flight.replication));
  node.set("flight", Node::integer(flight.flight));
  node.set("began_us", us(flight.began.time_since_epoch()));
  node.set("latency_us", us(flight.latency));
  node.set("cause", Node::string(main_cause(interrupt, flight)));
  Node stages = Node::array();
  Duration start{};
  for (std::size_t i = 0; i < flight.stages.size(); ++i) {
    const StageTime& spent = flight.stages[i];
    Node& stage = stages.push_back(Node::object());
    stage.set("name", Node::string(interrupt.stages[i]));
    stage.set("start_us", us(start));
    stage.set("service_us", us(spent.service));
    Node& waits_us = stage.set("waits_us", Node::object());
    for (std::size_t kind = 0; kind < kWaits; ++kind) {
      if (spent.waits[kind] != Duration::zero()) waits_us.set(std::string(kWaitNames[kind]), us(spent.waits[kind]));
    }
    stage.set("mean_us", Node::floating(usual_us(interrupt, i)));
    stage.set("longest_wait_us", us(spent.longest_wait));
    stage.set("longest_wait_for", flight.blamed[i].empty() ? Node{} : Node::string(flight.blamed[i]));
    start += spent.total();
  }
  node.set("stages", std::move(stages));
  return node;
}

}  // namespace

std::string to_text(const Explanation& explanation) {
  std::string text = explanation.title.empty() ? std::string{} : wrapped(explanation.title, kWidth, 0) + "\n";
  text += "seed " + std::to_string(explanation.seed) + ", replications " + std::to_string(explanation.replications) +
          "; times in µs\n";
  for (const Explanation::Interrupt& interrupt : explanation.interrupts) {
    text += "\n" + interrupt.name + ": from " + interrupt.from + " to " + interrupt.to + ", the slowest " +
            std::to_string(interrupt.worst.size()) + " of " + std::to_string(interrupt.n);
    if (interrupt.p50) text += "; median " + four_digits(*interrupt.p50) + " µs";
    text += "\n";
    for (std::size_t i = 0; i < interrupt.worst.size(); ++i) text += flight_text(interrupt, interrupt.worst[i], i + 1);
  }
  return text;
}

Node to_json(const Explanation& explanation) {
  Node node = Node::object();
  node.set("schema", Node::string("vecusim/explanation/1"));
  node.set("title", Node::string(explanation.title));
  node.set("seed", Node::integer(explanation.seed));
  node.set("replications", Node::integer(explanation.replications));
  Node& interrupts = node.set("interrupts", Node::array());
  for (const Explanation::Interrupt& interrupt : explanation.interrupts) {
    Node& entry = interrupts.push_back(Node::object());
    entry.set("name", Node::string(interrupt.name));
    entry.set("from", Node::string(interrupt.from));
    entry.set("to", Node::string(interrupt.to));
    entry.set("n", Node::integer(interrupt.n));
    entry.set("p50_us", interrupt.p50 ? us(*interrupt.p50) : Node{});
    Node& worst = entry.set("worst", Node::array());
    for (const WorstFlight& flight : interrupt.worst) worst.push_back(flight_json(interrupt, flight));
  }
  return node;
}

}  // namespace vecusim
