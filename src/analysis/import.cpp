// Each form's facts and tables.
#include "analysis/import.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "analysis/bench_data.hpp"
#include "analysis/ftrace_summary.hpp"
#include "analysis/latency_figures.hpp"
#include "analysis/read_rtla.hpp"
#include "analysis/xentrace_summary.hpp"
#include "system/json_decimal.hpp"
#include "system/json_parse.hpp"
#include "system/read_capture.hpp"

namespace vecusim {
namespace {

using json::Node;

/// To the nanosecond.
Node us(std::optional<Duration> value) {
  constexpr std::int64_t kPsPerNs = 1000;
  constexpr int kNsPerUs = 3;
  return value ? Node::number(json::print_decimal((value->count() + kPsPerNs / 2) / kPsPerNs, -kNsPerUs)) : Node{};
}

Node text(std::string_view value) { return Node::string(std::string(value)); }

/// To three decimals, as nobody reads more.
Node rounded(double value) {
  constexpr double kThousand = 1e3;
  return Node::number(json::print_decimal(std::llround(value * kThousand), -3));
}

ImportTable latency_table(std::string key, std::string title, const LatencyReading& reading) {
  ImportTable table{std::move(key),
                    std::move(title),
                    {"series", "n", "missed", "beyond", "min_us", "mean_us", "p50_us", "p90_us", "p99_us", "p99_9_us",
                     "p99_99_us", "max_us"}};
  for (const LatencySeries& series : reading.series) {
    const LatencyFigures figures = figures_of(series);
    std::vector<Node> row = {
        text(series.name), Node::integer(figures.n), Node::integer(series.missed), Node::integer(series.overflows),
        us(figures.min),   us(figures.mean)};
    for (const auto& quantile : figures.quantiles) row.push_back(us(quantile));
    row.push_back(us(figures.max));
    table.rows.push_back(std::move(row));
  }
  return table;
}

LatencyReading in_ticks(const XentraceSummary& summary, double hz, std::vector<std::uint64_t> TracedVcpuTimes::*which) {
  LatencyReading reading;
  for (const TracedVcpuTimes& vcpu : summary.vcpus) {
    LatencySeries& series = reading.series.emplace_back(LatencySeries{to_text(vcpu.vcpu)});
    for (const std::uint64_t ticks : vcpu.*which) {
      series.counts.push_back({from_ps(static_cast<double>(ticks) * 1e12 / hz), 1});
    }
    if (series.counts.empty()) reading.series.pop_back();
  }
  return reading;
}

class Importer {
 public:
  Importer(std::string_view bytes, const std::string& name, const ImportOptions& options)
      : bytes_(bytes), options_(options) {
    file_.name = name;
    file_.form = data_form_of(bytes);
    if (file_.form == nullptr) {
      throw InvalidInput(Problem{{std::make_shared<const std::string>(name), 1, 1},
                                 {},
                                 "one of: " + known_data_forms(),
                                 bytes.empty() ? "an empty file" : "something else"});
    }
  }

  Imported import() {
    switch (file_.form->form) {
      case DataForm::xentrace:
        xentrace();
        break;
      case DataForm::ftrace:
        ftrace();
        break;
      case DataForm::saleae:
        edges(read_saleae(bytes_, file_.name));
        break;
      case DataForm::sigrok:
        edges(read_sigrok(bytes_, file_.name));
        break;
      case DataForm::osnoise:
        osnoise();
        break;
      case DataForm::capture:
        capture();
        break;
      case DataForm::xl:
        xl();
        break;
      case DataForm::xl_cfg:
        xl_cfg();
        break;
      case DataForm::bench:
        bench();
        break;
      case DataForm::result:
      case DataForm::validation:
      case DataForm::own_document:
        document();
        break;
      case DataForm::sweep:
        sweep();
        break;
      default:
        latencies(read_latencies(file_.form->form, bytes_, file_.name));
        break;
    }
    return std::move(file_);
  }

 private:
  void fact(std::string what, std::string value) { file_.facts.emplace_back(std::move(what), std::move(value)); }

  void latencies(LatencyReading reading) {
    for (Fact& each : reading.facts) file_.facts.push_back(std::move(each));
    file_.problems.append(reading.problems);
    file_.tables.push_back(latency_table("latency", "latency", reading));
    file_.latencies = std::move(reading);
  }

  void xentrace() {
    const Xentrace trace = read_xentrace(bytes_, file_.name);
    const XentraceSummary summary = summarize(trace);
    file_.problems = trace.problems;
    const auto hz = options_.counter_hz ? options_.counter_hz : guess_counter_hz(trace);
    fact("records", std::to_string(trace.records.size()));
    fact("lost_records", std::to_string(trace.lost_records));
    fact("wakes", std::to_string(summary.wakes));
    fact("credit2_ratelimit_records", std::to_string(summary.ratelimits));
    ImportTable pcpus{"pcpus", "pCPUs", {"pcpu", "context_switches"}};
    for (const std::uint16_t pcpu : trace.pcpus) {
      const auto found = summary.switches.find(pcpu);
      pcpus.rows.push_back({Node::integer(pcpu), Node::integer(found == summary.switches.end() ? 0 : found->second)});
    }
    file_.tables.push_back(std::move(pcpus));
    if (!hz) {
      file_.problems.add({{std::make_shared<const std::string>(file_.name), 1, 1},
                          {},
                          "--counter-hz, as the trace does not tell the frequency of its stamps",
                          "stamps in ticks",
                          {},
                          Severity::warning,
                          "xentrace"});
      return;
    }
    fact("counter_hz", json::print_decimal(std::llround(*hz), 0) +
                           (options_.counter_hz ? "" : " (guessed from run times that the trace has in ns)"));
    fact("length_ms", ms(summary.last_ticks - summary.first_ticks, *hz).text);
    ImportTable vcpus{"vcpus", "time in each runstate", {"vcpu", "running_ms", "runnable_ms", "blocked_ms", "stints"}};
    for (const TracedVcpuTimes& vcpu : summary.vcpus) {
      vcpus.rows.push_back({text(to_text(vcpu.vcpu)), ms(vcpu.total[0], *hz), ms(vcpu.total[1], *hz),
                            ms(vcpu.total[2], *hz), Node::integer(vcpu.runs.size())});
    }
    file_.tables.push_back(std::move(vcpus));
    file_.latencies = wake_latencies(summary, *hz);
    file_.tables.push_back(latency_table("wake_to_run", "from a wake to running", file_.latencies));
    file_.tables.push_back(latency_table("preempted_to_run", "from preemption to running",
                                         in_ticks(summary, *hz, &TracedVcpuTimes::preempted_waits)));
    file_.tables.push_back(
        latency_table("stints", "how long it ran at a time", in_ticks(summary, *hz, &TracedVcpuTimes::runs)));
  }

  static Node ms(std::uint64_t ticks, double hz) { return rounded(static_cast<double>(ticks) * 1e3 / hz); }

  void ftrace() {
    const FtraceReading trace = read_ftrace(bytes_, file_.name);
    FtraceSummary summary = summarize(trace);
    file_.problems = trace.problems;
    fact("records", std::to_string(trace.records.size()));
    std::uint64_t others = 0;
    for (const auto& [name, n] : trace.others) others += n;
    fact("other_events", std::to_string(others));
    fact("lost_events", std::to_string(trace.lost_events));
    file_.tables.push_back(latency_table("wakeup_to_switch", "from a wake-up to the switch", summary.wakeups));
    file_.tables.push_back(latency_table("handlers", "interrupt handlers", summary.handlers));
    file_.tables.push_back(latency_table("softirqs", "softirqs", summary.softirqs));
    file_.latencies = std::move(summary.wakeups);
  }

  void edges(EdgesReading reading) {
    const std::size_t channels = reading.channels.size();
    fact("channels", std::to_string(channels));
    fact("edges", std::to_string(reading.edges.size()));
    LatencyReading paired;
    paired.step = 2 * reading.step;
    paired.facts = std::move(reading.facts);
    paired.problems = std::move(reading.problems);
    reading.problems = {};
    if (options_.pairing.stimulus < channels && options_.pairing.response < channels) {
      paired.series.push_back(pair_edges(reading, options_.pairing));
    } else {
      paired.problems.add({{std::make_shared<const std::string>(file_.name), 1, 1},
                           {},
                           "channels " + std::to_string(options_.pairing.stimulus) + " and " +
                               std::to_string(options_.pairing.response) + " (--channels)",
                           std::to_string(channels) + " channels"});
    }
    latencies(std::move(paired));
  }

  void osnoise() {
    OsNoiseReading reading = read_osnoise(bytes_, file_.name);
    file_.problems = std::move(reading.problems);
    file_.facts = std::move(reading.facts);
    ImportTable table{"osnoise",
                      "noise of each CPU",
                      {"cpu", "runtime_us", "noise_us", "available_pct", "max_noise_us", "max_single_us", "hw", "nmi",
                       "irq", "softirq", "thread"}};
    for (const OsNoise& cpu : reading.cpus) {
      table.rows.push_back({Node::integer(cpu.cpu), us(cpu.runtime), us(cpu.noise), Node::floating(cpu.available_pct),
                            us(cpu.max_noise), us(cpu.max_single), Node::integer(cpu.hw), Node::integer(cpu.nmi),
                            Node::integer(cpu.irq), Node::integer(cpu.softirq), Node::integer(cpu.thread)});
    }
    file_.tables.push_back(std::move(table));
  }

  void capture() {
    const CaptureReading reading = read_capture(bytes_);
    if (!reading.expected.empty()) {
      file_.problems.add({{std::make_shared<const std::string>(file_.name), 1, 1},
                          {},
                          reading.expected,
                          reading.found + " after " + std::to_string(reading.frames.size()) + " frames",
                          {},
                          reading.frames.empty() ? Severity::error : Severity::warning,
                          "capture"});
    }
    LatencySeries gaps{"gap between frames"};
    std::int64_t bytes = 0;
    file_.times = "time_us,bytes\n";
    constexpr std::int64_t kPsPerNs = 1000;
    constexpr std::int64_t kMostNs = Duration::max().count() / kPsPerNs;
    for (std::size_t i = 0; i < reading.frames.size(); ++i) {
      const CapturedFrame& frame = reading.frames[i];
      bytes += frame.bytes;
      file_.times +=
          json::print_decimal(frame.at_ns - reading.frames[0].at_ns, -3) + "," + std::to_string(frame.bytes) + "\n";
      const std::int64_t gap = i == 0 ? -1 : frame.at_ns - reading.frames[i - 1].at_ns;
      if (gap >= 0 && gap <= kMostNs) gaps.counts.push_back({Duration{gap * kPsPerNs}, 1});
    }
    fact("frames", std::to_string(reading.frames.size()));
    fact("bytes", std::to_string(bytes));
    LatencyReading all;
    all.series.push_back(std::move(gaps));
    file_.tables.push_back(latency_table("gaps", "between frames", all));
  }

  void xl() {
    file_.xl = read_xl(bytes_, file_.name);
    file_.problems = file_.xl->problems;
    file_.facts = file_.xl->info;
    const auto cpus = [](const XlCpus& set) {
      if (!set) return text("all");
      std::string list;
      for (const std::int64_t cpu : *set) list += (list.empty() ? "" : ",") + std::to_string(cpu);
      return text(list);
    };
    ImportTable vcpus{"vcpus", "vCPUs", {"domain", "vcpu", "pcpu", "hard_affinity", "soft_affinity"}};
    for (const XlVcpu& vcpu : file_.xl->vcpus) {
      vcpus.rows.push_back({text(vcpu.domain), Node::integer(vcpu.vcpu), vcpu.pcpu ? Node::integer(*vcpu.pcpu) : Node{},
                            cpus(vcpu.hard), cpus(vcpu.soft)});
    }
    add_rows(std::move(vcpus));
    ImportTable domains{"domains", "domains", {"domain", "id", "memory_mib", "vcpus", "state"}};
    for (const XlDomain& domain : file_.xl->domains) {
      domains.rows.push_back({text(domain.name), Node::integer(domain.id), Node::integer(domain.memory_mib),
                              Node::integer(domain.vcpus), text(domain.state)});
    }
    add_rows(std::move(domains));
    ImportTable shares{"shares", "weights and caps", {"domain", "weight", "cap_pct"}};
    for (const XlShare& share : file_.xl->shares) {
      shares.rows.push_back({text(share.domain), Node::integer(share.weight), Node::integer(share.cap)});
    }
    add_rows(std::move(shares));
    ImportTable budgets{"budgets", "budgets", {"domain", "vcpu", "period_us", "budget_us", "extratime"}};
    for (const XlBudget& budget : file_.xl->budgets) {
      budgets.rows.push_back({text(budget.domain), budget.vcpu ? Node::integer(*budget.vcpu) : Node{},
                              us(budget.period), us(budget.budget), text(budget.extratime ? "yes" : "no")});
    }
    add_rows(std::move(budgets));
    ImportTable pools{"cpupools", "cpupools", {"pool", "scheduler", "pcpus", "ratelimit_us", "tslice_ms"}};
    const auto number = [](std::optional<std::uint64_t> value) { return value ? Node::integer(*value) : Node{}; };
    for (const XlPool& pool : file_.xl->pools) {
      pools.rows.push_back({text(pool.name), pool.scheduler.empty() ? Node{} : text(pool.scheduler), number(pool.pcpus),
                            number(pool.ratelimit_us), number(pool.tslice_ms)});
    }
    add_rows(std::move(pools));
  }

  void add_rows(ImportTable table) {
    if (!table.rows.empty()) file_.tables.push_back(std::move(table));
  }

  void xl_cfg() {
    file_.config = read_xl_cfg(bytes_, file_.name);
    file_.problems = file_.config->problems;
    ImportTable table{"settings", "settings", {"key", "value"}};
    for (const auto& [key, value] : file_.config->values) {
      std::string list;
      for (const std::string& item : value.items) list += (list.empty() ? "" : "; ") + item;
      table.rows.push_back({text(key), text(list)});
    }
    file_.tables.push_back(std::move(table));
  }

  void bench() {
    std::istringstream lines{std::string(bytes_)};
    const BenchData data = read_bench_data(lines, file_.name);
    file_.problems = data.warnings;
    LatencyReading reading;
    if (const auto* samples = std::get_if<BenchSamples>(&data.content)) {
      LatencySeries series{"all"};
      series.missed = static_cast<std::uint64_t>(samples->missed);
      for (const Duration latency : samples->latencies) series.counts.push_back({latency, 1});
      reading.step = samples->step;
      reading.series.push_back(std::move(series));
    } else {
      for (const BenchRow& row : std::get<std::vector<BenchRow>>(data.content)) {
        LatencySeries& series = reading.series.emplace_back(LatencySeries{row.name});
        const auto figure = [&](Statistic statistic) -> std::optional<Duration> {
          const auto found = row.figures.find(statistic);
          return found == row.figures.end() ? std::nullopt : std::optional(found->second.value);
        };
        series.printed_n = static_cast<std::uint64_t>(row.n);
        series.missed = static_cast<std::uint64_t>(row.lost.value_or(0));
        series.printed_min = figure(Statistic::min);
        series.printed_mean = figure(Statistic::mean);
        series.printed_max = figure(Statistic::max);
      }
    }
    latencies(std::move(reading));
  }

  void document() {
    const auto document = json::parse(bytes_, file_.name, file_.problems);
    if (!document) return;
    for (const char* key : {"schema", "version", "seed", "replications"}) {
      const Node* value = document->find(key);
      if (value != nullptr && !value->text.empty()) fact(key, value->text);
    }
    if (const Node* list = document->find("latency")) {
      add_rows(members_table("latency", *list,
                             {"name", "n", "min_us", "mean_us", "p50_us", "p99_us", "p99_9_us", "max_us"}));
    }
    if (const Node* list = document->find("rows")) {
      add_rows(members_table("rows", *list, {"case", "row", "role", "verdict", "expect"}));
    }
  }

  static ImportTable members_table(const std::string& key, const Node& list, std::vector<std::string> columns) {
    ImportTable table{key, key, std::move(columns)};
    for (const Node& item : list.items) {
      std::vector<Node>& row = table.rows.emplace_back();
      for (const std::string& column : table.columns) {
        const Node* value = item.find(column);
        const bool plain = value != nullptr && (value->is_number() || value->kind == json::Kind::string);
        row.push_back(plain ? *value : Node{});
      }
    }
    return table;
  }

  void sweep() {
    const auto lines = static_cast<std::uint64_t>(std::count(bytes_.begin(), bytes_.end(), '\n'));
    fact("points", std::to_string(lines == 0 ? 0 : lines - 1));
    std::string_view header = bytes_.substr(0, bytes_.find('\n'));
    fact("columns", std::to_string(std::count(header.begin(), header.end(), ',') + 1));
  }

  std::string_view bytes_;
  const ImportOptions& options_;
  Imported file_;
};

}  // namespace

Imported import_data(std::string_view bytes, const std::string& name, const ImportOptions& options) {
  return Importer{bytes, name, options}.import();
}

}  // namespace vecusim
