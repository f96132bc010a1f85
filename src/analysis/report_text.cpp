// Latencies, stages and load as aligned tables.
#include "analysis/report_text.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "analysis/text_layout.hpp"
#include "analysis/text_plot.hpp"
#include "system/utf8.hpp"

namespace vecusim {
namespace {

constexpr std::string_view kNothing = "–";
constexpr std::size_t kWidth = 80;
constexpr std::size_t kNumber = 9;
constexpr std::size_t kStageName = 28;
constexpr std::size_t kKind = 11;
constexpr std::size_t kBar = 12;

std::string plural(std::uint64_t n, std::string_view one) {
  return std::to_string(n) + " " + std::string(one) + (n == 1 ? "" : "s");
}

std::string cell(const std::optional<Duration>& value) { return value ? four_digits(*value) : std::string(kNothing); }
std::string cell(const std::optional<double>& value) { return value ? four_digits(*value) : std::string(kNothing); }
std::string percent(double value) { return four_digits(value) + " %"; }

std::string row(std::initializer_list<std::string_view> cells) {
  std::string text;
  for (const std::string_view cell : cells) text += flush_right(cell, kNumber);
  return text + "\n";
}

std::string title(const Result& result, const Paint& paint) {
  const json::Node* name = result.scenario.find("title");
  std::string text =
      name != nullptr && !name->text.empty() ? paint.heading(wrapped(name->text, kWidth, 0)) + "\n" : std::string{};
  text += "seed " + std::to_string(result.seed) + ", " + plural(result.replications, "replication") + ", " +
          four_digits(result.simulated_s) + " s simulated, " + plural(result.events, "event") + "\n";
  return text;
}

std::string verdict(const RequirementResult& requirement, const Paint& paint) {
  std::string text =
      "  requirement: " + plain(requirement.percentile) + " % within " + plain(to_us(requirement.limit)) + " µs";
  if (!requirement.asil.empty()) text += " (ASIL " + requirement.asil + ")";
  text += ": ";
  if (!requirement.met) {
    text += "too few samples to tell";
  } else {
    text += *requirement.met ? paint.good("met") : paint.bad("NOT MET");
  }
  text += "\n    " + std::to_string(requirement.misses) + " of " + std::to_string(requirement.trials) +
          " missed it: " + four_digits(requirement.miss_ppm) + " ppm, with 95 % confidence at most " +
          four_digits(requirement.miss_ppm_upper95) + " ppm\n";
  return text;
}

/// The kind of wait that took most, empty if there was none.
std::string_view main_wait(const StageResult& stage) {
  const auto most = std::max_element(stage.waits.begin(), stage.waits.end());
  if (*most == Duration::zero()) return {};
  return kWaitNames[static_cast<std::size_t>(most - stage.waits.begin())];
}

std::string stages(const LatencyResult& latency, const Paint& paint) {
  std::string text = paint.faint("  " + flush_left("stage", kStageName) + flush_right("service", kNumber) +
                                 flush_right("wait", kNumber) + "  " + flush_left("mostly", kKind) + " share") +
                     "\n";
  const auto n = static_cast<double>(latency.n);
  for (const StageResult& stage : latency.stages) {
    const Duration wait = stage.total() - stage.service;
    const double share = latency.sum > Duration::zero() ? to_us(stage.total()) / to_us(latency.sum) : 0.0;
    const std::string drawn = bar(share, kBar);
    text += "  " + flush_left(utf8_cut(stage.name, kStageName - 1), kStageName) +
            flush_right(four_digits(to_us(stage.service) / n), kNumber) +
            flush_right(wait == Duration::zero() ? kNothing : four_digits(to_us(wait) / n), kNumber) + "  " +
            flush_left(main_wait(stage), kKind) + flush_right(std::to_string(std::lround(share * 100.0)) + " %", 6) +
            (drawn.empty() ? "" : " ") + drawn + "\n";
  }
  return text;
}

std::string section(const LatencyResult& latency, const Paint& paint, bool plots) {
  std::string text = "\n" + paint.heading(latency.name) + ": from " + latency.from + " to " + latency.to + ", in µs\n";
  text += "  " + plural(latency.n, "answer") + ", " + std::to_string(latency.late) + " of them late; " +
          std::to_string(latency.lost) + " lost, " + std::to_string(latency.merged) + " merged\n";
  text += paint.faint(row({"mean", "std", "min", "p50", "p90", "p99", "p99.9", "max"}));
  text += row({cell(latency.mean_us), cell(latency.std_us), cell(latency.min), cell(latency.quantiles[0].value),
               cell(latency.quantiles[1].value), cell(latency.quantiles[2].value), cell(latency.quantiles[3].value),
               cell(latency.max)});
  if (latency.requirement) text += verdict(*latency.requirement, paint);
  if (plots) text += histogram_plot(latency.histogram, kWidth);
  if (latency.n > 0) text += stages(latency, paint);
  return text;
}

std::string load(const Result& result, const Paint& paint) {
  constexpr std::array kColumns = {Context::user, Context::kernel, Context::softirq, Context::irq, Context::hypervisor};
  constexpr std::size_t kName = 16;
  constexpr std::size_t kWide = 11;
  std::string heading = flush_left("load", kName) + flush_right("of a pCPU", kWide) + flush_right("of all", kNumber);
  for (const Context context : kColumns) {
    const std::string_view name = kContextNames[static_cast<std::size_t>(context)];
    heading += flush_right(name, context == Context::hypervisor ? kWide : kNumber - 1);
  }
  std::string text = "\n" + paint.faint(heading) + "\n";
  for (const LoadResult& party : result.load) {
    text += flush_left(utf8_cut(party.name, kName - 1), kName) + flush_right(percent(party.pcpu_pct), kWide) +
            flush_right(percent(party.machine_pct), kNumber);
    for (const Context context : kColumns) {
      const double share = party.contexts_pct[static_cast<std::size_t>(context)];
      text += flush_right(share > 0.0 ? four_digits(share) : kNothing,
                          context == Context::hypervisor ? kWide : kNumber - 1);
    }
    text += "\n";
  }
  return text;
}

std::string network(const Result& result, const Paint& paint) {
  constexpr std::size_t kName = 13;
  constexpr std::size_t kDelivered = kNumber + 1;
  std::string text =
      "\n" + paint.faint(flush_left("frames per s", kName) + flush_right("offered", kNumber) +
                         flush_right("delivered", kDelivered) + row({"dropped", "Mb/s", "batch", "mean µs", "p99 µs"}));
  for (const FlowResult& flow : result.network) {
    text += flush_left(utf8_cut(flow.name, kName - 1), kName) + flush_right(four_digits(flow.offered_pps), kNumber) +
            flush_right(four_digits(flow.delivered_pps), kDelivered) +
            row({four_digits(flow.dropped_pps), four_digits(flow.goodput_mbps), cell(flow.batch_mean),
                 cell(flow.mean_us), cell(flow.quantiles[2])});
  }
  return text;
}

std::string counters(const CounterResult& result) {
  return "\nper second: " + four_digits(result.interrupts_per_s) + " interrupts, " +
         four_digits(result.context_switches_per_s) + " switches, " + four_digits(result.migrations_per_s) +
         " migrations, " + four_digits(result.decisions_per_s) + " decisions\n";
}

}  // namespace

std::string to_text(const Result& result, bool colour, bool plots) {
  const Paint paint(colour);
  std::string text = title(result, paint);
  for (const LatencyResult& latency : result.latency) text += section(latency, paint, plots);
  if (!result.network.empty()) text += network(result, paint);
  text += load(result, paint);
  text += counters(result.counters);
  return text;
}

}  // namespace vecusim
