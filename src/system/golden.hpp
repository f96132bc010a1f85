// Golden traces: drives one policy alone from a golden case or vector, and compares what it decides with what is
// expected.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace vecusim::golden {

class Replay;

/// The first line in which a trace is not the expected one.
struct Difference {
  std::size_t line = 0;
  /// Empty: one of the two traces ended.
  std::string expected;
  std::string got;
  /// What is known, at that moment, of each unit that either line names.
  std::vector<std::string> state;
};

/// An input and the file with its expected trace.
struct Pair {
  std::filesystem::path input;
  std::filesystem::path expected;
};

/// Whether the name is that of a golden case or of a vector.
bool is_input(const std::filesystem::path& file);

/// All inputs below a folder that have an expected trace beside them, in the order of their paths.
std::vector<Pair> find_pairs(const std::filesystem::path& folder);

/// Writes the trace of one input. Throws InvalidInput.
void write_trace(const std::filesystem::path& input, std::ostream& out);

/// The first difference between what a replay writes and the expected trace, if there is one. Throws InvalidInput if a
/// file cannot be read or is damaged, for example a trace without its end.
std::optional<Difference> compare(Replay& replay, const std::filesystem::path& expected);
std::optional<Difference> compare(const Pair& pair);

/// Several lines: where, what was expected, what came, and the units' state.
std::string to_text(const Difference& difference, const std::filesystem::path& input);

/// The verb `policy`: `path` is an input, whose trace is written or, with `expected`, compared; or a folder, in which
/// all pairs are compared. Returns the exit status: 0, or 1 if there is a difference. Throws InvalidInput; in a folder
/// an unusable pair counts as failed.
int run_policy(const std::filesystem::path& path, const std::optional<std::filesystem::path>& expected,
               std::ostream& out);

}  // namespace vecusim::golden
