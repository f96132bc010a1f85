// Samples as lines.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "analysis/export.hpp"
#include "analysis/stop_sink.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

/// One stimulus and what became of it.
struct Sample {
  std::size_t interrupt;
  std::uint64_t flight;
  std::int64_t began_ps;
  std::optional<std::int64_t> ended_ps = {};
  std::string_view fate = "answered";
  std::span<const StageTime> stages = {};
};

std::int64_t ps(Time time) { return (time - kStart).count(); }

/// Hands on each sample when its fate is known; those that have none yet at the end.
class SampleSink final : public TraceSink {
 public:
  using Take = std::function<void(const Sample&)>;
  SampleSink(const std::vector<std::size_t>& interrupts, Time warmup, Take take)
      : interrupts_(interrupts), warmup_(warmup), take_(std::move(take)) {}

  void on(const Stimulated& event) override {
    const auto interrupt = static_cast<std::size_t>(event.interrupt);
    if (event.at < warmup_ || std::find(interrupts_.begin(), interrupts_.end(), interrupt) == interrupts_.end()) return;
    open_.emplace(std::pair(interrupt, event.flight), event.at);
  }
  void on(const FlightDone& event) override {
    if (!close(event.interrupt, event.flight)) return;
    take_({static_cast<std::size_t>(event.interrupt), event.flight, ps(event.began), ps(event.at), "answered",
           event.stages});
  }
  void on(const Dropped& event) override {
    const auto began = close(event.interrupt, event.flight);
    if (!began) return;
    take_({static_cast<std::size_t>(event.interrupt),
           event.flight,
           ps(*began),
           {},
           event.fate == Fate::merged ? "merged" : "lost"});
  }
  void finish() {
    for (const auto& [key, began] : open_) take_({key.first, key.second, ps(began), {}, "under way"});
  }

 private:
  std::optional<Time> close(InterruptId interrupt, std::uint64_t flight) {
    const auto found = open_.find({static_cast<std::size_t>(interrupt), flight});
    if (found == open_.end()) return std::nullopt;
    const Time began = found->second;
    open_.erase(found);
    return began;
  }

  const std::vector<std::size_t>& interrupts_;
  Time warmup_;
  Take take_;
  std::map<std::pair<std::size_t, std::uint64_t>, Time> open_;
};

/// Runs all replications and writes each sample by `line`, in the order that does not depend on the threads.
template <class Line>
void write_samples(const Scenario& scenario, const std::vector<std::size_t>& interrupts, const Parallel& parallel,
                   TextStream& out, Line line) {
  QuantileTables tables;
  run_trials(
      static_cast<std::size_t>(scenario.run.replications), parallel,
      [&](std::size_t i) {
        Replication run(scenario, tables, scenario.run.seed, static_cast<std::uint32_t>(i));
        std::string text;
        TextStream lines([&](std::string_view piece) { text += piece; });
        SampleSink sink(interrupts, kStart + scenario.run.warmup,
                        [&](const Sample& sample) { line(lines, run, i, sample); });
        StopSink stopper(parallel.stop);
        run.attach(sink);
        run.attach(stopper);
        run.run();
        sink.finish();
        lines.flush();
        return text;
      },
      [&](std::size_t, const std::string& text) { out << text; });
}

void csv_line(TextStream& out, const Replication& run, std::size_t replication, const Sample& sample) {
  out.field(run.view().interrupts[sample.interrupt].name)
      << ',' << std::uint64_t{replication} << ',' << sample.flight << ',';
  out.us(sample.began_ps) << ',';
  if (sample.ended_ps) out.us(*sample.ended_ps);
  out << ',';
  if (sample.ended_ps) out.us(*sample.ended_ps - sample.began_ps);
  out << ',' << sample.fate << '\n';
}

void json_stages(TextStream& out, const std::vector<std::string>& names, std::span<const StageTime> stages) {
  bool first = true;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i].total() == Duration::zero()) continue;
    out << (first ? "" : ",") << R"({"name":)" << json::quoted(names[i]) << R"(,"service_us":)";
    out.us(stages[i].service.count()) << R"(,"waits_us":{)";
    first = false;
    bool first_wait = true;
    for (std::size_t kind = 0; kind < kWaits; ++kind) {
      if (stages[i].waits[kind] == Duration::zero()) continue;
      out << (first_wait ? "\"" : ",\"") << kWaitNames[kind] << "\":";
      out.us(stages[i].waits[kind].count());
      first_wait = false;
    }
    out << "}}";
  }
}

void json_line(TextStream& out, const Replication& run, std::size_t replication, const Sample& sample) {
  const SystemView::InterruptView& interrupt = run.view().interrupts[sample.interrupt];
  out << R"({"interrupt":)" << json::quoted(interrupt.name) << R"(,"replication":)" << std::uint64_t{replication}
      << R"(,"seq":)" << sample.flight << R"(,"t_out_us":)";
  out.us(sample.began_ps);
  if (sample.ended_ps) {
    out << R"(,"t_in_us":)";
    out.us(*sample.ended_ps) << R"(,"latency_us":)";
    out.us(*sample.ended_ps - sample.began_ps);
  }
  out << R"(,"fate":")" << sample.fate << '"';
  if (sample.ended_ps) {
    out << R"(,"stages":[)";
    json_stages(out, interrupt.stages, sample.stages);
    out << ']';
  }
  out << "}\n";
}

}  // namespace

void write_samples_csv(const Scenario& scenario, const std::vector<std::size_t>& interrupts, const Parallel& parallel,
                       TextStream& out) {
  out << "interrupt,replication,seq,t_out_us,t_in_us,latency_us,fate\n";
  write_samples(scenario, interrupts, parallel, out, csv_line);
}

void write_samples_ndjson(const Scenario& scenario, const std::vector<std::size_t>& interrupts,
                          const Parallel& parallel, TextStream& out) {
  write_samples(scenario, interrupts, parallel, out, json_line);
}

}  // namespace vecusim
