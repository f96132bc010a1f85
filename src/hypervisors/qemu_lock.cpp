// Who has QEMU's lock, and who is next.
#include "hypervisors/qemu_lock.hpp"

#include <cassert>
#include <utility>

namespace vecusim {

bool BigLock::take(Thread& thread) {
  if (owner_ == nullptr) {
    owner_ = &thread;
    return true;
  }
  waiting_.push_back(&thread);
  return false;
}

Thread* BigLock::release() {
  assert(owner_ != nullptr);
  owner_ = nullptr;
  if (waiting_.empty()) return nullptr;
  owner_ = waiting_.front();
  waiting_.pop_front();
  return owner_;
}

void QemuThread::lock(BigLock& lock, Delegate<void()> done) {
  if (lock.take(*this)) {
    done();
    return;
  }
  const Party owner = lock.owner().party();
  if (flight_ != nullptr) flight_->wait(Wait::lock, owner);
  if (Cpu* guest = carried()) guest->halt(Wait::lock, owner);
  with_it_ = std::exchange(flight_, nullptr);
  locked_ = done;
  waits_ = true;
  block();
}

void QemuThread::woken() {
  if (!std::exchange(waits_, false)) {
    risen();
    return;
  }
  flight_ = std::exchange(with_it_, nullptr);
  if (flight_ != nullptr) flight_->serve();
  locked_();
}

}  // namespace vecusim
