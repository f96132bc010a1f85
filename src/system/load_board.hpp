// A board that is described in a file of its own becomes part of the scenario that names it.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "system/scenario.hpp"

namespace vecusim {

/// The cost tables that go with a board unless the scenario names others, and the folder they are looked for in.
struct BoardTables {
  bool read = false;  ///< the board's file was read
  std::optional<json::Node> costs;
  std::filesystem::path folder;
};

/// Reads the file of a board {"model": "file", "path": …}, relative to `beside`, into its `spec`, unless that is there
/// already as in a result's scenario. Everything wrong in it is a problem with its own file, line and column.
BoardTables merge_board(json::Node& document, const std::filesystem::path& beside, LoadedScenario& loaded);

/// The file of one of the boards there are, with its cost table, to start from; null if there is none of that name.
std::optional<json::Node> board_file_of(std::string_view name);

/// The file will be another one: what was read of it no longer holds.
void forget_board(json::Node& document);

}  // namespace vecusim
