// Reading and noting a scenario's files.
#include "system/scenario_input.hpp"

#include <iostream>
#include <iterator>

#include "system/data_files.hpp"
#include "system/json_parse.hpp"

namespace vecusim {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

fs::path named_file(const json::Node& name, const fs::path& beside) {
  const fs::path path = beside / name.text;
  const bool from_option = name.place.file != nullptr && *name.place.file == "--set";
  return from_option && !is_file(path) ? fs::path(name.text) : path;
}

std::optional<json::Node> read_input(const std::string& name, const fs::path& path, LoadedScenario& loaded) {
  if (name == "-") {
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    loaded.inputs.push_back({"-", sha256(text)});
    return json::parse(text, "-", loaded.problems);
  }
  auto document = json::read_file(path.string(), loaded.problems);
  if (document) loaded.inputs.push_back({name, sha256(file_content(path).value_or(""))});
  return document;
}

void add_problem(Problems& problems, const json::Node& at, std::string pointer, std::string expected, std::string found,
                 std::string suggestion) {
  problems.add({.place = at.place,
                .pointer = std::move(pointer),
                .expected = std::move(expected),
                .found = std::move(found),
                .suggestion = std::move(suggestion)});
}

}  // namespace vecusim
