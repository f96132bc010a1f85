// A result document as sections: requirements, each interrupt, loads, network, provenance.
#include <algorithm>
#include <utility>

#include "analysis/compare.hpp"
#include "analysis/load_sink.hpp"
#include "analysis/report_latency.hpp"
#include "analysis/report_rerun.hpp"
#include "analysis/report_sources.hpp"
#include "analysis/report_timeline.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim::report {
namespace {

using json::Node;

// ---- requirements ----

/// The figure that a requirement is about, and what is left of its limit.
struct Observed {
  std::string figure;
  std::optional<double> value_us;
};

Observed observed(const LatencyResult& latency, const Node& requirement) {
  const double percentile = number_of(requirement, "percentile").value_or(100.0);
  if (percentile >= 100.0) return {"max", latency.max ? std::optional(to_us(*latency.max)) : std::nullopt};
  for (std::size_t i = 0; i < kLevels; ++i) {
    if (kLevelList[i].p * 100.0 != percentile || !latency.quantiles[i].value) continue;
    return {"p" + plain(percentile), to_us(*latency.quantiles[i].value)};
  }
  return {"p" + plain(percentile), {}};
}

std::string requirement_words(const std::string& name, const Node& requirement) {
  const auto limit = number_of(requirement, "limit_us").value_or(0.0);
  const double percentile = number_of(requirement, "percentile").value_or(100.0);
  const auto met = truth_of(requirement, "met");
  const std::string share = percentile >= 100.0 ? "all answers" : plain(percentile) + " % of the answers";
  std::string text = "That " + share + " of " + name + " come within " + in_us(limit);
  text += !met ? " cannot be told from so few" : *met ? " is met" : " is not met";
  const auto upper = number_of(requirement, "miss_ppm_upper95");
  text += ": " + whole(member(requirement, "misses").as_uint64().value_or(0)) + " missed it";
  if (upper) text += ", which leaves up to " + digits(*upper) + " ppm open at 95 % confidence";
  return text + ".";
}

Part requirements_part(const std::string& id, const Side& side, const std::vector<Node>& list) {
  Part part("table", id + "-requirement-table", "Requirements",
            {{"interrupt", "interrupt"},
             {"chain", "from → to"},
             {"asil", "ASIL"},
             {"share", "share", "%"},
             {"limit", "limit", "µs"},
             {"figure", "figure"},
             {"observed", "observed", "µs"},
             {"margin", "margin", "%"},
             {"n", "answers"},
             {"misses", "misses"},
             {"ppm", "misses", "ppm"},
             {"upper", "95 % bound", "ppm"},
             {"verdict", "verdict"}});
  for (std::size_t i = 0; i < side.latency.size(); ++i) {
    const Node& requirement = member(list[i], "requirement");
    if (requirement.kind != json::Kind::object) continue;
    const Observed seen = observed(side.latency[i], requirement);
    const auto limit = number_of(requirement, "limit_us");
    const auto margin = limit && seen.value_us && *limit > 0.0
                            ? std::optional(100.0 * (*limit - *seen.value_us) / *limit)
                            : std::nullopt;
    part.row({Node::string(side.latency[i].name),
              Node::string(text_of(list[i], "from") + " → " + text_of(list[i], "to")),
              Node::string(text_of(requirement, "asil")), number(number_of(requirement, "percentile")), number(limit),
              Node::string(seen.figure), number(seen.value_us), number(margin), Node::integer(side.latency[i].n),
              member(requirement, "misses"), number(number_of(requirement, "miss_ppm")),
              number(number_of(requirement, "miss_ppm_upper95")),
              verdict(truth_of(requirement, "met"), "met", "not met", "too few answers")});
  }
  part.note(
      "The margin is what is left of the limit. The bound is the one-sided Clopper–Pearson limit of the share of "
      "misses. ASIL as given; these are predictions, not evidence of safety.");
  return part;
}

/// Null where nothing is required.
Node verdict_of(const std::vector<Node>& list) {
  std::size_t required = 0;
  std::size_t missed = 0;
  std::size_t open = 0;
  for (const Node& latency : list) {
    const Node& requirement = member(latency, "requirement");
    if (requirement.kind != json::Kind::object) continue;
    ++required;
    const auto met = truth_of(requirement, "met");
    missed += met && !*met ? 1 : 0;
    open += met ? 0 : 1;
  }
  if (required == 0) return {};
  if (missed > 0) return verdict("requirement not met", State::bad);
  if (open > 0) return verdict("too few answers to tell", State::open);
  return verdict(required == 1 ? "requirement met" : "requirements met", State::good);
}

// ---- loads ----

constexpr std::array<std::string_view, kContexts - 1> kBusyContexts = {"user", "kernel", "softirq", "irq",
                                                                       "hypervisor"};

Part load_part(const std::string& id, const Node& document) {
  std::vector<Column> columns = {{"party", "party"}};
  for (const std::string_view context : kBusyContexts)
    columns.push_back({std::string(context), std::string(context), "%"});
  columns.push_back({"pcpu", "of one pCPU", "%"});
  columns.push_back({"machine", "of the machine", "%"});
  Part part("stacks", id + "-load-bars", "Load by domain and context", std::move(columns));
  std::string idle;
  for (const Node& party : member(document, "load").items) {
    if (text_of(party, "name") == kIdleParty) {
      idle = digits(number_of(party, "pcpu_pct").value_or(0.0)) + " % of a pCPU, or " +
             digits(number_of(party, "machine_pct").value_or(0.0)) + " % of the machine, is idle.";
      continue;
    }
    std::vector<Node> cells = {Node::string(text_of(party, "name"))};
    for (const std::string_view context : kBusyContexts) {
      cells.push_back(number(number_of(member(party, "contexts_pct"), context)));
    }
    cells.push_back(number(number_of(party, "pcpu_pct")));
    cells.push_back(number(number_of(party, "machine_pct")));
    part.row(std::move(cells));
  }
  part.set("stack", Node::array());
  Node stack = Node::array();
  for (const std::string_view context : kBusyContexts) stack.push_back(Node::string(std::string(context)));
  part.set("stack", std::move(stack));
  part.set("axis", Node::string("% of one pCPU"));
  part.note("100 % is one pCPU that is always busy, as xentop counts. " + idle);
  return part;
}

Part counters_part(const std::string& id, const Node& document) {
  Part part("figures", id + "-counters", "Per second", {{"figure", "figure"}, {"value", "value", "/s"}});
  for (const json::Member& counter : member(document, "counters").members) {
    std::string name = name_and_unit(counter.key).name;
    std::replace(name.begin(), name.end(), '_', ' ');
    part.row({Node::string(std::move(name)), number(counter.value.as_double())});
  }
  return part;
}

Part network_part(const std::string& id, const Node& document) {
  Part part("table", id + "-network-table", "Flows",
            {{"flow", "flow"},
             {"offered", "offered", "frames/s"},
             {"delivered", "delivered", "frames/s"},
             {"dropped", "dropped", "frames/s"},
             {"goodput", "payload", "Mb/s"},
             {"batch", "frames per batch"},
             {"mean", "mean", "µs"},
             {"p99", "p99", "µs"},
             {"max", "max", "µs"}});
  for (const Node& flow : member(document, "network").items) {
    const Node& latency = member(flow, "latency");
    part.row({Node::string(text_of(flow, "name")), number(number_of(flow, "offered_pps")),
              number(number_of(flow, "delivered_pps")), number(number_of(flow, "dropped_pps")),
              number(number_of(flow, "goodput_mbps")), number(number_of(flow, "batch_mean")),
              number(number_of(latency, "mean_us")), number(number_of(latency, "p99_us")),
              number(number_of(latency, "max_us"))});
  }
  return part;
}

std::string network_words(const Node& flow) {
  const double offered = number_of(flow, "offered_pps").value_or(0.0);
  const double dropped = number_of(flow, "dropped_pps").value_or(0.0);
  std::string text =
      text_of(flow, "name") + ": " + digits(number_of(flow, "goodput_mbps").value_or(0.0)) + " Mb/s of payload arrive";
  if (offered > 0.0) text += "; " + digits(100.0 * dropped / offered) + " % of the frames are dropped";
  return text + ".";
}

/// The busiest domain, in words.
std::string load_words(const Node& document) {
  std::string name;
  double most = 0.0;
  for (const Node& party : member(document, "load").items) {
    const double pcpu = number_of(party, "pcpu_pct").value_or(0.0);
    if (text_of(party, "name") == kIdleParty || pcpu <= most) continue;
    most = pcpu;
    name = text_of(party, "name");
  }
  return name.empty() ? "No CPU is ever busy."
                      : "The busiest is " + name + ", with " + digits(most) + " % of one pCPU.";
}

// ---- all ----

/// The samples that a bench has measured; of an interrupt that has its name, or of the only one.
Values measured_values(const BenchData* bench, std::size_t interrupts) {
  if (bench == nullptr || interrupts != 1) return {};
  const auto* samples = std::get_if<BenchSamples>(&bench->content);
  if (samples == nullptr) return {};
  Samples sample;
  for (const Duration latency : samples->latencies) sample.add(latency);
  return values_of(sample);
}

std::vector<LatencyView> latency_views(const Document& document, const Side& side, const RerunOutcome& again,
                                       const BenchData* bench) {
  const std::vector<Node>& list = list_of(document, "latency");
  std::vector<LatencyView> views;
  for (std::size_t i = 0; i < side.latency.size(); ++i) {
    LatencyView& view =
        views.emplace_back(LatencyView{document.id + "-" + anchor(side.latency[i].name), side.latency[i], list[i]});
    if (again.run) {
      view.explanation = &again.run->explanation.interrupts[i];
      view.values = again.run->values[i];
    } else {
      view.values = values_of(side.latency[i].histogram);
    }
    view.measured = measured_values(bench, side.latency.size());
    if (!view.measured.empty()) view.measured_name = "measured: " + bench->name;
  }
  return views;
}

Section load_section(const Document& document) {
  Section section(document.id + "-load", "Load");
  section.say(load_words(document.content));
  section.add(load_part(document.id, document.content));
  section.add(counters_part(document.id, document.content));
  return section;
}

Section network_section(const Document& document) {
  Section section(document.id + "-network", "Network");
  for (const Node& flow : member(document.content, "network").items) section.say(network_words(flow));
  section.add(network_part(document.id, document.content));
  return section;
}

}  // namespace

Source result_source(const Document& document, const BenchData* bench, const Parallel& parallel) {
  const Side side = read_side(document.path, document.content);
  const std::vector<Node>& list = list_of(document, "latency");
  const RerunOutcome again = list.empty() ? RerunOutcome{} : rerun(document, side, parallel);
  const std::vector<LatencyView> views = latency_views(document, side, again, bench);

  Source source{document.id, document.path, "result", text_of(member(document.content, "scenario"), "title")};
  source.verdict = verdict_of(list);
  for (const Node& latency : list) {
    const Node& requirement = member(latency, "requirement");
    if (requirement.kind != json::Kind::object) continue;
    source.answer.push_back(requirement_words(text_of(latency, "name"), requirement));
  }
  for (const LatencyView& view : views) {
    for (std::string& sentence : latency_words(view)) source.answer.push_back(std::move(sentence));
  }
  if (!again.refusal.empty()) source.answer.push_back(again.refusal);
  for (const Node& flow : member(document.content, "network").items) source.answer.push_back(network_words(flow));
  source.answer.push_back(load_words(document.content));

  if (source.verdict.kind != json::Kind::null) {
    Section section(document.id + "-requirements", "Requirements");
    section.add(requirements_part(document.id, side, list));
    source.sections.push_back(std::move(section));
  }
  for (const LatencyView& view : views) {
    source.sections.push_back(latency_section(view));
    source.sections.push_back(stages_section(view));
    if (view.explanation == nullptr || view.explanation->worst.empty()) continue;
    source.sections.back().add(timeline_part(view, again.run->scenario, parallel.stop));
  }
  if (!member(document.content, "network").items.empty()) source.sections.push_back(network_section(document));
  source.sections.push_back(load_section(document));
  source.sections.push_back(provenance_section(document));
  return source;
}

}  // namespace vecusim::report
