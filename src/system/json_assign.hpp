// The values of --set and --vary: `PTR=VALUE` and `PTR=VALUES`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/json_node.hpp"
#include "system/problem.hpp"

namespace vecusim::json {

/// A place in a document, and what is to be put there with set().
struct Assignment {
  std::string pointer;
  Node value;
};

/// `PTR=VALUE`; VALUE is JSON, or a bare word, which is a string. `option` is the file that problems name.
std::optional<Assignment> parse_assignment(std::string_view text, Problems& problems,
                                           std::string_view option = "--set");

/// One value of a sweep.
struct Choice {
  /// As it stands in a table: a number as it was written or computed, a string without its quotes.
  std::string text;
  Node value;
};

/// A place in a document, and the values that it is to take in turn.
struct Variation {
  std::string pointer;
  std::vector<Choice> choices;
};

/// `PTR=VALUES`. VALUES is one of
///   v1,v2,…       JSON values or bare words; a comma inside quotes or brackets does not separate;
///   LO:HI:STEP    LO, LO + STEP, … up to HI and including it if it is hit, in exact decimal arithmetic;
///   log:LO:HI:N   N values from LO to HI, each by the same factor above the one before, to six digits; rounded to
///   integers (and
///                 each kept once) if LO and HI are written as integers.
std::optional<Variation> parse_variation(std::string_view text, Problems& problems, std::string_view option = "--vary");

}  // namespace vecusim::json
