// JSON documents from files and streams.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <istream>
#include <unistd.h>
#include <vector>

#include <sys/stat.h>

#include "system/json_parse.hpp"
#include "system/nearest.hpp"

namespace vecusim::json {
namespace {

namespace fs = std::filesystem;

/// A suggestion is not worth reading a folder of a million files.
constexpr std::size_t kMaxNames = 10'000;

/// The path in the same folder that was probably meant.
std::string near_path(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (fs::directory_iterator at{folder, error}, end; at != end && names.size() < kMaxNames; at.increment(error)) {
    names.push_back(at->path().filename().string());
    if (error) break;
  }
  const std::string name = path.filename().string();
  std::sort(names.begin(), names.end());
  const bool extended = std::binary_search(names.begin(), names.end(), name + ".json");
  const std::string meant = extended ? name + ".json" : nearest(name, names);
  if (meant.empty()) return {};
  return path.has_parent_path() ? (path.parent_path() / meant).string() : meant;
}

std::string reason_text(int reason) {
  if (reason == ENOENT) return "none of that name";
  if (reason == EISDIR) return "a folder";
  if (reason == EACCES) return "no permission to read it";
  return std::strerror(reason);
}

void refuse(const std::string& path, std::string expected, std::string found, std::string suggestion,
            Problems& problems) {
  problems.add({{std::make_shared<const std::string>(path), 1, 1},
                {},
                std::move(expected),
                std::move(found),
                std::move(suggestion),
                Severity::error,
                "file"});
}

/// Closes what it opened.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : value_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  int value() const { return value_; }

 private:
  int value_;
};

/// All of a file, or as much as shows that it is too long; errno says why if there is nothing.
std::optional<std::string> content(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer{};
  while (text.size() <= kMaxBytes) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

std::optional<Node> read_file(const std::string& path, Problems& problems) {
  if (path == "-") return read_stream(std::cin, path, problems);
  const Descriptor file{path};
  struct stat status {};
  const bool opened = file.value() >= 0 && ::fstat(file.value(), &status) == 0;
  if (opened && S_ISREG(status.st_mode) && status.st_size > static_cast<off_t>(kMaxBytes)) {
    refuse(path, "at most " + std::to_string(kMaxBytes >> 20U) + " MiB", std::to_string(status.st_size) + " bytes", {},
           problems);
    return std::nullopt;
  }
  std::optional<std::string> text;
  if (opened) text = content(file.value());
  if (!text) {
    const int reason = errno;
    refuse(path, "a readable file", reason_text(reason), reason == ENOENT ? near_path(path) : "", problems);
    return std::nullopt;
  }
  return parse(*text, path, problems);
}

std::optional<Node> read_stream(std::istream& in, std::string_view name, Problems& problems) {
  std::string text;
  std::array<char, 65536> buffer{};
  while (in && text.size() <= kMaxBytes) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
  }
  return parse(text, name, problems);
}

}  // namespace vecusim::json
