// Settings for scenarios of QEMU without KVM: for tests.
#pragma once

#include "staged_run.hpp"

namespace vecusim::test {

/// A pipe, no losses, a program that computes nothing of its own, and on both kernels ticks so rare that most answers
/// meet none.
inline Settings quiet_tcg(Settings more = {}) {
  Settings settings = undisturbed({R"(/hypervisor/relay={"kind":"pipe"})", "/domains/1/tasks/0/work_cycles=0",
                                   "/domains/0/os/tick_hz=24", "/domains/1/os/tick_hz=24"});
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

}  // namespace vecusim::test
