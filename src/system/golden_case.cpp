// Reads a golden case: what its document means.
#include "system/golden_case.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "system/golden_case_form.hpp"
#include "system/json_fields.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"

namespace vecusim::golden {
namespace {

/// An interrupt's `v` may be one name: a list of one, to the form.
void make_lists(json::Node& document) {
  json::Node* const interrupts = document.find("interrupts");
  if (interrupts == nullptr) return;
  for (json::Node& interrupt : interrupts->items) {
    json::Node* const targets = interrupt.find("v");
    if (targets == nullptr || targets->kind != json::Kind::string) continue;
    json::Node list = json::Node::array({*targets});
    list.place = targets->place;
    *targets = std::move(list);
  }
}

// ---- Boot parameters ----

struct BootParameter {
  std::string_view name;
  /// Key of the policy's configuration.
  std::string_view key;
  /// Which policies have it.
  std::array<std::string_view, 2> policies;
};

constexpr std::array kBootParameters = {
    BootParameter{"sched_ratelimit_us", "ratelimit_us", {"credit2", "credit"}},
    BootParameter{"credit2_runqueue", "runqueue", {"credit2"}},
    BootParameter{"sched_credit2_migrate_resist", "migrate_resist_us", {"credit2"}},
    BootParameter{"credit2_load_window_shift", "load_window_shift", {"credit2"}},
    BootParameter{"credit2_load_precision_shift", "load_precision_shift", {"credit2"}},
    BootParameter{"credit2_balance_under", "balance_under", {"credit2"}},
    BootParameter{"credit2_balance_over", "balance_over", {"credit2"}},
    BootParameter{"credit2_cap_period_ms", "cap_period_ms", {"credit2"}},
    BootParameter{"sched_credit2_max_cpus_runqueue", "max_cpus_runqueue", {"credit2"}},
    BootParameter{"sched_credit_tslice_ms", "tslice_ms", {"credit"}},
};

/// The parameters as the policy's configuration names them; those of other schedulers are ignored, as Xen does.
json::Node boot_configuration(const json::Node& parameters, std::string_view policy, Problems& problems) {
  json::Node configuration = json::Node::object();
  configuration.place = parameters.place;
  for (const json::Member& member : parameters.members) {
    const auto known = std::find_if(kBootParameters.begin(), kBootParameters.end(),
                                    [&](const BootParameter& p) { return p.name == member.key; });
    if (known == kBootParameters.end()) {
      problems.add({member.key_place, json::child("/params", member.key), "a boot parameter of a Xen scheduler",
                    '"' + member.key + '"'});
    } else if (std::find(known->policies.begin(), known->policies.end(), policy) != known->policies.end()) {
      configuration.members.push_back({std::string(known->key), member.value, member.key_place});
    }
  }
  return configuration;
}

// ---- What it means ----

/// Turns the form into a Case; what is wrong is reported at its place in the document.
class Interpreter {
 public:
  Interpreter(const json::Node& document, Problems& problems) : document_(document), problems_(problems) {}

  Case interpret(const CaseForm& form) {
    Case result;
    result.name = form.name;
    result.duration = HvTime{form.duration};
    result.pcpus = places(form);
    for (std::size_t d = 0; d < form.domains.size(); ++d) {
      for (std::size_t v = 0; v < form.domains[d].vcpus.size(); ++v) {
        units_.emplace("d" + std::to_string(d) + "v" + std::to_string(v), static_cast<UnitId>(units_.size()));
      }
    }
    for (std::size_t d = 0; d < form.domains.size(); ++d) {
      result.domains.push_back(domain(form.domains[d], d, result.pcpus.size()));
    }
    for (std::size_t i = 0; i < form.interrupts.size(); ++i) {
      result.interrupts.push_back(interrupt(form.interrupts[i], json::child("/interrupts", i)));
    }
    if (form.arinc653) result.table = table(*form.arinc653);
    return result;
  }

 private:
  void report(std::string pointer, std::string expected, std::string found) {
    const json::Node* const node = json::find(document_, pointer);
    problems_.add(
        {(node != nullptr ? *node : document_).place, std::move(pointer), std::move(expected), std::move(found)});
  }

  std::vector<PcpuPlace> places(const CaseForm& form) {
    const auto n = static_cast<std::size_t>(form.pcpus);
    std::vector<PcpuPlace> places(n);
    const auto copy = [&](std::string_view key, const std::vector<std::vector<std::int64_t>>& ids,
                          int PcpuPlace::*member) {
      if (ids.size() != 1 || ids.front().size() != n) {
        report(json::child("/topology", key), "one id per pCPU", "another number of ids");
        return;
      }
      for (std::size_t p = 0; p < n; ++p) places[p].*member = static_cast<int>(ids.front()[p]);
    };
    if (form.topology) {
      copy("socket", form.topology->socket, &PcpuPlace::socket);
      copy("core", form.topology->core, &PcpuPlace::core);
    } else {
      for (std::size_t p = 0; p < n; ++p) places[p].core = static_cast<int>(p);
    }
    const bool smt = form.topology && form.topology->smt;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = 0; q < n; ++q) {
        const bool same = places[p].socket == places[q].socket && places[p].core == places[q].core;
        if (p == q || (smt && same)) places[p].siblings.insert(static_cast<PcpuId>(q));
      }
    }
    return places;
  }

  Domain domain(const DomainForm& form, std::size_t number, std::size_t pcpus) {
    const std::string pointer = json::child("/domains", number);
    if (form.id != static_cast<std::int64_t>(number)) {
      report(pointer + "/id", std::to_string(number) + ", its place in the list", std::to_string(form.id));
    }
    Domain domain;
    if (form.weight) domain.weight = static_cast<std::int32_t>(*form.weight);
    if (form.cap) domain.cap_pct = static_cast<std::int32_t>(*form.cap);
    for (std::size_t v = 0; v < form.vcpus.size(); ++v) {
      domain.vcpus.push_back(vcpu(form.vcpus[v], json::child(pointer + "/vcpus", v), pcpus));
      domain.vcpus.back().name = "d" + std::to_string(number) + "v" + std::to_string(v);
    }
    return domain;
  }

  Vcpu vcpu(const VcpuForm& form, const std::string& pointer, std::size_t pcpus) {
    Vcpu vcpu;
    vcpu.start = HvTime{form.start};
    if (!form.affinity.empty()) vcpu.affinity = affinity(form.affinity, pointer + "/affinity", pcpus);
    if (form.rtds) {
      vcpu.server = ServerParameters{std::chrono::microseconds{form.rtds->period_us},
                                     std::chrono::microseconds{form.rtds->budget_us}, form.rtds->extratime != 0};
    }
    vcpu.workload.repeat = form.workload.repeat;
    vcpu.workload.prologue = form.workload.prologue.size();
    const auto append = [&](const std::vector<StepForm>& steps, const std::string& at) {
      for (std::size_t s = 0; s < steps.size(); ++s) {
        vcpu.workload.steps.push_back(step(steps[s], json::child(at, s)));
      }
    };
    append(form.workload.prologue, pointer + "/workload/prologue");
    append(form.workload.steps, pointer + "/workload/steps");
    return vcpu;
  }

  PcpuMask affinity(const std::vector<std::vector<std::int64_t>>& lists, const std::string& pointer,
                    std::size_t pcpus) {
    PcpuMask mask;
    for (const std::int64_t p : lists.front()) mask.insert(static_cast<PcpuId>(p));
    if (lists.size() != 1 || mask.empty() || !mask.subset_of(PcpuMask::first_n(pcpus))) {
      report(pointer, "a list of some of the pCPUs", "something else");
    }
    return mask;
  }

  Step step(const StepForm& form, const std::string& pointer) {
    std::vector<Step> meant;
    if (form.run) meant.emplace_back(Run{HvTime{*form.run}});
    if (form.block) meant.emplace_back(Block{HvTime{*form.block}});
    if (form.block_until) meant.emplace_back(BlockUntil{HvTime{*form.block_until}});
    if (form.block_periodic) {
      meant.emplace_back(BlockPeriodic{HvTime{form.block_periodic->period}, HvTime{form.block_periodic->phase}});
    }
    if (form.wait == true) meant.emplace_back(WaitForEvent{});
    if (form.yield == true) meant.emplace_back(Yield{});
    if (form.kick) meant.emplace_back(Kick{unit(*form.kick, pointer + "/kick")});
    if (meant.size() == 1) return meant.front();
    report(pointer, "exactly one of run, block, block_until, block_periodic, wait, yield and kick",
           std::to_string(meant.size()));
    return WaitForEvent{};
  }

  UnitId unit(const std::string& name, const std::string& pointer) {
    const auto found = units_.find(name);
    if (found != units_.end()) return found->second;
    report(pointer, "a vCPU of this case, such as \"d0v0\"", '"' + name + '"');
    return UnitId{0};
  }

  ExternalInterrupt interrupt(const InterruptForm& form, const std::string& pointer) {
    ExternalInterrupt interrupt{HvTime{form.t}, {}};
    for (std::size_t i = 0; i < form.v.size(); ++i) {
      interrupt.targets.push_back(unit(form.v[i], json::child(pointer + "/v", i)));
    }
    if (form.v.empty()) report(pointer + "/v", "a vCPU or a list of some", "none");
    return interrupt;
  }

  SlotTable table(const TableForm& form) {
    SlotTable table{HvTime{form.major_frame}, {}};
    for (std::size_t i = 0; i < form.entries.size(); ++i) {
      const UnitId owner = unit(form.entries[i].v, json::child("/arinc653/entries", i) + "/v");
      table.slots.push_back({owner, HvTime{form.entries[i].runtime}});
    }
    return table;
  }

  const json::Node& document_;
  Problems& problems_;
  std::map<std::string, UnitId> units_;
};

void read_policy(const CaseForm& form, const json::Node& parameters, const json::Node& document, Case& result,
                 Problems& problems) {
  result.policy = find_policy(form.scheduler);
  if (result.policy == nullptr) {
    const json::Node* const node = document.find("scheduler");
    std::string known;
    for (const PolicyEntry& entry : policies()) known += (known.empty() ? "" : ", ") + std::string(entry.option.name);
    problems.add(
        {(node != nullptr ? *node : document).place, "/scheduler", "one of " + known, '"' + form.scheduler + '"'});
    return;
  }
  result.config = result.policy->config();
  json::PartOf<Config> part{*result.config};
  json::read(boot_configuration(parameters, form.scheduler, problems), part, problems, "/params");
}

}  // namespace

Case read_case(std::string_view text, std::string_view file) {
  Problems problems;
  std::optional<json::Node> document = json::parse(text, file, problems);
  problems.throw_if_errors();
  json::Node parameters = json::Node::object();
  if (const json::Node* const given = document->find("params")) parameters = *given;
  document->erase("params");
  make_lists(*document);
  CaseForm form;
  json::read(*document, form, problems);
  problems.throw_if_errors();
  Case result = Interpreter(*document, problems).interpret(form);
  result.file = file;
  read_policy(form, parameters, *document, result, problems);
  problems.throw_if_errors();
  return result;
}

}  // namespace vecusim::golden
