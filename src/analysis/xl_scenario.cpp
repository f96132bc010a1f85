// Putting together what several outputs and files say of the same domains.
#include "analysis/xl_scenario.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "analysis/text_records.hpp"
#include "system/json_decimal.hpp"

namespace vecusim {
namespace {

using json::Node;

constexpr std::uint64_t kMostVcpus = 128;

std::string scenario_name(const std::string& name) { return name == "Domain-0" ? "dom0" : name; }

Node integers(const std::vector<std::int64_t>& values) {
  Node list = Node::array();
  for (const std::int64_t value : values) list.push_back(Node::integer(value));
  return list;
}

Node time(Duration value) { return Node::number(json::print_decimal(value.count(), -6)); }

/// What is known of one domain.
struct Domain {
  std::optional<std::uint64_t> vcpus = {};
  std::map<std::uint64_t, XlCpus> hard = {};
  std::map<std::uint64_t, XlCpus> soft = {};
  std::optional<std::uint64_t> weight = {};
  std::optional<std::uint64_t> cap = {};
  std::optional<XlBudget> budget = {};
  bool budgets_differ = false;
  std::string pool = {};
};

class Maker {
 public:
  Maker(const std::vector<XlReading>& outputs, const std::vector<XlConfig>& configs) : outputs_(outputs) {
    for (const XlReading& output : outputs) take(output);
    for (const XlConfig& config : configs) take(config);
    for (const auto& [name, domain] : domains_) {
      if (name == "dom0") continue;
      order_.push_back(name);
    }
    if (domains_.contains("dom0")) order_.insert(order_.begin(), "dom0");
  }

  XlScenario make() {
    Node document = Node::object();
    document.set("schema", Node::string("vecusim/scenario/1"));
    document.set("title", Node::string("A board that runs Xen, as xl shows it"));
    document.set("board", board());
    document.set("costs", Node::array({Node::string("pi4"), Node::string("xen-arm")}));
    document.set("hypervisor", hypervisor());
    Node domains = Node::array();
    for (const std::string& name : order_) domains.push_back(domain(name, domains_[name]));
    document.set("domains", std::move(domains));
    document.set("interrupts", Node::array());
    document.set("run", Node::object({{"measure_ms", Node::integer(10'000)}, {"seed", Node::integer(1)}}));
    unknown("what runs in the domains: no tasks and no interrupts are there; add them");
    unknown("the domains' kernels: Linux with its defaults is taken");
    if (!domains_.contains("dom0")) unknown("the domain that controls the others: there is no dom0");
    return {std::move(document), std::move(unknown_)};
  }

 private:
  void unknown(std::string sentence) { unknown_.push_back(std::move(sentence)); }

  std::string info(std::string_view key) const {
    for (const XlReading& output : outputs_) {
      const std::string_view value = output.info_of(key);
      if (!value.empty()) return std::string(value);
    }
    return {};
  }

  // What is known.

  void take(const XlReading& output) {
    for (const XlDomain& each : output.domains) {
      Domain& domain = domains_[scenario_name(each.name)];
      if (!domain.vcpus) domain.vcpus = each.vcpus;
    }
    for (const XlVcpu& each : output.vcpus) {
      Domain& domain = domains_[scenario_name(each.domain)];
      if (!each.pcpu) continue;  // offline
      domain.hard[each.vcpu] = each.hard;
      domain.soft[each.vcpu] = each.soft;
      domain.vcpus = domain.hard.size();
    }
    for (const XlShare& each : output.shares) {
      Domain& domain = domains_[scenario_name(each.domain)];
      domain.weight = each.weight;
      domain.cap = each.cap;
    }
    for (const XlBudget& each : output.budgets) {
      Domain& domain = domains_[scenario_name(each.domain)];
      if (domain.budget && (domain.budget->period != each.period || domain.budget->budget != each.budget ||
                            domain.budget->extratime != each.extratime)) {
        domain.budgets_differ = true;
      } else {
        domain.budget = each;
      }
    }
  }

  void take(const XlConfig& config) {
    const std::string name = config.text("name");
    if (name.empty()) return unknown("the name of a configured domain: it is left out");
    Domain& domain = domains_[scenario_name(name)];
    if (!domain.vcpus) domain.vcpus = config.number("vcpus").value_or(1);
    if (!domain.weight) domain.weight = config.number("cpu_weight");
    if (!domain.cap) domain.cap = config.number("cap");
    domain.pool = config.text("pool");
    affinity(config, "cpus", *domain.vcpus, domain.hard);
    affinity(config, "cpus_soft", *domain.vcpus, domain.soft);
    // xl reads a period, and no budget: that is set when the domain runs.
    if (config.find("period") != nullptr && !domain.budget) {
      unknown("the RTDS budget of " + scenario_name(name) + ": xl.cfg cannot say it (xl sched-rtds does)");
    }
  }

  /// A text is for all vCPUs; of a list, each vCPU has its own entry.
  void affinity(const XlConfig& config, std::string_view key, std::uint64_t vcpus,
                std::map<std::uint64_t, XlCpus>& sets) {
    const XlValue* value = config.find(key);
    if (value == nullptr || !sets.empty()) return;
    for (std::uint64_t i = 0; i < std::min(vcpus, kMostVcpus); ++i) {
      if (value->list && i >= value->items.size()) break;
      const auto cpus = parse_xl_cpus(value->items[value->list ? i : 0]);
      if (!cpus) {
        sets.clear();
        return unknown("the pCPUs of " + config.text("name") + ": " + std::string(key) +
                       " has a form that is not known here");
      }
      sets[i] = *cpus;
    }
  }

  // What is made of it.

  Node board() {
    const auto cpus = parse_number(info("nr_cpus"));
    constexpr std::uint64_t kCores = 4;
    Node board = Node::object({{"model", Node::string("pi4")}});
    unknown("the board: a Raspberry Pi 4 and its costs are taken (`vecusim list boards`)");
    if (!cpus) {
      unknown("how many pCPUs there are (xl info): 4 are taken");
    } else if (*cpus<kCores&& * cpus> 0) {
      board.set("cores", Node::integer(*cpus));
    } else if (*cpus != kCores) {
      unknown("a board with " + std::to_string(*cpus) + " pCPUs: 4 are taken");
    }
    return board;
  }

  Node hypervisor() {
    Node xen = Node::object({{"model", Node::string("xen")}});
    const std::string version = info("xen_version");
    if (version.empty()) {
      unknown("the version of Xen (xl info): the default is taken");
    } else {
      set_version(xen, version);
    }
    const std::string line = info("xen_commandline");
    if (line.empty()) unknown("Xen's command line (xl info): vwfi and timer_slop as by default");
    xen.set("vwfi", Node::string(word_after(line, "vwfi=") == "native" ? "native" : "trap"));
    xen.set("scheduler", scheduler(line));
    return xen;
  }

  /// "4.17.7", "4.19-unstable": the branch and the point, where they are known.
  void set_version(Node& xen, const std::string& version) {
    const std::size_t end = std::min(version.find_first_not_of("0123456789."), version.size());
    std::string plain = version.substr(0, end);
    while (plain.ends_with('.')) plain.pop_back();
    xen.set("version", Node::string(plain));
    if (plain != version) unknown("Xen " + version + ": " + plain + " is taken");
  }

  Node scheduler(std::string_view command_line) {
    std::string model = info("xen_scheduler");
    const XlPool* pool = nullptr;
    for (const XlReading& output : outputs_) {
      for (const XlPool& each : output.pools) {
        pool = pool == nullptr ? &each : pool;
        if (model.empty()) model = each.scheduler;
        if (each.name != pool->name) more_pools_ = true;
      }
    }
    if (more_pools_) unknown("which domain is in which cpupool: one pool with all pCPUs is taken");
    if (model.empty()) {
      model = "credit2";
      unknown("the scheduler (xl info, xl cpupool-list): credit2 is taken");
    }
    constexpr std::array<std::string_view, 5> kKnown = {"credit2", "credit", "rtds", "null", "arinc653"};
    if (std::find(kKnown.begin(), kKnown.end(), model) == kKnown.end()) {
      unknown("the scheduler " + model + ": credit2 is taken");
      model = "credit2";
    }
    if (model == "arinc653") unknown("the slots of ARINC653, which no verb of xl shows: dom0 alone has one");
    model_ = model;
    Node scheduler = Node::object({{"model", Node::string(model)}});
    if (model == "credit2" || model == "credit") {
      const auto from_line = parse_number(word_after(command_line, "sched_ratelimit_us="));
      const auto ratelimit = ratelimit_of_pools() ? ratelimit_of_pools() : from_line;
      if (ratelimit) {
        scheduler.set("ratelimit_us", Node::integer(*ratelimit));
      } else {
        unknown("the rate limit (xl sched-" + model + "): the default is taken");
      }
    }
    if (model == "credit" && pool != nullptr && pool->tslice_ms)
      scheduler.set("tslice_ms", Node::integer(*pool->tslice_ms));
    return scheduler;
  }

  std::optional<std::uint64_t> ratelimit_of_pools() const {
    for (const XlReading& output : outputs_) {
      for (const XlPool& pool : output.pools) {
        if (pool.ratelimit_us) return pool.ratelimit_us;
      }
    }
    return std::nullopt;
  }

  Node domain(const std::string& name, const Domain& known) {
    Node node = Node::object({{"name", Node::string(name)}});
    std::uint64_t vcpus = known.vcpus.value_or(0);
    if (vcpus == 0 || vcpus > kMostVcpus) {
      unknown("how many vCPUs " + name + " has (xl vcpu-list): 1 is taken");
      vcpus = 1;
    }
    node.set("vcpus", Node::integer(vcpus));
    const bool shares = model_ == "credit2" || model_ == "credit";
    if (shares && known.weight) node.set("weight", Node::integer(*known.weight));
    if (shares && known.cap.value_or(0) > 0) node.set("cap_pct", Node::integer(*known.cap));
    if (shares && !known.weight) unknown("the weight and cap of " + name + ": the defaults are taken");
    if (model_ == "rtds") set_budget(node, name, known);
    if (known.hard.empty()) unknown("the affinity of " + name + " (xl vcpu-list): all pCPUs are taken");
    set_affinity(node, "affinity", vcpus, known.hard);
    if (shares) set_affinity(node, "soft_affinity", vcpus, known.soft);
    if (!known.pool.empty() && known.pool != "Pool-0") unknown("the cpupool " + known.pool + " of " + name);
    node.set("os", Node::object({{"model", Node::string("linux")}}));
    return node;
  }

  void set_budget(Node& node, const std::string& name, const Domain& known) {
    if (known.budgets_differ) unknown("budgets of single vCPUs of " + name + ": the first vCPU's is taken for all");
    if (!known.budget) return unknown("the budget of " + name + " (xl sched-rtds): the default is taken");
    node.set("period_us", time(known.budget->period));
    node.set("budget_us", time(known.budget->budget));
    node.set("extratime", Node::boolean(known.budget->extratime));
  }

  /// One list for all vCPUs, or one each; nothing if all may run everywhere.
  void set_affinity(Node& node, const std::string& key, std::uint64_t vcpus,
                    const std::map<std::uint64_t, XlCpus>& sets) {
    const bool everywhere = std::all_of(sets.begin(), sets.end(), [](const auto& each) { return !each.second; });
    if (everywhere) return;
    const auto of = [&](const XlCpus& set) { return integers(set ? *set : all_pcpus()); };
    const bool same =
        std::all_of(sets.begin(), sets.end(), [&](const auto& e) { return e.second == sets.begin()->second; });
    if (same && sets.size() == vcpus) {
      node.set(key, of(sets.begin()->second));
      return;
    }
    Node list = Node::array();
    auto at = sets.begin();
    for (std::uint64_t i = 0; i < vcpus; ++i) list.push_back(at == sets.end() ? of({}) : of((at++)->second));
    node.set(key, std::move(list));
  }

  std::vector<std::int64_t> all_pcpus() const {
    const std::uint64_t n = std::clamp<std::uint64_t>(parse_number(info("nr_cpus")).value_or(4), 1, 4);
    std::vector<std::int64_t> all;
    for (std::uint64_t i = 0; i < n; ++i) all.push_back(static_cast<std::int64_t>(i));
    return all;
  }

  const std::vector<XlReading>& outputs_;
  std::map<std::string, Domain> domains_;
  std::vector<std::string> order_;
  std::string model_;
  bool more_pools_ = false;
  std::vector<std::string> unknown_;
};

}  // namespace

XlScenario make_scenario(const std::vector<XlReading>& outputs, const std::vector<XlConfig>& configs) {
  return Maker{outputs, configs}.make();
}

}  // namespace vecusim
