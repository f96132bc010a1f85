// Reading golden files.
#include "system/golden_text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <zlib.h>

namespace vecusim::golden {
namespace {

// A golden trace is a few hundred kilobytes; this stops what would unpack without end.
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

std::string read_gzip(const std::filesystem::path& file) {
  const auto close = [](gzFile_s* f) { gzclose(f); };
  const std::unique_ptr<gzFile_s, decltype(close)> in(gzopen(file.c_str(), "rb"), close);
  if (!in) fail(file, 0, "a readable file", std::strerror(errno));
  if (gzdirect(in.get()) != 0) fail(file, 0, "gzip data", "another format");
  std::string text;
  std::array<char, 1 << 16> chunk{};
  for (;;) {
    const int n = gzread(in.get(), chunk.data(), static_cast<unsigned>(chunk.size()));
    int error = Z_OK;
    const char* const message = gzerror(in.get(), &error);
    if (n < 0 || (error != Z_OK && error != Z_STREAM_END)) {
      const std::size_t line = lines_of(text).size();
      fail(file, line, "intact gzip data", error == Z_BUF_ERROR ? "its end is missing" : message);
    }
    if (n == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(n));
    if (text.size() > kMaxBytes) fail(file, 0, "at most 1 GiB of text", "more");
  }
}

std::string read_plain(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in) fail(file, 0, "a readable file", std::strerror(errno));
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in) fail(file, 0, "a readable file", "a read error");
  return std::move(text).str();
}

}  // namespace

void fail(const std::filesystem::path& file, std::size_t line, std::string expected, std::string found) {
  Problem problem;
  problem.place = {std::make_shared<const std::string>(file.string()),
                   static_cast<std::uint32_t>(std::max<std::size_t>(line, 1)), 1};
  problem.expected = std::move(expected);
  problem.found = std::move(found);
  throw InvalidInput(std::move(problem));
}

std::string read_text(const std::filesystem::path& file) {
  return file.extension() == ".gz" ? read_gzip(file) : read_plain(file);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace vecusim::golden
