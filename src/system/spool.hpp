// Spool: records that wait until all of them are there, on disk once they are many, so that memory does not grow with
// them.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace vecusim {

/// The file has no name and is gone with the program, however that ends.
class Spool {
 public:
  /// Throws OutputError.
  void add(std::string_view record);
  /// Calls `take` for each record, in their order. Nothing may be added after it. Throws OutputError.
  void read(const std::function<void(std::string_view)>& take);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void flush();
  bool next(char* bytes, std::size_t size);

  std::string buffer_;
  std::unique_ptr<std::FILE, Close> file_;  // null: all is in the buffer
  std::size_t taken_ = 0;                   // of the buffer
};

/// Collects small texts for who wants large pieces.
class Pieces {
 public:
  explicit Pieces(std::function<void(std::string_view)> to) : to_(std::move(to)) {}
  void add(std::string_view text);
  /// What has been added and not yet handed on.
  void flush();

 private:
  std::function<void(std::string_view)> to_;
  std::string text_;
};

}  // namespace vecusim
