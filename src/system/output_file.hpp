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
/// an exception or an orderly interrupt, it leaves nothing behind and an earlier file of that name as it was.
class OutputFile {
 public:
  /// Throws OutputError if the folder is not there or not writable.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view bytes);
  /// Flushes to the disk and renames; nothing may be written after it.
  void commit();

 private:
  std::filesystem::path path_;
  std::string temporary_;
  int descriptor_ = -1;
};

/// The whole content at once.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace vecusim
