// BigLock: the lock within QEMU; QemuThread: a thread that may have to sleep for it.
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

class QemuThread : public Thread {
 public:
  void woken() final;

 protected:
  using Thread::Thread;
  /// Takes the lock, then `done`; until then flight() waits for its owner, and so does the guest that it carries.
  void lock(BigLock& lock, Delegate<void()> done);
  /// Gives it to whoever is next, who is woken, then `done`.
  void unlock(BigLock& lock, Delegate<void()> done) { wake(lock.release(), done); }
  bool waits_for_lock() const { return waits_; }
  /// It is woken, and not for the lock.
  virtual void risen() = 0;

 private:
  bool waits_ = false;
  Flight* with_it_ = nullptr;  // waits with it, but is not what it will be woken for
  Delegate<void()> locked_;
};

}  // namespace vecusim
