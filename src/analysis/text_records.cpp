// Lines, words and numbers of tools' texts.
#include "analysis/text_records.hpp"

#include <algorithm>

#include "analysis/bench_data_text.hpp"
#include "analysis/reading.hpp"
#include "system/json_print.hpp"
#include "system/utf8.hpp"

namespace vecusim {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::size_t kMostShown = 40;

}  // namespace

TextRecords::TextRecords(std::string_view text, const std::string& name, std::string rule)
    : rest_(text), file_(std::make_shared<const std::string>(name)), rule_(std::move(rule)) {
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool TextRecords::next() {
  if (rest_.empty()) return false;
  ++number_;
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  if (end == std::string_view::npos) {
    rest_ = {};
    cut_off_ = true;
    warn(line_, "a line end", "the end of the file; the line may be cut off and is left out");
    return false;
  }
  rest_.remove_prefix(end + 1);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  return true;
}

void TextRecords::bad(std::string_view part, std::string expected) {
  if (problems_.full()) {
    problems_.add({});
    return;
  }
  const std::string found = part.empty() ? "nothing" : json::quoted(utf8_cut(part, kMostShown));
  add(part, std::move(expected), found, Severity::error);
}

void TextRecords::warn(std::string_view part, std::string expected, std::string found) {
  add(part, std::move(expected), std::move(found), Severity::warning);
}

void TextRecords::warn_at_end(std::string expected, std::string found) {
  problems_.add({{file_, number_ + 1, 1}, {}, std::move(expected), std::move(found), {}, Severity::warning, rule_});
}

void TextRecords::add(std::string_view part, std::string expected, std::string found, Severity severity) {
  const bool inside = part.data() >= line_.data() && part.data() <= line_.data() + line_.size();
  const auto before = inside ? static_cast<std::size_t>(part.data() - line_.data()) : 0;
  const auto column = static_cast<std::uint32_t>(utf8_characters(line_.substr(0, before)) + 1);
  problems_.add({{file_, number_, column}, {}, std::move(expected), std::move(found), {}, severity, rule_});
}

void split_words(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  while (true) {
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return;
    line.remove_prefix(first);
    const std::size_t size = std::min(line.find_first_of(kBlanks), line.size());
    words.push_back(line.substr(0, size));
    line.remove_prefix(size);
  }
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  const auto count = parse_count(text);
  if (!count || static_cast<std::uint64_t>(*count) > kMostCounted) return std::nullopt;
  return static_cast<std::uint64_t>(*count);
}

std::optional<Duration> parse_duration(std::string_view text, int digits_per_unit) {
  const auto quantity = parse_quantity(text, digits_per_unit);
  constexpr SignedWide kMost = Duration::max().count() / 4;
  if (!quantity || quantity->ps < 0 || quantity->ps > kMost) return std::nullopt;
  return Duration{static_cast<std::int64_t>(quantity->ps)};
}

std::string_view word_after(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + before.size());
  return rest.substr(0, rest.find_first_of(" \t,"));
}

}  // namespace vecusim
