// The checks of option values.
#include "app/arguments.hpp"

#include <algorithm>
#include <charconv>

#include "system/nearest.hpp"

namespace vecusim {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : word == words.back() ? " or " : ", ") + word;
  return text;
}

}  // namespace

std::vector<std::string> Arguments::all(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::string> Arguments::text(std::string_view option) const {
  const auto values = all(option);
  if (values.empty()) return {};
  if (values.size() > 1) throw UsageError("--" + std::string(option) + ": given more than once");
  if (values.front().empty()) throw UsageError("--" + std::string(option) + ": expected a value, found nothing");
  return values.front();
}

std::optional<std::uint64_t> Arguments::number(std::string_view option, std::uint64_t lo, std::uint64_t hi) const {
  const auto given = text(option);
  if (!given) return {};
  std::uint64_t value = 0;
  const char* end = given->data() + given->size();
  const auto [stop, error] = std::from_chars(given->data(), end, value);
  if (error != std::errc{} || stop != end || value < lo || value > hi) {
    throw UsageError("--" + std::string(option) + ": expected an integer from " + std::to_string(lo) + " to " +
                     std::to_string(hi) + ", found \"" + *given + "\"");
  }
  return value;
}

std::optional<std::string> Arguments::word(std::string_view option, const std::vector<std::string>& words) const {
  auto given = text(option);
  if (given && std::find(words.begin(), words.end(), *given) == words.end()) {
    throw UsageError("--" + std::string(option) + ": expected " + joined(words) + ", found \"" + *given + "\"" +
                     did_you_mean(*given, words));
  }
  return given;
}

void Complaints::add(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  text_ += (text_.empty() ? "" : "\n") + std::string(text);
}

void Complaints::throw_if_any() const {
  if (!text_.empty()) throw UsageError(text_);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : "; did you mean \"" + near + "\"?";
}

}  // namespace vecusim
