// Where a piece of input stands: file, line and column.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace vecusim {

/// A position in a named text. Lines and columns count characters from 1; line 0 means that the text was not read from
/// anywhere.
struct Place {
  /// Shared by everything that was read from one text; null if there is none. Never a path to be opened: only a name to
  /// be shown.
  std::shared_ptr<const std::string> file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  std::string file_name() const { return file ? *file : std::string{}; }
};

}  // namespace vecusim
