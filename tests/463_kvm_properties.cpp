// Whatever runs under KVM: no flight is lost, and no time of one.
#include "property.hpp"
#include "staged_run.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

struct Machine {
  int vcpus;      // 1 … 3
  int affinity;   // pCPUs as bits, 1 … 15
  int devices;    // qemu, vhost, vfio
  bool realtime;  // the vCPUs' threads
  int halt_poll_us;
  int guest_load;  // none, hog, periodic
  int host_load;
  int host_cpu;
  int edge_us;  // mean distance of edges
  bool traps;   // as without APIC virtualisation
};

std::ostream& operator<<(std::ostream& out, const Machine& m) {
  return out << "vcpus " << m.vcpus << ", affinity " << m.affinity << ", devices " << m.devices << ", realtime "
             << m.realtime << ", halt poll " << m.halt_poll_us << ", guest load " << m.guest_load << ", host load "
             << m.host_load << ", host CPU " << m.host_cpu << ", edge every " << m.edge_us << " us, traps " << m.traps;
}

rc::Gen<Machine> machines() {
  return rc::gen::construct<Machine>(rc::gen::inRange(1, 4), rc::gen::inRange(1, 16), rc::gen::inRange(0, 3),
                                     rc::gen::arbitrary<bool>(), rc::gen::element(0, 50, 500), rc::gen::inRange(0, 3),
                                     rc::gen::inRange(0, 3), rc::gen::inRange(0, 4), rc::gen::inRange(60, 3000),
                                     rc::gen::arbitrary<bool>());
}

std::string load(const char* domain, int kind, int period_us) {
  const std::string begin = std::string("/domains/") + domain + R"(/tasks/-={"name":"load","model":)";
  if (kind == 1) return begin + R"("hog"})";
  return begin + R"("periodic","period_us":)" + std::to_string(period_us) + R"(,"work_us":)" +
         std::to_string(period_us / 4) + "}";
}

Settings settings_of(const Machine& m) {
  static constexpr std::array kDevices = {"qemu", "vhost", "vfio"};
  std::string affinity;
  for (int p = 0; p < 4; ++p) {
    if ((m.affinity >> p) & 1) affinity += (affinity.empty() ? "" : ",") + std::to_string(p);
  }
  Settings settings = {
      "/board/clock_mhz=1500",
      "/domains/1/vcpus=" + std::to_string(m.vcpus),
      "/domains/1/affinity=[" + affinity + "]",
      std::string("/domains/1/devices=") + kDevices[static_cast<std::size_t>(m.devices)],
      "/hypervisor/halt_poll_us=" + std::to_string(m.halt_poll_us),
      "/interrupts/0/host_cpu=" + std::to_string(m.host_cpu),
      R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":)" + std::to_string(m.edge_us / 1000.0) + "}",
      R"(/interrupts/-={"name":"guest_timer","source":"timer","target":"guest",)"
      R"("stimulus":{"model":"periodic","period_ms":1.003},"measure":{"from":"edge","to":"user","clock":"target"}})",
      R"(/domains/1/tasks/-={"name":"sleeper","model":"interrupt","interrupt":"guest_timer"})",
      R"(/interrupts/1/stimulus={"model":"periodic","period_ms":1.501})",
      "/run/measure_ms=60"};
  if (m.realtime) settings.insert(settings.end(), {"/domains/1/vcpu_policy=fifo", "/domains/1/vcpu_priority=20"});
  if (m.guest_load > 0) settings.push_back(load("1", m.guest_load, 700));
  if (m.host_load > 0) settings.push_back(load("0", m.host_load, 900));
  if (m.traps) {
    settings.insert(settings.end(), {"/costs/kvm.eoi.cycles/value=1200", "/costs/kvm.timer.cycles/value=1300"});
  }
  return settings;
}

}  // namespace

TEST_CASE("Under KVM every flight is answered, dropped or under way, and its stages tile its latency") {
  check_property(
      [] {
        const Machine machine = *machines();
        const StagedRun run = simulate_stages("pi4-kvm", settings_of(machine));
        for (const auto& flight : run.recorded.flights) {
          Duration sum{};
          for (const StageTime& stage : flight.stages) sum += stage.total();
          RC_ASSERT(sum == flight.latency);
        }
        const std::size_t ended = run.recorded.flights.size() + run.recorded.merged + run.recorded.lost;
        RC_ASSERT(ended + run.under_way == run.recorded.stimuli);
        RC_ASSERT(run.recorded.lost == 0U);
        RC_ASSERT(run.recorded.flights.size() > 0U);
      },
      60);
}
