// What is wrong with an input, and where: collected, then shown all at once.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "system/place.hpp"

namespace vecusim {

namespace json {
struct Node;
}

enum class Severity { error, warning };

/// One problem of an input, told as what was expected and what was found.
struct Problem {
  Place place;
  /// RFC 6901; empty for the whole document.
  std::string pointer;
  std::string expected;
  std::string found;
  /// What was probably meant; empty if nothing is near.
  std::string suggestion = {};
  Severity severity = Severity::error;
  /// The rule's id, by which it can be looked up and a warning silenced.
  std::string rule = {};
};

/// `FILE:LINE:COLUMN: /json/pointer: expected …, found …; did you mean "…"?`, without a line end. The document itself
/// is shown as
/// `/`; a warning ends in ` [warning: RULE]`; control characters are escaped, so that it is always one line.
std::string to_text(const Problem& problem);

/// The problems of one or several inputs.
class Problems {
 public:
  /// Beyond this many, problems are only counted: a broken file of a million values needs no million lines.
  static constexpr std::size_t kKept = 1000;

  void add(Problem problem);
  void append(const Problems& others);

  /// Whether another problem would only be counted, so that its wording can be spared.
  bool full() const { return kept_.size() >= kKept; }
  bool empty() const { return kept_.empty(); }
  bool has_errors() const { return errors_ > 0; }
  /// Errors among all problems added, kept or not.
  std::size_t errors() const { return errors_; }
  std::size_t size() const { return kept_.size() + dropped_; }
  const std::vector<Problem>& kept() const { return kept_; }

  /// One line for each, by file, line and column; then how many more there are.
  std::string text() const;
  /// The document `vecusim/problems/1`, in the same order.
  json::Node to_json() const;

  /// Throws InvalidInput if there is an error; warnings alone pass.
  void throw_if_errors() const;

 private:
  std::vector<Problem> in_order() const;

  std::vector<Problem> kept_;
  std::size_t dropped_ = 0;
  std::size_t errors_ = 0;
};

/// An input that cannot be used; what() is the text of its problems. The program ends with status 3.
class InvalidInput : public std::runtime_error {
 public:
  explicit InvalidInput(Problems problems) : std::runtime_error(problems.text()), problems_(std::move(problems)) {}
  explicit InvalidInput(Problem problem);

  const Problems& problems() const { return problems_; }

 private:
  Problems problems_;
};

}  // namespace vecusim
