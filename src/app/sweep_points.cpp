// Reading the options, one complaint for each fault.
#include "app/sweep_points.hpp"

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "system/json_assign.hpp"

namespace vecusim {

namespace {

/// Every text of an option.
template <class Parsed>
std::vector<Parsed> parse_all(const Arguments& arguments, const char* option, Complaints& complaints,
                              std::optional<Parsed> (*parse)(std::string_view, Problems&, std::string_view)) {
  Problems problems;
  std::vector<Parsed> result;
  for (const std::string& text : arguments.all(option)) {
    if (auto parsed = parse(text, problems, "--" + std::string(option))) result.push_back(*std::move(parsed));
  }
  if (problems.has_errors()) complaints.add(problems.text());
  return result;
}

/// `lhs:N`
std::size_t sample_size(const std::string& text) {
  constexpr std::string_view kMethod = "lhs:";
  std::size_t n = 0;
  const char* const end = text.data() + text.size();
  const bool known = text.starts_with(kMethod);
  const auto [rest, error] = std::from_chars(text.data() + (known ? kMethod.size() : 0), end, n);
  if (!known || error != std::errc{} || rest != end || n < 2 || n > kMostPoints) {
    throw UsageError("--sample: expected lhs:N with N from 2 to " + std::to_string(kMostPoints) + ", found \"" + text +
                     "\"");
  }
  return n;
}

}  // namespace

SweepPoints::SweepPoints(const Arguments& arguments, Complaints& complaints) {
  if (!arguments.has("vary") && !arguments.has("zip")) complaints.add("sweep: expected --vary PTR=VALUES, found none");
  if (arguments.has("sample") && arguments.has("zip")) complaints.add("--sample: not together with --zip");
  complaints.gather([&] {
    if (const auto text = arguments.text("sample")) sample_ = sample_size(*text);
    return 0;
  });
  if (arguments.has("sample")) {
    spans_ = parse_all(arguments, "vary", complaints, parse_span);
  } else {
    varied_ = parse_all(arguments, "vary", complaints, json::parse_variation);
    zipped_ = parse_all(arguments, "zip", complaints, json::parse_variation);
  }
  complaints.gather([&] {
    const auto text = arguments.text("shard");
    if (!text) return 0;
    Shard shard{0, 0};
    const char* const end = text->data() + text->size();
    const auto [slash, first] = std::from_chars(text->data(), end, shard.k);
    const bool halves = first == std::errc{} && slash != end && *slash == '/';
    const auto [rest, second] = std::from_chars(halves ? slash + 1 : end, end, shard.n);
    if (!halves || second != std::errc{} || rest != end || shard.k < 1 || shard.k > shard.n) {
      throw UsageError("--shard: expected K/N with K from 1 to N, found \"" + *text + "\"");
    }
    shard_ = shard;
    return 0;
  });
}

std::vector<Dimension> SweepPoints::dimensions(std::uint64_t seed) const {
  if (sample_) return {latin_hypercube(spans_, *sample_, seed)};
  std::vector<Dimension> dimensions;
  for (const json::Variation& variation : varied_) dimensions.push_back(alone(variation));
  if (!zipped_.empty()) dimensions.push_back(zipped(zipped_));
  return dimensions;
}

void SweepPoints::keep_shard(std::vector<PlannedPoint>& points) const {
  if (shard_) vecusim::keep_shard(points, shard_->k, shard_->n);
}

}  // namespace vecusim
