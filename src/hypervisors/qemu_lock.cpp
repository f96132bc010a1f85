// Who has QEMU's lock, and who is next.
#include "hypervisors/qemu_lock.hpp"

#include <cassert>

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

}  // namespace vecusim
