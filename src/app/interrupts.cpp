// The thread that waits for signals.
#include "app/interrupts.hpp"

#include <csignal>
#include <pthread.h>
#include <unistd.h>

namespace vecusim {

namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t watched_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM}) {
    if (!is_ignored(signal)) ::sigaddset(&set, signal);
  }
  // How the destructor wakes the watcher.
  ::sigaddset(&set, SIGUSR1);
  return set;
}

}  // namespace

// Threads made later inherit the mask, so that only the watcher receives these signals.
Interrupts::Interrupts() {
  const sigset_t set = watched_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Interrupts::~Interrupts() {
  watcher_.request_stop();
  ::pthread_kill(watcher_.native_handle(), SIGUSR1);
}

void Interrupts::watch(const std::stop_token& stop) {
  const sigset_t set = watched_signals();
  while (!stop.stop_requested()) {
    int signal = 0;
    if (::sigwait(&set, &signal) != 0 || signal == SIGUSR1) continue;
    signal_ = signal;
    if (!orderly_ || experiment_.stop_requested()) ::_exit(status());
    experiment_.request_stop();
  }
}

}  // namespace vecusim
