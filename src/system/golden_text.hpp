// Golden files as text: plain or gzip, split into lines, with errors that name file and line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "system/problem.hpp"

namespace vecusim::golden {

/// An InvalidInput with one problem; line 0 means the file as a whole, and is shown as 1.
[[noreturn]] void fail(const std::filesystem::path& file, std::size_t line, std::string expected, std::string found);

/// The content of a file, unpacked if its name ends in .gz. Throws InvalidInput if it cannot be read or is damaged.
std::string read_text(const std::filesystem::path& file);

/// Without their ends; a last line without an end counts.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace vecusim::golden
