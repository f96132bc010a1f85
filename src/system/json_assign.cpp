// Splitting `PTR=VALUE` and `PTR=VALUES`.
#include "system/json_assign.hpp"

#include <algorithm>
#include <utility>

#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/json_values.hpp"
#include "system/utf8.hpp"

namespace vecusim::json {
namespace {

/// What an author who left out the first slash, or wrote a path with dots, meant; empty if that is no guess either.
std::string probable_pointer(std::string_view text) {
  std::string guess{"/"};
  guess += text;
  if (text.find('/') == std::string_view::npos) std::replace(guess.begin(), guess.end(), '.', '/');
  return text.empty() || !parse_pointer(guess) ? std::string{} : guess;
}

/// The pointer before the first "=", checked, and the text after it with its place.
struct Halves {
  std::string pointer;
  std::string_view value;
  Place place;
};

std::optional<Halves> split(std::string_view text, std::string_view option, std::string_view form, Problems& problems) {
  Place place{std::make_shared<const std::string>(option), 1, 1};
  const auto refuse = [&](std::string expected, std::string_view found, std::string suggestion) {
    problems.add({place,
                  {},
                  std::move(expected),
                  shown(Node::string(std::string{found})),
                  std::move(suggestion),
                  Severity::error,
                  "option"});
    return std::nullopt;
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return refuse(std::string{form}, text, {});
  const std::string_view pointer = text.substr(0, equals);
  if (!parse_pointer(pointer)) return refuse("a JSON pointer like /run/seed", pointer, probable_pointer(pointer));
  place.column += static_cast<std::uint32_t>(utf8_characters(text.substr(0, equals + 1)));
  return Halves{std::string{pointer}, text.substr(equals + 1), place};
}

}  // namespace

std::optional<Assignment> parse_assignment(std::string_view text, Problems& problems, std::string_view option) {
  const std::optional<Halves> halves = split(text, option, "PTR=VALUE", problems);
  if (!halves) return std::nullopt;
  std::optional<Node> value = parse_value(halves->value, halves->place, problems);
  if (!value) return std::nullopt;
  return Assignment{halves->pointer, std::move(*value)};
}

std::optional<Variation> parse_variation(std::string_view text, Problems& problems, std::string_view option) {
  const std::optional<Halves> halves = split(text, option, "PTR=VALUES", problems);
  if (!halves) return std::nullopt;
  std::vector<Choice> choices = parse_values(halves->value, halves->place, problems);
  if (choices.empty()) return std::nullopt;
  return Variation{halves->pointer, std::move(choices)};
}

}  // namespace vecusim::json
