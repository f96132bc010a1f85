// The files that a scenario is read from: each is noted with its hash, and what is wrong in it with its place.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "system/json_node.hpp"
#include "system/scenario.hpp"

namespace vecusim {

bool is_file(const std::filesystem::path& path);

/// The file that a value names: beside the document it stands in; for one given with --set also where the program runs.
std::filesystem::path named_file(const json::Node& name, const std::filesystem::path& beside);

/// Reads a document, "-" being standard input, and notes it under `name` among the scenario's inputs. Nothing if it
/// cannot be read; then a problem says why.
std::optional<json::Node> read_input(const std::string& name, const std::filesystem::path& path,
                                     LoadedScenario& loaded);

void add_problem(Problems& problems, const json::Node& at, std::string pointer, std::string expected, std::string found,
                 std::string suggestion = {});

}  // namespace vecusim
