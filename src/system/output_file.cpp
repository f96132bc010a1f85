// Writing through a temporary file.
#include "system/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <sys/stat.h>

namespace vecusim {
namespace {

/// Readable and writable for all, less what the umask takes away.
constexpr mode_t kMode = 0666;

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : name_(path), target_(path) {
  struct stat status {};
  const bool present = ::stat(path.c_str(), &status) == 0;
  if (present && !S_ISREG(status.st_mode)) {
    open_directly();
    return;
  }
  // Renaming would replace even a file that may not be written to.
  if (present && ::access(path.c_str(), W_OK) != 0) fail();
  if (present) {
    std::error_code error;
    target_ = std::filesystem::canonical(path, error);
    if (error) target_ = path;
  }
  open_temporary();
  if (present) ::fchmod(descriptor_, status.st_mode & 07777U);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::open_directly() {
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail();
}

void OutputFile::open_temporary() {
  std::string base{"."};
  base += target_.filename().string() + "." + std::to_string(::getpid()) + "-";
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    std::string name = (target_.parent_path() / (base + std::to_string(attempt) + ".tmp")).string();
    descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (descriptor_ >= 0) temporary_ = std::move(name);
    if (descriptor_ < 0 && errno != EEXIST) fail();
  }
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) fail();
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void OutputFile::commit() {
  if (temporary_.empty()) return;
  if (::fsync(descriptor_) != 0) fail();
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

void OutputFile::fail() const { throw OutputError("cannot write " + name_.string() + ": " + std::strerror(errno)); }

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  OutputFile file{path};
  file.write(bytes);
  file.commit();
}

}  // namespace vecusim
