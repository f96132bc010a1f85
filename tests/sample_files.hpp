// The samples of tests/data: one file for each form of data that is read.
#pragma once

#include <filesystem>
#include <string>

#include "catch.hpp"
#include "source_dir.hpp"
#include "system/data_files.hpp"

namespace vecusim::test {

inline std::filesystem::path sample_folder() { return ::source_dir() / "tests" / "data"; }

inline std::string sample(const std::string& name) {
  const auto content = file_content(sample_folder() / name);
  REQUIRE(content);
  return *content;
}

/// Some prefixes of a text, each shorter one and the whole among them, so that about `most` are tried.
template <class Try>
void for_prefixes(const std::string& text, std::size_t most, Try attempt) {
  const std::size_t step = text.size() / most + 1;
  for (std::size_t size = 0; size < text.size(); size += step) attempt(text.substr(0, size));
  attempt(text);
}

}  // namespace vecusim::test
