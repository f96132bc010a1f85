// The fields of a scenario.
#include "system/scenario.hpp"

#include <algorithm>
#include <iterator>

namespace vecusim {

void BoardConfig::fields(FieldVisitor& visit) {
  model.fields(visit, {"model", "which board", true});
  const Field field{"cores", "so many of its cores are switched on, the first ones; absent: all"};
  visit.optional(field, cores, [&](std::int64_t& count) { visit.integer(field, count, {1, 1024}); });
}

BoardSpec BoardConfig::spec() const {
  BoardSpec result = choice().spec();
  if (cores) result.keep_cores(*cores);
  return result;
}

void HypervisorConfig::fields(FieldVisitor& visit) { model.fields(visit, {"model", "which hypervisor", true}); }

void InterruptConfig::fields(FieldVisitor& visit) {
  visit.text({"name", "how results and tasks name it", true}, name);
  visit.text({"source",
              "where it comes from: an input pin, \"gpio17\", a device of the board, \"timer\": the "
              "task's own sleep, or \"event\": an event channel of "
              "Xen's, to whose other end tasks send",
              true},
             source);
  visit.text({"target", "the domain that handles it", true}, target);
  const Field routed{"cpu", "the CPU of the domain that it is routed to (Linux: smp_affinity); absent: as irqaffinity"};
  visit.optional(routed, cpu, [&](std::int64_t& index) { visit.integer(routed, index, {0, 1023}); });
  const Field host{"host_cpu", "kvm: where the target is a guest, the host's CPU that takes it; 0 if absent"};
  visit.optional(host, host_cpu, [&](std::int64_t& value) { visit.integer(host, value, {0, 1023}); });
  const bool event = source == kEventSource;
  const Field when{"stimulus", "when its edges come; required, but of event channels, whose events tasks send"};
  const bool given = visit.wants(when, !event);
  if (given) visit.object(when, stimulus);
  visit.require(given != event, "stimulus", event ? "no such key where tasks send the events" : "when its edges come");
  const Field with{"frame", "the frame it comes with; then the stimulus is when the producer hands that to the bus"};
  visit.optional(with, frame, [&](FrameConfig& f) { visit.object(with, f); });
  visit.object({"measure", "what of its way is called latency"}, measure);
  visit.optional(Field{"requirement", "what the latency must meet"}, requirement, [&](RequirementConfig& r) {
    visit.object({"requirement", "what the latency must meet"}, r);
  });
}

std::int64_t cpu_of(const InterruptConfig& interrupt, const DomainConfig& domain) {
  const std::vector<std::int64_t>& affinity = domain.os.linux.irqaffinity;
  const bool said = domain.os.model == OsModel::linux && !affinity.empty();
  return interrupt.cpu.value_or(said ? *std::min_element(affinity.begin(), affinity.end()) : 0);
}

std::int64_t cpu_of(const InterruptConfig& interrupt, const std::vector<DomainConfig>& domains) {
  const auto target = std::find_if(domains.begin(), domains.end(),
                                   [&](const DomainConfig& domain) { return domain.name == interrupt.target; });
  return target == domains.end() ? interrupt.cpu.value_or(0) : cpu_of(interrupt, *target);
}

std::size_t leader_of(const std::vector<InterruptConfig>& interrupts, std::size_t index) {
  const StimulusConfig& stimulus = interrupts[index].stimulus;
  if (stimulus.model != StimulusModel::follows) return index;
  const auto found = std::find_if(interrupts.begin(), interrupts.end(),
                                  [&](const InterruptConfig& other) { return other.name == stimulus.interrupt; });
  return found == interrupts.end() ? index : static_cast<std::size_t>(found - interrupts.begin());
}

void RunConfig::fields(FieldVisitor& visit) {
  constexpr auto kTime = Range<Duration>{Duration::zero(), 1'000'000s};
  visit.duration({"warmup_ms", "stimuli earlier than this are not counted"}, warmup, kTime);
  visit.optional(Field{"measure_ms", "length of a run; absent: until every stimulus is answered or known to be lost"},
                 measure, [&](Duration& d) {
                   visit.duration({"measure_ms", "length of a run"}, d, {1us, 1'000'000s});
                 });
  visit.integer({"replications", "independent repetitions"}, replications, {1, 1'000'000'000});
  visit.integer({"seed", "where the random streams begin: same seed, same numbers"}, seed,
                {0, std::numeric_limits<std::int64_t>::max()});
}

void Scenario::fields(FieldVisitor& visit) {
  visit.text({"schema", "\"vecusim/scenario/1\"", true}, schema);
  visit.require(schema == "vecusim/scenario/1", "schema", "\"vecusim/scenario/1\"");
  visit.text({"title", "one line that says what the scenario is about"}, title);
  visit.object({"board", "the hardware", true}, board);
  costs.fields(visit, {"costs",
                       "names or files of cost tables, later ones winning, or their merged values; absent: the board's "
                       "own"});
  visit.object({"hypervisor", "what stands between the board and the domains", true}, hypervisor);
  visit.list({"domains", "the operating systems and what runs on them", true}, domains);
  const Field carriers{"buses", "what carries the frames that interrupts come with"};
  if (visit.wants(carriers, !buses.empty())) visit.list(carriers, buses);
  visit.list({"interrupts", "what is to be measured", true}, interrupts);
  const Field frames{"network",
                     "flows of frames between the board's network device and programs of domains; absent: none"};
  visit.optional(frames, network, [&](NetworkConfig& n) { visit.object(frames, n); });
  visit.object({"run", "how long and how often"}, run);
}

std::vector<DomainConfig> Scenario::present_domains() const {
  std::vector<DomainConfig> present;
  std::copy_if(domains.begin(), domains.end(), std::back_inserter(present),
               [&](const DomainConfig& domain) { return domain.exists_under(hypervisor.model.name()); });
  return present;
}

}  // namespace vecusim
