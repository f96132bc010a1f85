// Drawing the bar.
#include "app/progress.hpp"

#include <string>

#include "app/console.hpp"

namespace vecusim {

namespace {

constexpr std::size_t kCells = 40;
constexpr auto kErase = "\r\x1b[K";

}  // namespace

Progress::~Progress() {
  if (drawn_) Console::error(kErase);
}

void Progress::update(std::size_t done, std::size_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || total == 0 || (now < next_ && done < total)) return;
  next_ = now + std::chrono::milliseconds(100);
  drawn_ = true;
  const std::size_t filled = kCells * done / total;
  Console::error(kErase + ("[" + std::string(filled, '#') + std::string(kCells - filled, '.') + "] " +
                           std::to_string(done) + "/" + std::to_string(total)));
}

}  // namespace vecusim
