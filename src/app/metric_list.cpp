// The metrics of `list metrics`: taken from a result with one of everything, so that none is forgotten.
#include "app/metric_list.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/load_sink.hpp"
#include "analysis/result.hpp"

namespace vecusim {

namespace {

using json::Node;

struct Meaning {
  /// What a metric's path ends in.
  std::string_view ending;
  std::string_view sentence;
};

// The first that fits counts.
constexpr std::array kMeanings = {
    Meaning{".lo", "lower end of the 95 % confidence interval"},
    Meaning{".hi", "upper end of the 95 % confidence interval"},
    Meaning{"simulated_s", "simulated time of all replications together"},
    Meaning{"events", "events simulated"},
    Meaning{"seed", "seed of the random streams"},
    Meaning{".latency.n", "frames that arrived"},
    Meaning{".offered_pps", "frames offered per second"},
    Meaning{".delivered_pps", "frames that arrived per second"},
    Meaning{".dropped_pps", "frames dropped on the way per second"},
    Meaning{".goodput_mbps", "UDP payload that arrived"},
    Meaning{".batch_mean",
            "frames of one poll of the device, or on the way out of one poll of netback or one doorbell"},
    Meaning{".n", "answers measured"},
    Meaning{".lost", "stimuli without an answer"},
    Meaning{".merged", "stimuli answered together with another one"},
    Meaning{".late", "answers after the next stimulus"},
    Meaning{".sum_ps", "sum of all latencies, exact"},
    Meaning{".mean_us", "mean latency"},
    Meaning{".std_us", "standard deviation of the latency"},
    Meaning{".min_us", "least latency"},
    Meaning{".max_us", "greatest latency observed; no bound"},
    Meaning{".p50_us", "median latency"},
    Meaning{".p90_us", "90 % of the latencies are at most this"},
    Meaning{".p99_us", "99 % of the latencies are at most this"},
    Meaning{".p99_9_us", "99.9 % of the latencies are at most this"},
    Meaning{".p99_99_us", "99.99 % of the latencies are at most this"},
    Meaning{".limit_us", "the requirement's limit"},
    Meaning{".percentile", "the share of answers that must be within the limit, in percent"},
    Meaning{".misses", "stimuli that were not answered within the limit"},
    Meaning{".trials", "stimuli that the requirement was judged by"},
    Meaning{".miss_ppm", "misses per million"},
    Meaning{".miss_ppm_upper95", "one-sided 95 % upper limit of the misses per million"},
    Meaning{".met", "whether the requirement is met"},
    Meaning{".service_ps", "time worked on in this stage, summed over all answers, exact"},
    Meaning{".service_us", "time worked on in this stage, mean over all answers"},
    Meaning{".pcpu_pct", "load in percent of one pCPU"},
    Meaning{".machine_pct", "load in percent of all pCPUs together"},
    Meaning{".context_switches_per_s", "switches of vCPUs and threads"},
    Meaning{".interrupts_per_s", "interrupts taken"},
    Meaning{".migrations_per_s", "moves of vCPUs between pCPUs"},
    Meaning{".decisions_per_s", "decisions of the hypervisor's scheduler"},
};

std::string_view meaning(std::string_view path) {
  if (path.find(".waits_ps.") != std::string_view::npos) return "time waited for this reason, summed, exact";
  if (path.find(".waits_us.") != std::string_view::npos) return "time waited for this reason, mean over all answers";
  if (path.find(".contexts_pct.") != std::string_view::npos) return "load in this context, in percent of one pCPU";
  const auto found = std::find_if(kMeanings.begin(), kMeanings.end(),
                                  [&](const Meaning& candidate) { return path.ends_with(candidate.ending); });
  return found == kMeanings.end() ? "" : found->sentence;
}

Result one_of_everything() {
  LatencyResult latency;
  latency.name = "INTERRUPT";
  latency.requirement.emplace();
  StageResult stage;
  stage.name = "STAGE";
  stage.waits.fill(Duration{1});
  latency.stages.push_back(stage);
  LoadResult load;
  load.name = "DOMAIN";
  Result result;
  result.latency.push_back(latency);
  result.load.push_back(load);
  LoadResult idle;  // the one row that has the idle context
  idle.name = kIdleParty;
  FlowResult flow;
  flow.name = "FLOW";
  result.network.push_back(flow);
  result.load.push_back(idle);
  return result;
}

}  // namespace

json::Node metric_list() {
  Node list = Node::array();
  for (const Column& column : to_columns(one_of_everything())) {
    list.push_back(Node::object(
        {{"name", Node::string(column.path)}, {"title", Node::string(std::string(meaning(column.path)))}}));
  }
  return list;
}

}  // namespace vecusim
