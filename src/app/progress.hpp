// A progress bar on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace vecusim {

/// Erased when it is destroyed, so that nothing of it stays between the lines of an output.
class Progress {
 public:
  explicit Progress(bool shown) : shown_(shown) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Draws at most ten times a second; by one thread at a time.
  void update(std::size_t done, std::size_t total);

 private:
  std::string pace(std::size_t done, std::size_t total, std::chrono::steady_clock::time_point now) const;

  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_{};
  struct {
    std::chrono::steady_clock::time_point at{};
    std::size_t done = 0;
  } began_;
};

}  // namespace vecusim
