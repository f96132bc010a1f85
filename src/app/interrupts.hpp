// Interrupts: Ctrl-C and SIGTERM, answered by a thread that waits for them, so that a long experiment can end in order.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace vecusim {

/// One per program, made before any other thread. Outside an Orderly scope a signal ends the program at once; inside,
/// only stop_token() tells whoever computes; a second signal always ends the program at once. A signal that the caller
/// had set to be ignored stays ignored.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  std::stop_token stop_token() const { return experiment_.get_token(); }
  /// 128 and the signal's number, as a shell would report it: 130 for Ctrl-C.
  int status() const { return 128 + signal_; }

  class Orderly {
   public:
    explicit Orderly(Interrupts& interrupts) : interrupts_(interrupts) { interrupts_.orderly_ = true; }
    ~Orderly() { interrupts_.orderly_ = false; }
    Orderly(const Orderly&) = delete;
    Orderly& operator=(const Orderly&) = delete;

   private:
    Interrupts& interrupts_;
  };

 private:
  void watch(const std::stop_token& stop);

  std::stop_source experiment_;
  std::atomic<bool> orderly_ = false;
  std::atomic<int> signal_ = 0;
  std::jthread watcher_;
};

}  // namespace vecusim
