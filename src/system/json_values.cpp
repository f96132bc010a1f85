// Single values, lists, ranges and logarithmic ranges.
#include "system/json_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "system/json_decimal.hpp"
#include "system/json_parse.hpp"
#include "system/json_print.hpp"
#include "system/utf8.hpp"

namespace vecusim::json {
namespace {

/// A part of the text and where it stands.
struct Piece {
  std::string_view text;
  Place place;
};

Piece trimmed(std::string_view text, const Place& at) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t last = text.find_last_not_of(" \t");
  Piece piece{text.substr(first, last + 1 - first), at};
  piece.place.column += static_cast<std::uint32_t>(first);
  return piece;
}

/// Splits where `separator` stands outside quotes and brackets; the pieces are trimmed.
std::vector<Piece> split(const Piece& whole, char separator) {
  std::vector<Piece> pieces;
  std::size_t depth = 0;
  bool quoted_text = false;
  std::size_t start = 0;
  Place place = whole.place;
  const auto take = [&](std::size_t end) {
    const std::string_view piece = whole.text.substr(start, end - start);
    pieces.push_back(trimmed(piece, place));
    place.column += static_cast<std::uint32_t>(utf8_characters(piece) + 1);
    start = end + 1;
  };
  for (std::size_t i = 0; i < whole.text.size(); ++i) {
    const char c = whole.text[i];
    if (quoted_text && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted_text = !quoted_text;
    } else if (quoted_text) {
      continue;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    } else if (c == separator && depth == 0) {
      take(i);
    }
  }
  take(whole.text.size());
  return pieces;
}

/// The values of one option, or the problem with it.
class Values {
 public:
  explicit Values(Problems& problems) : problems_(problems) {}

  std::vector<Choice> list(const std::vector<Piece>& pieces);
  std::vector<Choice> range(const std::vector<Piece>& parts);
  std::vector<Choice> logarithmic(const Piece& whole, const std::vector<Piece>& parts);

 private:
  std::vector<Choice> refuse(const Piece& piece, std::string expected) {
    problems_.add({piece.place, {}, std::move(expected), shown_piece(piece), {}, Severity::error, "option"});
    return {};
  }
  static std::string shown_piece(const Piece& piece) {
    return piece.text.empty() ? "nothing" : shown(Node::string(std::string{piece.text}));
  }
  /// Whether each of `parts` is a number; reports those that are not.
  bool all_numbers(const std::vector<Piece>& parts);

  Problems& problems_;
};

bool is_number(const Piece& piece) {
  Problems ignored;
  const std::optional<Node> node = parse_value(piece.text, piece.place, ignored);
  return node && node->is_number();
}

Choice number_choice(std::string text, const Place& place) {
  Node value = Node::number(text);
  value.place = place;
  value.bare = true;
  return {std::move(text), std::move(value)};
}

std::vector<Choice> Values::list(const std::vector<Piece>& pieces) {
  if (pieces.size() > kMaxChoices) {
    problems_.add({pieces.front().place,
                   {},
                   "at most " + std::to_string(kMaxChoices) + " values",
                   std::to_string(pieces.size()),
                   {},
                   Severity::error,
                   "option"});
    return {};
  }
  std::vector<Choice> choices;
  for (const Piece& piece : pieces) {
    std::optional<Node> value = parse_value(piece.text, piece.place, problems_);
    if (!value) continue;
    std::string text = value->kind == Kind::string ? value->text : compact(*value);
    choices.push_back({std::move(text), std::move(*value)});
  }
  if (choices.size() < pieces.size()) choices.clear();
  return choices;
}

bool Values::all_numbers(const std::vector<Piece>& parts) {
  bool all = true;
  for (const Piece& part : parts) {
    if (is_number(part)) continue;
    refuse(part, "a number");
    all = false;
  }
  return all;
}

/// LO, HI and STEP as integers of one power of ten, in which the range is exact.
struct Grid {
  std::int64_t lo;
  std::int64_t hi;
  std::int64_t step;
  int exponent;
};

std::optional<Grid> common_grid(const std::vector<Piece>& parts) {
  std::int64_t exponent = 0;
  std::array<Decimal, 3> decimals;
  for (std::size_t i = 0; i < decimals.size(); ++i) {
    decimals[i] = parse_decimal(parts[i].text);
    exponent = std::min(exponent, decimals[i].exponent);
  }
  if (exponent < -std::numeric_limits<std::int64_t>::digits10) return std::nullopt;
  const int power = static_cast<int>(exponent);
  const auto lo = scaled(decimals[0], -power);
  const auto hi = scaled(decimals[1], -power);
  const auto step = scaled(decimals[2], -power);
  if (!lo || !hi || !step) return std::nullopt;
  return Grid{*lo, *hi, *step, power};
}

std::vector<Choice> Values::range(const std::vector<Piece>& parts) {
  if (!all_numbers(parts)) return {};
  const std::optional<Grid> grid = common_grid(parts);
  if (!grid) return refuse(parts[0], "LO, HI and STEP of at most 18 digits");
  if (grid->lo > grid->hi) return refuse(parts[1], "HI of at least LO (" + std::string{parts[0].text} + ")");
  if (grid->step <= 0) return refuse(parts[2], "STEP above 0");
  // The difference of two 64-bit integers fits unsigned, whatever their signs.
  const std::uint64_t width = static_cast<std::uint64_t>(grid->hi) - static_cast<std::uint64_t>(grid->lo);
  const std::uint64_t steps = width / static_cast<std::uint64_t>(grid->step);
  if (steps >= kMaxChoices) return refuse(parts[2], "STEP for at most " + std::to_string(kMaxChoices) + " values");
  std::vector<Choice> choices;
  for (std::uint64_t i = 0; i <= steps; ++i) {
    // Never beyond HI; unsigned, because the product alone may be beyond it.
    const std::uint64_t value = static_cast<std::uint64_t>(grid->lo) + i * static_cast<std::uint64_t>(grid->step);
    choices.push_back(number_choice(print_decimal(static_cast<std::int64_t>(value), grid->exponent), parts[0].place));
  }
  return choices;
}

/// Six significant digits, without an exponent where that is readable.
std::string six_digits(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6);
  std::string text{buffer.data(), end};
  const Decimal decimal = parse_decimal(text);
  constexpr std::int64_t kPlain = 12;
  if (std::abs(decimal.exponent) > kPlain) return text;
  return print_decimal(scaled({false, decimal.digits, 0}, 0).value_or(0), static_cast<int>(decimal.exponent));
}

std::vector<Choice> Values::logarithmic(const Piece& whole, const std::vector<Piece>& parts) {
  if (parts.size() != 3) return refuse(whole, "log:LO:HI:N");
  if (!all_numbers(parts)) return {};
  const Node lo = Node::number(std::string{parts[0].text});
  const Node hi = Node::number(std::string{parts[1].text});
  const std::optional<std::int64_t> count = Node::number(std::string{parts[2].text}).as_int64();
  if (!(lo.as_double() > 0)) return refuse(parts[0], "LO above 0");
  if (!(lo.as_double() < hi.as_double())) return refuse(parts[1], "HI above LO (" + lo.text + ")");
  if (!count || *count < 2 || *count > static_cast<std::int64_t>(kMaxChoices)) {
    return refuse(parts[2], "N from 2 to " + std::to_string(kMaxChoices));
  }
  const bool integers = lo.kind == Kind::integer && hi.kind == Kind::integer && hi.as_int64().has_value();
  const double ratio = std::log(hi.as_double()) - std::log(lo.as_double());
  std::vector<Choice> choices;
  for (std::int64_t i = 0; i < *count; ++i) {
    const double value = lo.as_double() * std::exp(ratio * static_cast<double>(i) / static_cast<double>(*count - 1));
    std::string text = integers ? std::to_string(std::llround(value)) : six_digits(value);
    if (i == 0) text = lo.text;
    if (i == *count - 1) text = hi.text;
    if (choices.empty() || choices.back().text != text) choices.push_back(number_choice(text, parts[0].place));
  }
  return choices;
}

}  // namespace

std::optional<Node> parse_value(std::string_view text, const Place& at, Problems& problems) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    problems.add({at, {}, "a value (\"\" for an empty text)", "nothing", {}, Severity::error, "option"});
    return std::nullopt;
  }
  // What begins like an array, an object or a string was meant to be JSON, and is told what is wrong with it.
  const bool surely_json = std::string_view{"[{\""}.find(text[first]) != std::string_view::npos;
  Problems attempt;
  std::optional<Node> node = parse_at(text, at, attempt);
  if (surely_json) {
    problems.append(attempt);
    return node;
  }
  if (!node) {
    node = Node::string(std::string{text});
    node->place = at;
  }
  node->bare = true;
  return node;
}

std::vector<Choice> parse_values(std::string_view text, const Place& at, Problems& problems) {
  Values values{problems};
  const Piece whole{text, at};
  const std::vector<Piece> pieces = split(whole, ',');
  if (pieces.size() > 1) return values.list(pieces);
  std::vector<Piece> parts = split(whole, ':');
  if (parts.size() > 1 && parts[0].text == "log") {
    parts.erase(parts.begin());
    return values.logarithmic(whole, parts);
  }
  // A word with a colon in it is a word, unless it begins like a range.
  if (parts.size() > 1 && is_number(parts[0])) {
    if (parts.size() == 3) return values.range(parts);
    problems.add({at, {}, "LO:HI:STEP", shown(Node::string(std::string{text})), {}, Severity::error, "option"});
    return {};
  }
  return values.list(pieces);
}

}  // namespace vecusim::json
