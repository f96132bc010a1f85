// The rules. Their sources are the specification of the Xen schedulers, its sections 1.13, 1.18, 2 to 5 and 7, and the
// field's cases of settings that surprised their authors.
#include "system/lint_schedulers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/lint_placement.hpp"

namespace vecusim {
namespace {

/// Credit2 lets no vCPU run for less than this, nor for longer than this (specification, 1.1).
constexpr Duration kMinSlice = 500us;
constexpr Duration kMaxSlice = 10ms;
constexpr Duration kDefaultCapPeriod = 10ms;

class Linter {
 public:
  explicit Linter(const LintedPool& pool) : pool_(pool) {}

  std::vector<Problem> run() {
    affinity();
    ignored_parameters();
    ratelimit();
    if (pool_.vwfi_native) vwfi_native();
    if (is("credit2") || is("credit")) shares();
    if (is("credit2")) credit2();
    if (is("rtds")) rtds();
    if (is("null")) null();
    if (is("arinc653")) arinc653();
    return std::move(found_);
  }

 private:
  bool is(std::string_view scheduler) const { return pool_.scheduler == scheduler; }

  void report(std::string rule, std::string pointer, std::string expected, std::string found,
              Severity severity = Severity::warning) {
    found_.push_back({.place = {},
                      .pointer = std::move(pointer),
                      .expected = std::move(expected),
                      .found = std::move(found),
                      .severity = severity,
                      .rule = std::move(rule)});
  }

  std::string pcpus_text() const { return counted(pool_.pcpus.size(), "pCPU"); }

  static std::string counted(std::size_t n, const std::string& what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
  }

  std::size_t vcpus() const {
    return std::accumulate(pool_.domains.begin(), pool_.domains.end(), std::size_t{0},
                           [](std::size_t sum, const LintedDomain& domain) { return sum + domain.vcpus; });
  }

  // ---- All schedulers ----

  void affinity() {
    for (const LintedDomain& domain : pool_.domains) {
      for (std::size_t v = 0; v < domain.affinity.size(); ++v) {
        const PcpuMask mask = domain.affinity[v];
        if (mask.subset_of(pool_.pcpus)) continue;
        const bool nowhere = !mask.intersects(pool_.pcpus);
        report("pin-outside-pool", json::child(domain.pointer, "affinity"),
               "pCPUs of the vCPU's pool" + std::string(nowhere ? ", one at least" : ", as others have no effect"),
               "pCPU " + std::to_string(index((mask - pool_.pcpus).first())) + " for vCPU " + std::to_string(v),
               nowhere ? Severity::error : Severity::warning);
        break;
      }
    }
  }

  /// Parameters of other schedulers; users have set the weight of Credit and wondered why Credit2 did not heed it.
  void ignored_parameters() {
    const bool by_weight = is("credit2") || is("credit");
    for (const LintedDomain& domain : pool_.domains) {
      ignored(domain, "weight", !by_weight && domain.weight, "credit2 or credit");
      ignored(domain, "cap_pct", !by_weight && domain.cap_pct, "credit2 or credit");
      ignored(domain, "budget_us", !is("rtds") && domain.budget, "rtds");
      ignored(domain, "period_us", !is("rtds") && domain.period, "rtds");
      ignored(domain, "extratime", !is("rtds") && domain.extratime, "rtds");
      ignored(domain, "affinity", is("arinc653") && !domain.affinity.empty(), "any scheduler but arinc653");
    }
  }

  void ignored(const LintedDomain& domain, std::string_view key, bool is_so, const std::string& heeding) {
    if (!is_so) return;
    report("parameter-ignored", json::child(domain.pointer, key),
           "no such key, which " + pool_.scheduler + " ignores (" + heeding + " would heed it)", "one");
  }

  void ratelimit() {
    if (!pool_.ratelimit || *pool_.ratelimit == Duration::zero()) return;
    const std::string pointer = json::child(pool_.pointer, "ratelimit_us");
    const Duration limit = *pool_.ratelimit;
    if (limit < kMinRatelimit || limit > kMaxRatelimit) {
      report("ratelimit-range", pointer, "0 or 100 to 500000 us, all that xl accepts",
             us(limit) + ", which Xen takes at boot all the same");
    }
    if (pool_.tslice && limit > *pool_.tslice) {
      report("ratelimit-above-slice", pointer, "at most the slice of " + us(*pool_.tslice),
             us(limit) + ", for which Xen takes the slice at boot; xl refuses it");
    }
    if (is("credit2") && limit > kMaxSlice) {
      report("ratelimit-above-slice", pointer, "at most " + us(kMaxSlice) + ", the longest slice otherwise",
             us(limit) + ", which makes every slice as long");
    }
  }

  static std::string us(Duration time) { return std::to_string(time / 1us) + " us"; }

  /// A vCPU that idles by itself keeps its pCPU: others wait for the end of its slice, or for ever with null.
  void vwfi_native() {
    if (all_have_a_pcpu_of_their_own(pool_)) return;
    report("vwfi-native-shared", "/hypervisor/vwfi",
           "\"trap\", or a pCPU for each vCPU: one that idles in the guest goes on running for Xen",
           "\"native\" with " + counted(vcpus(), "vCPU") + " on " + pcpus_text());
  }

  // ---- Credit2 and Credit ----

  void shares() {
    std::int64_t caps = 0;
    bool all_capped = true;
    bool pinned = false;
    for (const LintedDomain& domain : pool_.domains) {
      const std::int64_t cap = domain.cap_pct.value_or(0);
      caps += cap;
      all_capped = all_capped && cap != 0;
      pinned = pinned || !domain.affinity.empty();
      if (cap > 100 * static_cast<std::int64_t>(domain.vcpus)) {
        report("cap-above-vcpus", json::child(domain.pointer, "cap_pct"),
               "at most 100 for each of " + counted(domain.vcpus, "vCPU") + ", as Xen and xl demand",
               std::to_string(cap), Severity::error);
      }
    }
    const bool alone = pool_.domains.size() == 1;
    const bool fits = all_capped && !pinned && caps <= 100 * static_cast<std::int64_t>(pool_.pcpus.size());
    if (alone || fits) weights_without_contention(alone, caps);
  }

  void weights_without_contention(bool alone, std::int64_t caps) {
    for (const LintedDomain& domain : pool_.domains) {
      if (!domain.weight) continue;
      report("weight-moot", json::child(domain.pointer, "weight"),
             "domains that contend for CPU time, which is all that weights divide",
             alone ? "no other domain in the pool"
                   : "caps of " + std::to_string(caps) + " % altogether, for which " + pcpus_text() + " suffice");
    }
  }

  void credit2() {
    if (pool_.runqueue_per_pcpu && vcpus() > pool_.pcpus.size()) {
      report("runqueue-per-pcpu", json::child(pool_.pointer, "runqueue"),
             "a runqueue for several pCPUs: an idle pCPU takes no vCPU that waits in another runqueue",
             counted(vcpus(), "vCPU") + " on " + pcpus_text() + " with a runqueue each");
    }
    const Duration period = pool_.cap_period.value_or(kDefaultCapPeriod);
    const Duration turn = std::max(kMinSlice, pool_.ratelimit.value_or(1ms));
    for (const LintedDomain& domain : pool_.domains) {
      const std::int64_t cap = domain.cap_pct.value_or(0);
      const Duration budget = period * cap / 100 / static_cast<std::int64_t>(std::max<std::size_t>(domain.vcpus, 1));
      if (cap <= 0 || budget >= turn) continue;
      report("cap-below-turn", json::child(domain.pointer, "cap_pct"),
             "for each vCPU at least " + us(turn) + " in a period of " + us(period) +
                 ", as nobody runs for less at a time and what is overdrawn costs whole periods",
             us(budget));
    }
  }

  // ---- RTDS ----

  void rtds() {
    double utilisation = 0;
    for (const LintedDomain& domain : pool_.domains) {
      const ServerParameters defaults;
      const Duration budget = domain.budget.value_or(defaults.budget);
      const Duration period = domain.period.value_or(defaults.period);
      if (period > Duration::zero()) {
        utilisation += static_cast<double>(domain.vcpus) * static_cast<double>(budget.count()) /
                       static_cast<double>(period.count());
      }
      if (!domain.budget && !domain.period) {
        report("rtds-default-server", domain.pointer, "a budget_us and period_us of its own",
               "neither: each vCPU gets 4000 us of every 10000 us");
      }
      if (domain.budget && !domain.extratime) {
        report("rtds-extratime-default", json::child(domain.pointer, "budget_us"),
               "an explicit extratime: it is on by default, and then a budget limits nothing while others idle",
               "no extratime");
      }
    }
    constexpr double kRounding = 1e-9;
    if (utilisation > static_cast<double>(pool_.pcpus.size()) + kRounding) {
      report("rtds-overload", pool_.pointer,
             "budgets that " + pcpus_text() + " can serve: deadlines will be missed, and Xen does not refuse it",
             "budget / period of " + std::to_string(utilisation) + " altogether");
    }
  }

  // ---- null ----

  void null() {
    if (!all_have_a_pcpu_of_their_own(pool_)) {
      report("null-oversubscribed", pool_.pointer, "a pCPU for each vCPU, as one without never runs",
             counted(vcpus(), "vCPU") + " on " + pcpus_text() +
                 (vcpus() > pool_.pcpus.size() ? "" : ", pinned so that some share one"));
    } else if (const auto taken = pin_that_another_may_take(pool_)) {
      report("null-pin-taken", json::child(pool_.domains[taken->domain].pointer, "affinity"),
             "other vCPUs kept off pCPU " + std::to_string(index(taken->pcpu)) +
                 ": whoever comes up there first has it for good",
             "a vCPU of " + json::quoted(pool_.domains[taken->by].name) + " that may take it");
    }
  }

  // ---- ARINC653 ----

  void arinc653() {
    if (pool_.table == nullptr) return no_table();
    std::vector<std::vector<bool>> scheduled;
    for (const LintedDomain& domain : pool_.domains) scheduled.emplace_back(domain.vcpus);
    for (std::size_t e = 0; e < pool_.table->slots.size(); ++e) {
      const std::string& vcpu = pool_.table->slots[e].vcpu;
      if (mark(vcpu, scheduled)) continue;
      report("arinc653-unknown-vcpu", json::child(json::child(json::child(pool_.pointer, "entries"), e), "vcpu"),
             "DOMAIN/INDEX of a vCPU that exists: Xen accepts others and idles in their slots", json::quoted(vcpu));
    }
    for (std::size_t d = 0; d < scheduled.size(); ++d) slots_of(pool_.domains[d], scheduled[d]);
  }

  void no_table() {
    for (std::size_t d = 1; d < pool_.domains.size(); ++d) {
      report("arinc653-missing-domain", pool_.domains[d].pointer,
             "a schedule with slots for it: without one only the first domain's vCPUs run, 10 ms each", "no entries");
    }
  }

  bool mark(const std::string& vcpu, std::vector<std::vector<bool>>& scheduled) const {
    for (std::size_t d = 0; d < scheduled.size(); ++d) {
      for (std::size_t v = 0; v < scheduled[d].size(); ++v) {
        if (vcpu != pool_.domains[d].name + '/' + std::to_string(v)) continue;
        scheduled[d][v] = true;
        return true;
      }
    }
    return false;
  }

  void slots_of(const LintedDomain& domain, const std::vector<bool>& scheduled) {
    const auto with = static_cast<std::size_t>(std::count(scheduled.begin(), scheduled.end(), true));
    if (with == 0) {
      report("arinc653-missing-domain", domain.pointer, "a slot in the schedule, as a domain without one never runs",
             "none");
    } else if (with < scheduled.size()) {
      const auto missing = std::find(scheduled.begin(), scheduled.end(), false) - scheduled.begin();
      report("arinc653-missing-vcpu", json::child(domain.pointer, "vcpus"),
             "a slot for each vCPU, as one without never runs", "none for vCPU " + std::to_string(missing));
    } else if (with > 1) {
      report("arinc653-serial-vcpus", json::child(domain.pointer, "vcpus"),
             "1: slots follow one another over the whole system, so that vCPUs of a domain never run together",
             std::to_string(with));
    }
  }

  const LintedPool& pool_;
  std::vector<Problem> found_;
};

}  // namespace

std::vector<Problem> lint(const LintedPool& pool) { return Linter(pool).run(); }

}  // namespace vecusim
