// What a network asks of its scenario.
#include "system/check_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "system/findings.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"

namespace vecusim {

namespace {

std::string megabits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g", value);
  return text.data();
}

class NetworkCheck {
 public:
  explicit NetworkCheck(const Scenario& scenario) : scenario_(scenario), network_(*scenario.network) {}

  std::vector<Problem> run() {
    if (!path()) return found_.take();
    if (network_.flows.empty()) found_.error("/network/flows", "at least one flow", "none");
    if (!scenario_.run.measure) found_.error("/run/measure_ms", "the length of a run, as frames never end", "nothing");
    std::set<std::string> names;
    std::set<std::string> domains;
    for (std::size_t i = 0; i < network_.flows.size(); ++i) {
      const FlowConfig& config = network_.flows[i];
      const std::string pointer = json::child("/network/flows", i);
      if (config.name.empty()) found_.error(json::child(pointer, "name"), "a name", "an empty one");
      if (!names.insert(config.name).second) {
        found_.error(json::child(pointer, "name"), "a name of its own for each flow",
                     json::quoted(config.name) + " again");
      }
      domains.insert(config.domain);
      flow(config, pointer);
    }
    if (domains.size() >= kNetworkQueues) {
      found_.error("/network/flows", "flows of at most " + std::to_string(kNetworkQueues - 1) + " domains",
                   "of " + std::to_string(domains.size()));
    }
    ports();
    cpu();
    return found_.take();
  }

 private:
  // Whether there are models of the network's paths under this hypervisor.
  bool path() {
    const std::string_view model = scenario_.hypervisor.model.name();
    if (model != "native" && model != "xen") {
      found_.error("/network", "no network: its paths are modelled under xen and without a hypervisor",
                   "one under " + json::quoted(model));
      return false;
    }
    const bool native = network_.path == NetworkPath::native;
    if (native && model == "xen") {
      found_.error("/network/path", "\"bridge\", \"rswitch2\" or \"passthrough\" under a hypervisor", "\"native\"");
    } else if (!native && model == "native") {
      found_.error("/network/path", "\"native\" without a hypervisor", "another path");
    }
    if (serves() && !scenario_.domains.empty()) drives(scenario_.domains.front(), "/domains/0/os");
    return true;
  }

  // Whether the first domain has the device, whoever's the frames are.
  bool serves() const { return network_.path != NetworkPath::passthrough; }

  // Frames of a direction share a port's rate.
  void ports() {
    for (const FlowDirection direction : {FlowDirection::rx, FlowDirection::tx}) {
      for (std::int64_t port = 0; port < network_.ports; ++port) {
        double sum = 0.0;
        std::size_t last = 0;
        for (std::size_t i = 0; i < network_.flows.size(); ++i) {
          const FlowConfig& flow = network_.flows[i];
          if (flow.direction != direction || flow.port != port) continue;
          sum += flow.rate_mbps;
          last = i;
        }
        if (sum <= network_.port_mbps * (1.0 + 1e-9)) continue;
        const FlowConfig& flow = network_.flows[last];
        const double payload =
            network_.port_mbps * static_cast<double>(flow.payload_bytes()) / static_cast<double>(flow.frame_bytes);
        const double pps = network_.port_mbps * 1e6 / 8.0 / static_cast<double>(flow.frame_bytes);
        found_.error(json::child(json::child("/network/flows", last), "rate_mbps"),
                     "at most " + megabits(network_.port_mbps) + " Mb/s on the wire of port " + std::to_string(port) +
                         " in all, which is " + megabits(std::floor(payload * 10.0) / 10.0) + " Mb/s of payload and " +
                         megabits(std::floor(pps)) + " frames a second of this size",
                     megabits(sum));
      }
    }
  }

  void flow(const FlowConfig& config, const std::string& pointer) {
    if (config.port >= network_.ports) {
      found_.error(json::child(pointer, "port"), "a port of the device, 0 to " + std::to_string(network_.ports - 1),
                   std::to_string(config.port));
    }
    source(config, pointer);
    const DomainConfig* domain = domain_of(config.domain);
    if (domain == nullptr) {
      std::vector<std::string> all;
      for (const DomainConfig& each : scenario_.domains) all.push_back(each.name);
      found_.error(json::child(pointer, "domain"), "the name of a domain", json::quoted(config.domain),
                   nearest(config.domain, all));
      return;
    }
    if (!serves() || domain != &scenario_.domains.front()) drives(*domain, json::child(pointer, "domain"));
  }

  void source(const FlowConfig& config, const std::string& pointer) {
    const bool sends = config.direction == FlowDirection::tx;
    if (config.arrivals == Arrivals::recorded) {
      if (sends)
        found_.error(json::child(pointer, "arrivals"), "frames from the wire (rx), if they are recorded", "\"tx\"");
      if (config.times.empty()) found_.error(json::child(pointer, "file"), "a capture, or times and sizes", "nothing");
    }
    if (config.arrivals == Arrivals::window && sends && network_.path == NetworkPath::rswitch2 &&
        !network_.tx_completion_irq) {
      found_.error("/network/tx_completion_irq", "true, as a window waits for its frames to be freed", "false");
    }
  }

  void drives(const DomainConfig& domain, const std::string& pointer) {
    if (domain.os.model != OsModel::linux) {
      found_.error(pointer, "a domain that runs Linux, whose network drivers are modelled", json::quoted(domain.name));
    } else if (domain.os.linux.preempt == Preempt::rt) {
      found_.error(pointer, "a domain whose Linux handles packets in softirq, as with \"preempt\" other than \"rt\"",
                   json::quoted(domain.name));
    }
  }

  const DomainConfig* domain_of(const std::string& name) const {
    const auto found = std::find_if(scenario_.domains.begin(), scenario_.domains.end(),
                                    [&](const DomainConfig& domain) { return domain.name == name; });
    return found == scenario_.domains.end() ? nullptr : &*found;
  }

  // The device's interrupts go to one CPU, in each domain that has one of its queues.
  void cpu() {
    if (scenario_.domains.empty()) return;
    std::int64_t least = scenario_.domains.front().vcpus.value_or(1);
    if (network_.path == NetworkPath::native) least = scenario_.board.spec().cores();
    if (network_.path == NetworkPath::passthrough) {
      for (const FlowConfig& flow : network_.flows) {
        if (const DomainConfig* domain = domain_of(flow.domain)) least = std::min(least, domain->vcpus.value_or(1));
      }
    }
    if (network_.cpu < least) return;
    found_.error("/network/cpu", "a CPU of the domain that handles the device, 0 to " + std::to_string(least - 1),
                 std::to_string(network_.cpu));
  }

  const Scenario& scenario_;
  const NetworkConfig& network_;
  Findings found_;
};

}  // namespace

std::vector<Problem> network_problems(const Scenario& scenario) {
  return scenario.network ? NetworkCheck(scenario).run() : std::vector<Problem>{};
}

}  // namespace vecusim
