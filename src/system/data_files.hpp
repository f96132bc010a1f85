// Where the project's own data is: presets, cost tables, validation cases and measurements.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vecusim {

/// The folder that holds `scenarios/` and `validation/`: the nearest one above the running program (of Python: above
/// the module), or its `share/vecusim`. Empty if the program has been moved away from its data.
std::filesystem::path data_root();

/// "scenarios", "validation/costs", "validation/cases": NAME of each NAME.json in it, sorted.
std::vector<std::string> data_names(std::string_view folder);
/// The path of NAME.json in such a folder, if it is there. A NAME with a slash is none.
std::optional<std::filesystem::path> data_file(std::string_view folder, std::string_view name);

/// The whole content of a file; empty if it cannot be read.
std::optional<std::string> file_content(const std::filesystem::path& path);
/// SHA-256 in hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace vecusim
