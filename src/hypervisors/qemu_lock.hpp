// BigLock: the lock within QEMU.
#pragma once

#include <deque>

#include "models/linux_thread.hpp"

namespace vecusim {

/// QEMU's big lock: whoever touches device models has it. First come, first served.
class BigLock {
 public:
  /// True if it is free and now the thread's; else the thread is to block, and has the lock when it is woken.
  bool take(Thread& thread);
  /// The next owner, who has to be woken; null if there is none.
  Thread* release();
  Thread& owner() const { return *owner_; }

 private:
  Thread* owner_ = nullptr;
  std::deque<Thread*> waiting_;
};

}  // namespace vecusim
