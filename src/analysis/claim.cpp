// Reads claims.
#include "analysis/claim.hpp"

#include <charconv>
#include <memory>

#include "analysis/result.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

constexpr std::string_view kForms = "p99.99, \"p99_us ± 2%\", \"mean ± 1%\" or \"miss_ppm < 10\"";

std::string without_blanks(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (c != ' ') kept += c;
  }
  return kept;
}

std::optional<double> positive(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0.0) || value > 1e9) return std::nullopt;
  return value;
}

}  // namespace

std::optional<ClaimedFigure> parse_figure(std::string_view words) {
  std::string text(words);
  if (text.ends_with("_us")) text.resize(text.size() - 3);
  if (text == "mean") return ClaimedFigure{"mean_us", std::nullopt};
  for (char& c : text) c = c == '.' ? '_' : c;
  for (const Level& level : kLevelList) {
    if (text + "_us" == level.key) return ClaimedFigure{std::string(level.key), level.p};
  }
  return std::nullopt;
}

std::optional<Claim> parse_claim(std::string_view text, Problems& problems, std::string_view option) {
  const std::string words = without_blanks(text);
  Claim claim;
  claim.text = text;
  constexpr std::string_view kMisses = "miss_ppm<";
  for (const std::string_view sign : {std::string_view{"±"}, std::string_view{"+-"}}) {
    const std::size_t at = words.find(sign);
    if (at == std::string::npos || !words.ends_with('%')) continue;
    const auto figure = parse_figure(words.substr(0, at));
    const std::size_t from = at + sign.size();
    const auto share = positive(std::string_view{words}.substr(from, words.size() - 1 - from));
    if (!figure || !share || *share >= 100.0) break;
    claim.kind = Claim::Kind::precise;
    claim.figure = *figure;
    claim.limit = *share / 100.0;
    return claim;
  }
  if (words.starts_with(kMisses)) {
    const auto ppm = positive(std::string_view{words}.substr(kMisses.size()));
    if (ppm && *ppm < 1e6) {
      claim.kind = Claim::Kind::rare_misses;
      claim.limit = *ppm * 1e-6;
      return claim;
    }
  }
  if (const auto figure = parse_figure(words); figure && figure->level) {
    claim.figure = *figure;
    return claim;
  }
  problems.add({{std::make_shared<const std::string>(option), 1, 1}, "", std::string(kForms), json::quoted(text)});
  return std::nullopt;
}

}  // namespace vecusim
