// Output files: complete or not there.
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include <sys/stat.h>

#include "catch.hpp"
#include "system/output_file.hpp"

namespace vecusim {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("vecusim-509-" + std::to_string(::getpid()))) {
    fs::create_directory(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator{path_}, fs::directory_iterator{}); }

 private:
  fs::path path_;
};

std::string content(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// What writing says when it fails.
std::string failure(const fs::path& path) {
  try {
    write_file(path, "x");
  } catch (const OutputError& error) {
    return error.what();
  }
  return "no failure";
}

TEST_CASE("a file appears when it is committed, and not before") {
  const Folder folder;
  OutputFile file{folder / "a.json"};
  file.write("one ");
  file.write("two");
  CHECK_FALSE(fs::exists(folder / "a.json"));
  file.commit();
  CHECK(content(folder / "a.json") == "one two");
  CHECK(folder.files() == 1);
}

TEST_CASE("a file that is given up leaves nothing behind and the old one as it was") {
  const Folder folder;
  write_file(folder / "a.json", "old");
  try {
    OutputFile file{folder / "a.json"};
    file.write("new");
    throw std::runtime_error("interrupted");
  } catch (const std::runtime_error&) {
    CHECK(content(folder / "a.json") == "old");
  }
  CHECK(folder.files() == 1);
}

TEST_CASE("an old file is replaced and keeps its permissions") {
  const Folder folder;
  write_file(folder / "a.json", "a longer old text");
  fs::permissions(folder / "a.json", fs::perms::owner_read | fs::perms::owner_write);
  write_file(folder / "a.json", "new");
  CHECK(content(folder / "a.json") == "new");
  CHECK(fs::status(folder / "a.json").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a new file gets the permissions that the umask leaves") {
  const Folder folder;
  const mode_t before = ::umask(022);
  write_file(folder / "a.json", "x");
  ::umask(before);
  CHECK((static_cast<unsigned>(fs::status(folder / "a.json").permissions()) & 0777U) == 0644U);
}

TEST_CASE("a symbolic link stays one, and its file is replaced") {
  const Folder folder;
  write_file(folder / "real.json", "old");
  fs::create_symlink("real.json", folder / "link.json");
  write_file(folder / "link.json", "new");
  CHECK(fs::is_symlink(folder / "link.json"));
  CHECK(content(folder / "real.json") == "new");
}

TEST_CASE("what is no regular file is written to and stays what it is") {
  const Folder folder;
  write_file("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
  const fs::path pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  write_file(pipe, "through");
  char buffer[16] = {};
  CHECK(::read(reader, buffer, sizeof buffer) == 7);
  CHECK(std::string{buffer} == "through");
  ::close(reader);
}

TEST_CASE("what cannot be written says why") {
  const Folder folder;
  const fs::path missing = folder / "no/a.json";
  CHECK(failure(missing) == "cannot write " + missing.string() + ": No such file or directory");
  const fs::path itself = folder / "";
  CHECK(failure(itself) == "cannot write " + itself.string() + ": Is a directory");
  write_file(folder / "file", "x");
  const fs::path below = folder / "file/a.json";
  CHECK(failure(below) == "cannot write " + below.string() + ": Not a directory");
  CHECK(failure("/dev/full") == "cannot write /dev/full: No space left on device");
}

TEST_CASE("a file that may not be written to is not replaced") {
  const Folder folder;
  const fs::path path = folder / "a.json";
  write_file(path, "old");
  fs::permissions(path, fs::perms::owner_read);
  fs::permissions(folder / "", fs::perms::all);
  const bool root = ::geteuid() == 0;
  constexpr uid_t kNobody = 65534;
  // access() goes by the real user.
  if (root) REQUIRE(::setreuid(kNobody, 0) == 0);
  const std::string why = failure(path);
  if (root) REQUIRE(::setreuid(0, 0) == 0);
  CHECK(why == "cannot write " + path.string() + ": Permission denied");
  CHECK(content(path) == "old");
}

}  // namespace
}  // namespace vecusim
