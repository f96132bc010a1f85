// The software timers of vCPUs.
#include "hypervisors/xen_vcpu.hpp"

#include "hypervisors/xen_pcpu.hpp"

namespace vecusim {

XenVcpuTimer::XenVcpuTimer(XenVcpu& vcpu, XenPcpu& pcpu)
    : vcpu_(vcpu), pcpu_(pcpu), timer_(pcpu.timers().add(Delegate<void()>::to<&XenVcpuTimer::expired>(*this))) {}

void XenVcpuTimer::set(Time due) { pcpu_.timers().set(timer_, due); }
void XenVcpuTimer::stop() { pcpu_.timers().stop(timer_); }

void XenVcpuTimer::expired() { pcpu_.inject_timer(vcpu_); }

}  // namespace vecusim
