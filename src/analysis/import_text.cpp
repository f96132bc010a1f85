// Files to be imported, and what they say as a text for people.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>

#include "analysis/import.hpp"
#include "analysis/table.hpp"
#include "system/data_files.hpp"

namespace vecusim {
namespace {

std::string content_of(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  auto content = folder ? std::nullopt : file_content(path);
  if (content) return std::move(*content);
  const char* found = folder                                 ? "a folder"
                      : std::filesystem::exists(path, error) ? "no permission to read it"
                                                             : "none of that name";
  throw InvalidInput(Problem{{std::make_shared<const std::string>(path), 1, 1}, {}, "a file", found});
}

/// Without columns in which nothing is said: no value, or that nothing was missed or beyond the histogram.
std::string shown(const ImportTable& all) {
  std::vector<std::vector<std::string>> rows(all.rows.size() + 1);
  for (std::size_t c = 0; c < all.columns.size(); ++c) {
    const bool count = all.columns[c] == "missed" || all.columns[c] == "beyond";
    const bool empty = std::all_of(all.rows.begin(), all.rows.end(), [&](const std::vector<json::Node>& row) {
      return row[c].text.empty() || (count && row[c].text == "0");
    });
    if (empty) continue;
    rows[0].push_back(all.columns[c]);
    for (std::size_t r = 0; r < all.rows.size(); ++r) rows[r + 1].push_back(all.rows[r][c].text);
  }
  return all.rows.empty() ? "none\n" : table(rows);
}

std::string summary(const Imported& file) {
  std::string text = file.name + ": " + std::string(file.form->sentence) + "\n";
  for (const Fact& fact : file.facts) text += "  " + fact.first + ": " + fact.second + "\n";
  for (const ImportTable& each : file.tables) {
    text += "\n" + each.title + "\n" + shown(each);
  }
  return text;
}

}  // namespace

std::vector<Imported> import_files(const std::vector<std::string>& paths, const ImportOptions& options) {
  std::vector<Imported> files;
  Problems problems;
  for (const std::string& path : paths) {
    try {
      files.push_back(import_data(content_of(path), path, options));
    } catch (const InvalidInput& error) {
      problems.append(error.problems());
    }
  }
  problems.throw_if_errors();
  return files;
}

std::string to_text(const std::vector<Imported>& files) {
  std::string text;
  for (const Imported& file : files) text += (text.empty() ? "" : "\n") + summary(file);
  return text;
}

}  // namespace vecusim
