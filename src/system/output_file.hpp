// A file that is there complete or not at all.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace vecusim {

/// A file that could not be written: which, and the system's reason.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes to a temporary file in the folder of `path` and renames it when it is complete. Destroyed before commit(), by
/// an exception or an orderly interrupt, it leaves nothing behind and an earlier file of that name as it was. A
/// symbolic link stays one: what it points to is replaced. What is no regular file (/dev/stdout, a pipe) is written to
/// directly.
class OutputFile {
 public:
  /// Throws OutputError if there can be no such file; nothing is written then.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  /// Unbuffered: give it large pieces. Throws OutputError.
  void write(std::string_view bytes);
  /// Flushes to the disk and renames. Nothing may be written after it. Throws OutputError.
  void commit();

 private:
  void open_directly();
  void open_temporary();
  [[noreturn]] void fail() const;

  /// As the user named it, for messages.
  std::filesystem::path name_;
  /// What is replaced: the end of all symbolic links.
  std::filesystem::path target_;
  /// Empty if there is none (any more).
  std::string temporary_;
  int descriptor_ = -1;
};

/// The whole content at once.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace vecusim
