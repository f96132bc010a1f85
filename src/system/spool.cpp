// A buffer, and an unnamed file behind it: each record is its length and its bytes.
#include "system/spool.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "system/output_file.hpp"

namespace vecusim {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18U;

using Length = std::uint32_t;

[[noreturn]] void fail() { throw OutputError("a temporary file: " + std::string(std::strerror(errno))); }

}  // namespace

void Spool::add(std::string_view record) {
  std::array<char, sizeof(Length)> length{};
  const auto size = static_cast<Length>(record.size());
  std::memcpy(length.data(), &size, sizeof size);
  buffer_.append(length.data(), length.size()).append(record);
  if (buffer_.size() >= kBuffer) flush();
}

void Spool::flush() {
  if (!file_) file_.reset(std::tmpfile());
  if (!file_ || std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) fail();
  buffer_.clear();
}

bool Spool::next(char* bytes, std::size_t size) {
  if (file_) {
    if (std::fread(bytes, 1, size, file_.get()) == size) return true;
    if (std::ferror(file_.get()) != 0) fail();
    return false;
  }
  if (taken_ == buffer_.size()) return false;
  std::copy_n(buffer_.data() + taken_, size, bytes);
  taken_ += size;
  return true;
}

void Spool::read(const std::function<void(std::string_view)>& take) {
  if (file_) {
    flush();
    if (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0) fail();
  }
  taken_ = 0;
  std::string record;
  Length size = 0;
  while (next(reinterpret_cast<char*>(&size), sizeof size)) {
    record.resize(size);
    if (size > 0 && !next(record.data(), size)) fail();
    take(record);
  }
}

void Pieces::add(std::string_view text) {
  constexpr std::size_t kLarge = std::size_t{1} << 16U;
  text_ += text;
  if (text_.size() >= kLarge) flush();
}

void Pieces::flush() {
  if (!text_.empty()) to_(text_);
  text_.clear();
}

}  // namespace vecusim
