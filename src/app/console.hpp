// Console: data on standard output, everything else on standard error.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace vecusim {

class Console {
 public:
  struct Style {
    bool quiet = false;
    bool verbose = false;
    /// Whether tables may be coloured: a terminal, without NO_COLOR and --no-color.
    bool colour = false;
    /// Whether a progress bar is shown.
    bool progress = false;
  };

  explicit Console(const Style& style) : style_(style) {}

  const Style& style() const { return style_; }

  /// Writes all of it before it returns. A reader that has gone away is no error, the rest is dropped; anything else
  /// throws OutputError.
  void data(std::string_view text);
  /// An error: one or more whole lines.
  static void error(std::string_view text);
  /// A warning or remark, left out with --quiet.
  void note(std::string_view text) const;
  /// What only --verbose shows.
  void detail(std::string_view text) const;

 private:
  Style style_;
  bool reader_gone_ = false;
};

/// Opens /dev/null in place of each standard stream that the caller closed, so that no file gets its number; and lets a
/// write to a pipe without a reader fail instead of ending the program.
void prepare_standard_streams();

bool is_terminal_output();
bool is_terminal_error();
/// Of standard output, in columns; empty if it is no terminal, or one that does not say.
std::optional<std::size_t> terminal_width();

}  // namespace vecusim
