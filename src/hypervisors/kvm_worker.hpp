// KvmWorker: the thread that serves a guest's emulated devices: QEMU's main loop, or a worker of vhost's.
#pragma once

#include <cstdint>
#include <deque>

#include "hypervisors/kvm_host.hpp"

namespace vecusim {

class KvmGuest;

class KvmWorker final : public Thread {
 public:
  KvmWorker(KvmHost& kvm, KvmGuest& guest);

  /// What a flight wants: its interrupt raised in the guest, or the guest's answer written.
  enum class Job : std::uint8_t { input, output };
  /// Returns the thread if it has to be woken.
  Thread* take(Flight& flight, Job job);

  void start() override {}
  void woken() override;

 private:
  struct Order {
    Flight* flight;
    Job job;
  };
  void serve(const Order& order);
  void served();
  void raise();
  void raised();
  void woke_vcpu();
  void done();
  void woke_heir();
  void rest();
  bool in_qemu() const;

  KvmHost& kvm_;
  KvmGuest& guest_;
  bool busy_ = false;  // awake, or somebody is about to wake it
  Job job_ = Job::input;
  Flight* waiting_ = nullptr;  // for the lock
  Thread* to_wake_ = nullptr;
  std::deque<Order> inbox_;
};

}  // namespace vecusim
