// What a user wrote after the verb: operands and options, with the checks that every value of an option gets.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vecusim {

/// A command line that cannot be meant. The program ends with status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Arguments {
 public:
  std::vector<std::string> operands;
  /// By the option's long name without dashes; a switch has no values.
  std::map<std::string, std::vector<std::string>, std::less<>> options;

  bool has(std::string_view option) const { return options.contains(option); }
  /// Every value of an option that may be given several times, in the order given.
  std::vector<std::string> all(std::string_view option) const;
  /// Throws UsageError if it was given twice, or as an empty text.
  std::optional<std::string> text(std::string_view option) const;
  /// Throws UsageError if it is anything but a plain decimal integer from `lo` to `hi`.
  std::optional<std::uint64_t> number(std::string_view option, std::uint64_t lo, std::uint64_t hi) const;
  /// Throws UsageError if it is none of `words`, and names the nearest.
  std::optional<std::string> word(std::string_view option, const std::vector<std::string>& words) const;
};

/// Faults of one command line, told together: each check is made, whatever those before it have found.
class Complaints {
 public:
  void add(std::string_view text);
  /// What `value` gives; nothing after a complaint.
  template <class Value>
  auto gather(Value value) -> std::optional<decltype(value())> {
    try {
      return value();
    } catch (const UsageError& error) {
      add(error.what());
      return std::nullopt;
    }
  }
  /// Throws UsageError if there are any.
  void throw_if_any() const;

 private:
  std::string text_;
};

/// `; did you mean "…"?`, or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace vecusim
