// Bisection over a value, doubling over replications.
#include "analysis/find.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/metric.hpp"
#include "analysis/until.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

/// Of the replications of the first look.
constexpr std::uint64_t kMostTimes = 32;
/// Of the span: values closer than this are as good as one.
constexpr double kResolution = 1.0 / 512.0;

class Finder {
 public:
  Finder(const LoadedScenario& loaded, const Span& span, const Limit& limit, const RunOptions& options)
      : loaded_(loaded), options_(options), search_{.span = span, .limit = limit} {}

  Search run() {
    require_metric();
    const Verdict lo = probe(0.0);
    const Verdict hi = probe(1.0);
    search_.ascending = lo <= hi;
    if (lo != hi) narrow();
    std::sort(probes_.begin(), probes_.end(), [](const At& a, const At& b) { return a.share < b.share; });
    for (At& at : probes_) search_.probes.push_back(std::move(at.probe));
    name_neighbours();
    return search_;
  }

 private:
  struct At {
    double share;
    Probe probe;
  };

  LoadedScenario with(const json::Choice& value) const {
    LoadedScenario at = loaded_;
    at.scenario = with_values(loaded_, {{search_.span.pointer, value.value}});
    return at;
  }

  void require_metric() const {
    const std::vector<std::string> paths = metric_paths(with(value_at(search_.span, 0.0)).scenario);
    const std::string& path = search_.limit.path;
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) {
      throw InvalidInput(unknown_metric("--meets", path, paths));
    }
  }

  /// Between a share of the span that meets the limit and one that does not. What noise leaves open is in the way from
  /// both sides, so each is looked for on its own; an end that is open itself has no cliff towards the other kind.
  void narrow() {
    const double better = search_.ascending ? 0.0 : 1.0;
    bisect(better, 1.0 - better, [](Verdict verdict) { return verdict == Verdict::met; });
    bisect(better, 1.0 - better, [](Verdict verdict) { return verdict != Verdict::unmet; });
  }

  template <class Stays>
  void bisect(double inside, double outside, Stays stays) {
    if (!stays(verdict_at(inside)) || stays(verdict_at(outside))) return;
    for (const At& at : probes_) {  // what an earlier search has found
      double& end = stays(at.probe.verdict) ? inside : outside;
      if (std::abs(at.share - 0.5 * (inside + outside)) < std::abs(end - 0.5 * (inside + outside))) end = at.share;
    }
    while (std::abs(outside - inside) > kResolution) {
      const double middle = 0.5 * (inside + outside);
      if (known(middle)) return;  // an integer that has been tried
      (stays(probe(middle)) ? inside : outside) = middle;
    }
  }

  Verdict verdict_at(double share) const {
    return std::find_if(probes_.begin(), probes_.end(), [&](const At& at) { return at.share == share; })->probe.verdict;
  }

  bool known(double share) const {
    const std::string text = value_at(search_.span, share).text;
    return std::any_of(probes_.begin(), probes_.end(), [&](const At& at) { return at.probe.value.text == text; });
  }

  /// A figure that has an interval needs enough replications to be sure of anything, and more where it is near the
  /// limit; one without is taken as it is.
  Verdict probe(double share) {
    Probe result;
    result.value = value_at(search_.span, share);
    std::uint64_t first = options_.replications.value_or(static_cast<std::uint64_t>(loaded_.scenario.run.replications));
    const bool doubles = interval_path(search_.limit.path).has_value();
    if (doubles) first = std::max(first, kFirstLook);
    run_looks(with(result.value), options_, first, doubles ? kMostTimes * first : first, [&](const Result& seen) {
      judge(seen, result);
      return result.verdict != Verdict::unsure;
    });
    probes_.push_back({share, result});
    return result.verdict;
  }

  void judge(const Result& result, Probe& probe) const {
    const Limit& limit = search_.limit;
    const std::vector<Column> columns = to_columns(result);
    probe.replications = result.replications;
    probe.figure = number_at(columns, limit.path);
    probe.verdict = Verdict::unsure;
    probe.interval.reset();
    if (!probe.figure) return;
    if (const auto path = interval_path(limit.path)) {
      const auto lo = number_at(columns, *path + ".lo");
      const auto hi = number_at(columns, *path + ".hi");
      if (!lo || !hi) return;  // more samples will give it one
      probe.interval = Interval{*lo, *hi};
    }
    const Interval range = probe.interval.value_or(Interval{*probe.figure, *probe.figure});
    const double near = limit.at_most ? range.lo : -range.hi;
    const double far = limit.at_most ? range.hi : -range.lo;
    const double bound = limit.at_most ? limit.value : -limit.value;
    const bool met = limit.strict ? far < bound : far <= bound;
    const bool unmet = limit.strict ? near >= bound : near > bound;
    probe.verdict = met ? Verdict::met : unmet ? Verdict::unmet : Verdict::unsure;
  }

  void name_neighbours() {
    const std::vector<Probe>& probes = search_.probes;
    for (std::size_t i = 0; i < probes.size(); ++i) {
      const std::size_t at = search_.ascending ? i : probes.size() - 1 - i;
      if (probes[at].verdict == Verdict::met) {
        (search_.first_unmet ? search_.met_beyond : search_.last_met) = at;
      }
      if (probes[at].verdict == Verdict::unmet && !search_.first_unmet) search_.first_unmet = at;
    }
  }

  const LoadedScenario& loaded_;
  const RunOptions& options_;
  Search search_;
  std::vector<At> probes_;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

}  // namespace

std::optional<Limit> parse_limit(std::string_view text, const std::optional<std::string>& interrupt,
                                 Problems& problems) {
  const std::size_t sign = text.find_first_of("<>");
  const bool equal = sign != std::string_view::npos && text.substr(sign + 1).starts_with('=');
  const std::string figure(trimmed(text.substr(0, sign)));
  const std::string_view number = sign == std::string_view::npos ? "" : trimmed(text.substr(sign + (equal ? 2 : 1)));
  double value = 0.0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (figure.empty() || error != std::errc{} || end != number.data() + number.size() || !std::isfinite(value)) {
    problems.add({{}, "--meets", "a figure and its limit, like \"p99_us <= 200\"", "\"" + std::string(text) + "\""});
    return std::nullopt;
  }
  auto path = metric_path(figure, interrupt);
  if (!path) {
    problems.add({{}, "--meets", "a figure by its whole path (list metrics), or --interrupt with it", figure});
    return std::nullopt;
  }
  return Limit{std::string(text), *std::move(path), text[sign] == '<', !equal, value};
}

Search find_limit(const LoadedScenario& loaded, const Span& span, const Limit& limit, const RunOptions& options) {
  Search search = Finder(loaded, span, limit, options).run();
  const auto none = [](const Probe& probe) { return !probe.figure; };
  if (std::all_of(search.probes.begin(), search.probes.end(), none)) {
    throw InvalidInput(Problem{
        {},
        "--meets",
        "a figure that " + std::to_string(search.probes.front().replications) + " replications have enough samples for",
        limit.path});
  }
  return search;
}

}  // namespace vecusim
