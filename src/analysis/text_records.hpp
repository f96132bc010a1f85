// TextRecords: the lines of a text that a tool has written, and what is wrong with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/time.hpp"
#include "system/problem.hpp"

namespace vecusim {

/// Gives a text line by line. Tools end every line: the last one, if it is not ended, may have been cut off anywhere,
/// so that it is told of and left out.
class TextRecords {
 public:
  /// `rule`: the id of the form, for problems. Refers to `text`.
  TextRecords(std::string_view text, const std::string& name, std::string rule);

  /// Whether there was another line; a carriage return at its end and a byte-order mark are left out.
  bool next();
  std::string_view line() const { return line_; }
  /// From 1.
  std::uint32_t number() const { return number_; }
  /// Whether the text ended within a line.
  bool cut_off() const { return cut_off_; }

  /// A record that cannot be used. `part` is what is wrong: a piece of the line.
  void bad(std::string_view part, std::string expected);
  /// What can be used and is strange, or missing.
  void warn(std::string_view part, std::string expected, std::string found);
  /// The same for what is missing at the end.
  void warn_at_end(std::string expected, std::string found);

  Problems take_problems() { return std::move(problems_); }
  const Problems& problems() const { return problems_; }

 private:
  void add(std::string_view part, std::string expected, std::string found, Severity severity);

  std::string_view rest_;
  std::shared_ptr<const std::string> file_;
  std::string rule_;
  std::string_view line_;
  std::uint32_t number_ = 0;
  bool cut_off_ = false;
  Problems problems_;
};

/// Splits at blanks and tabs. Overwrites `words`.
void split_words(std::string_view line, std::vector<std::string_view>& words);

std::string_view without_blanks(std::string_view text);

/// Digits alone; empty if it is anything else or beyond kMostCounted.
std::optional<std::uint64_t> parse_number(std::string_view text);

/// A decimal number of `digits_per_unit` (6: µs) that is not negative and fits a quarter of a Duration, rounded to the
/// picosecond.
std::optional<Duration> parse_duration(std::string_view text, int digits_per_unit);

/// What is between `before` and the next blank, comma or the end; empty if `before` is not in `text`.
std::string_view word_after(std::string_view text, std::string_view before);

}  // namespace vecusim
