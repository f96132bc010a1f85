// Dimensions from lists, and from strata in random order.
#include "analysis/sweep_design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/random.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(':');
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<json::Node> number(std::string_view text) {
  Problems unsaid;
  const auto assignment = json::parse_assignment("/x=" + std::string(text), unsaid);
  if (!assignment || !assignment->value.is_number()) return std::nullopt;
  return assignment->value;
}

/// Fisher and Yates's: every order is as likely.
std::vector<std::size_t> permutation(std::size_t n, RandomStream& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.uniform() * static_cast<double>(i))]);
  }
  return order;
}

}  // namespace

Dimension alone(json::Variation variation) {
  Dimension dimension{{std::move(variation.pointer)}, {}};
  for (json::Choice& choice : variation.choices) dimension.steps.push_back({std::move(choice)});
  return dimension;
}

Dimension zipped(std::vector<json::Variation> variations) {
  Dimension dimension;
  dimension.steps.resize(variations.front().choices.size());
  for (json::Variation& variation : variations) {
    if (variation.choices.size() != dimension.steps.size()) {
      throw InvalidInput(
          Problem{{},
                  variation.pointer,
                  "as many values as " + variations.front().pointer + " has, " + std::to_string(dimension.steps.size()),
                  std::to_string(variation.choices.size())});
    }
    for (std::size_t i = 0; i < dimension.steps.size(); ++i) {
      dimension.steps[i].push_back(std::move(variation.choices[i]));
    }
    dimension.pointers.push_back(variation.pointer);
  }
  return dimension;
}

std::optional<Span> parse_span(std::string_view text, Problems& problems, std::string_view option) {
  const auto assignment = json::parse_assignment(text, problems, option);
  if (!assignment) return std::nullopt;
  const json::Node& value = assignment->value;
  std::vector<std::string_view> parts = split(value.text);
  const bool logarithmic = parts.front() == "log";
  if (logarithmic) parts.erase(parts.begin());
  const auto lo = parts.size() == 2 ? number(parts[0]) : std::nullopt;
  const auto hi = parts.size() == 2 ? number(parts[1]) : std::nullopt;
  const char* expected = nullptr;
  if (!lo || !hi) {
    expected = "LO:HI or log:LO:HI";
  } else if (!(lo->as_double() < hi->as_double())) {
    expected = "HI above LO";
  } else if (logarithmic && !(lo->as_double() > 0.0)) {
    expected = "LO above 0";
  }
  if (expected != nullptr) {
    problems.add({value.place, assignment->pointer, expected, json::shown(value), {}, Severity::error, "option"});
    return std::nullopt;
  }
  const bool whole = lo->kind == json::Kind::integer && hi->kind == json::Kind::integer;
  return Span{assignment->pointer, lo->as_double(), hi->as_double(), logarithmic, whole};
}

json::Choice value_at(const Span& span, double share) {
  double value =
      span.logarithmic ? span.lo * std::pow(span.hi / span.lo, share) : span.lo + share * (span.hi - span.lo);
  // Each integer has as much of the span as any other.
  if (span.whole && !span.logarithmic) {
    value = std::min(span.lo + std::floor(share * (span.hi - span.lo + 1.0)), span.hi);
  }
  json::Node node = span.whole ? json::Node::integer(std::llround(value)) : json::Node::floating(value);
  std::string text = json::compact(node);
  return {std::move(text), std::move(node)};
}

Dimension latin_hypercube(const std::vector<Span>& spans, std::size_t n, std::uint64_t seed) {
  Dimension dimension;
  dimension.steps.resize(n);
  for (const Span& span : spans) {
    RandomStream random(seed, 0, "latin hypercube " + span.pointer);
    dimension.pointers.push_back(span.pointer);
    const std::vector<std::size_t> strata = permutation(n, random);
    for (std::size_t i = 0; i < n; ++i) {
      const double share = (static_cast<double>(strata[i]) + random.uniform()) / static_cast<double>(n);
      dimension.steps[i].push_back(value_at(span, share));
    }
  }
  return dimension;
}

}  // namespace vecusim
