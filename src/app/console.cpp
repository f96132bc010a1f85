// Console on the bare file descriptors, so that every failed write is noticed.
#include "app/console.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>

#include <sys/ioctl.h>

#include "system/output_file.hpp"

namespace vecusim {

namespace {

/// 0, or the error number.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

void Console::data(std::string_view text) {
  if (reader_gone_) return;
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) {
    reader_gone_ = true;
  } else if (error != 0) {
    throw OutputError("standard output: " + std::generic_category().message(error));
  }
}

// Nobody is left to be told if standard error cannot be written.
void Console::error(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

void Console::note(std::string_view text) const {
  if (!style_.quiet) error(text);
}

void Console::detail(std::string_view text) const {
  if (style_.verbose) error(text);
}

void prepare_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one: those below it are open by now.
    static_cast<void>(::open("/dev/null", O_RDWR | O_CLOEXEC));
  }
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
}

bool is_terminal_output() { return ::isatty(STDOUT_FILENO) == 1; }
bool is_terminal_error() { return ::isatty(STDERR_FILENO) == 1; }

std::optional<std::size_t> terminal_width() {
  winsize size{};
  if (!is_terminal_output() || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

}  // namespace vecusim
