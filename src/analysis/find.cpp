// Bisection over a value, doubling over replications.
#include "analysis/find.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "system/json_print.hpp"

namespace vecusim {
namespace {

constexpr std::uint64_t kMostDoublings = 32;
/// Of the span: values closer than this are as good as one.
constexpr double kResolution = 1.0 / 512.0;

class Finder {
 public:
  Finder(const LoadedScenario& loaded, const Span& span, const Limit& limit, const RunOptions& options)
      : loaded_(loaded), options_(options), search_{span, limit, {}, true, {}, {}} {}

  Search run() {
    const Probe lo = probe(0.0);
    const Probe hi = probe(1.0);
    search_.ascending = hi.verdict != Verdict::met;
    if (lo.verdict != hi.verdict) narrow();
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

  /// Between a share of the span that meets the limit and one that does not. What noise leaves open is in the way from
  /// both sides, so each is looked for on its own.
  void narrow() {
    const double met = search_.ascending ? 0.0 : 1.0;
    bisect(met, 1.0 - met, [](Verdict verdict) { return verdict == Verdict::met; });
    bisect(met, 1.0 - met, [](Verdict verdict) { return verdict != Verdict::unmet; });
  }

  template <class Stays>
  void bisect(double inside, double outside, Stays stays) {
    for (const At& at : probes_) {  // what an earlier search has found
      double& end = stays(at.probe.verdict) ? inside : outside;
      if (std::abs(at.share - 0.5 * (inside + outside)) < std::abs(end - 0.5 * (inside + outside))) end = at.share;
    }
    while (std::abs(outside - inside) > kResolution) {
      const double middle = 0.5 * (inside + outside);
      if (known(middle)) return;  // an integer that has been tried
      (stays(probe(middle).verdict) ? inside : outside) = middle;
    }
  }

  bool known(double share) const {
    const std::string text = value_at(search_.span, share).text;
    return std::any_of(probes_.begin(), probes_.end(), [&](const At& at) { return at.probe.value.text == text; });
  }

  Probe probe(double share) {
    Probe result;
    result.value = value_at(search_.span, share);
    RunOptions options = options_;
    const std::uint64_t first =
        options.replications.value_or(static_cast<std::uint64_t>(loaded_.scenario.run.replications));
    LoadedScenario at = loaded_;
    at.scenario = with_values(loaded_, {{search_.span.pointer, result.value.value}});
    for (std::uint64_t n = first; n <= kMostDoublings * first; n *= 2) {
      options.replications = n;
      judge(run_experiment(at, options), result);
      if (result.verdict != Verdict::unsure) break;
    }
    probes_.push_back({share, result});
    return result;
  }

  void judge(const Result& result, Probe& probe) const {
    const Limit& limit = search_.limit;
    const std::vector<Column> columns = to_columns(result);
    const auto number = [&](const std::string& path) -> std::optional<double> {
      const auto found =
          std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.path == path; });
      if (found == columns.end()) return std::nullopt;
      return found->value.is_number() ? std::optional(found->value.as_double()) : std::nullopt;
    };
    probe.replications = result.replications;
    probe.figure = number(limit.path);
    const std::size_t dot = limit.path.rfind('.');
    const std::string interval = limit.path.substr(0, dot) + ".ci95" + limit.path.substr(dot);
    const auto lo = number(interval + ".lo");
    const auto hi = number(interval + ".hi");
    probe.verdict = Verdict::unsure;
    if (!probe.figure) return;
    probe.interval.reset();
    if (lo && hi) {
      probe.interval = Interval{*lo, *hi};
    } else if (std::any_of(columns.begin(), columns.end(),
                           [&](const Column& c) { return c.path == interval + ".lo"; })) {
      return;  // more samples will give it one
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
      if (probes[at].verdict == Verdict::met) search_.last_met = at;
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
  auto path = column_path(figure, interrupt);
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
    throw InvalidInput(
        Problem{{}, "--meets", "a number of the result that enough samples are there for (list metrics)", limit.path});
  }
  return search;
}

}  // namespace vecusim
