// Drawing the bar.
#include "app/progress.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "app/console.hpp"

namespace vecusim {

namespace {

constexpr std::size_t kCells = 30;  // so that all fits in 80 columns
constexpr auto kErase = "\r\x1b[K";

}  // namespace

Progress::~Progress() {
  if (drawn_) Console::error(kErase);
}

void Progress::update(std::size_t done, std::size_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || total == 0 || (now < next_ && done < total)) return;
  if (!drawn_) began_ = {now, done};
  next_ = now + std::chrono::milliseconds(100);
  drawn_ = true;
  const std::size_t filled = kCells * done / total;
  Console::error(kErase + ("[" + std::string(filled, '#') + std::string(kCells - filled, '.') + "] " +
                           std::to_string(done) + "/" + std::to_string(total) + pace(done, total, now)));
}

// How many in a second, and how long the rest takes at that pace, once there is one.
std::string Progress::pace(std::size_t done, std::size_t total, std::chrono::steady_clock::time_point now) const {
  const double seconds = std::chrono::duration<double>(now - began_.at).count();
  if (seconds < 0.5 || done <= began_.done) return {};
  const double rate = static_cast<double>(done - began_.done) / seconds;
  const long left = std::lround(static_cast<double>(total - done) / rate);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "  %.3g/s  %ld:%02ld left", rate, left / 60, left % 60);
  return text.data();
}

}  // namespace vecusim
