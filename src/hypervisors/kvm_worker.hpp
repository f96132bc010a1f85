// KvmWorker: the thread that serves a guest's emulated devices: QEMU's main loop, or a worker of vhost's.
#pragma once

#include "hypervisors/hosted.hpp"
#include "hypervisors/kvm_host.hpp"

namespace vecusim {

class KvmGuest;

/// A flight comes with an interrupt for the guest, and to vhost's a second time with the guest's answer.
class KvmWorker final : public ServingThread {
 public:
  KvmWorker(KvmHost& kvm, KvmGuest& guest);

 private:
  void risen() override { serve(); }
  void serve();
  void served();
  void raise();
  void raised();
  void told();
  void done();
  bool answers() const;
  bool in_qemu() const;

  KvmHost& kvm_;
  KvmGuest& guest_;
};

}  // namespace vecusim
