// Whatever runs under Xen: nobody runs on two pCPUs, nobody runs where Xen itself works, and no time of a flight is
// lost.
#include "property.hpp"
#include "xen_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

constexpr std::size_t kPcpus = 4;

struct Guest {
  int vcpus;     // 1 … 3
  int affinity;  // pCPUs as bits, 1 … 15
  int load;      // none, hog, periodic, sporadic
  int interval_us;
  bool notifies;
};

std::ostream& operator<<(std::ostream& out, const Guest& guest) {
  return out << "{vcpus " << guest.vcpus << ", affinity " << guest.affinity << ", load " << guest.load << " every "
             << guest.interval_us << " us, notifies " << guest.notifies << "}";
}

struct Machine {
  int scheduler;
  int ratelimit_us;
  bool native_wfi;
  int edge_us;  // mean distance of edges
  std::vector<Guest> guests;
};

std::ostream& operator<<(std::ostream& out, const Machine& machine) {
  out << "scheduler " << machine.scheduler << ", rate limit " << machine.ratelimit_us << ", native "
      << machine.native_wfi << ", edge every " << machine.edge_us << " us, guests";
  for (const Guest& guest : machine.guests) out << ' ' << guest;
  return out;
}

rc::Gen<Machine> machines() {
  const auto guest = rc::gen::construct<Guest>(rc::gen::inRange(1, 4), rc::gen::inRange(1, 16), rc::gen::inRange(0, 4),
                                               rc::gen::inRange(300, 5000), rc::gen::arbitrary<bool>());
  return rc::gen::construct<Machine>(rc::gen::inRange(0, 4), rc::gen::element(0, 100, 1000), rc::gen::arbitrary<bool>(),
                                     rc::gen::inRange(100, 3000),
                                     rc::gen::nonEmpty(rc::gen::container<std::vector<Guest>>(guest)));
}

std::string affinity(int bits) {
  std::string list;
  for (std::size_t p = 0; p < kPcpus; ++p) {
    if ((bits >> p) & 1) list += (list.empty() ? "" : ",") + std::to_string(p);
  }
  return "[" + list + "]";
}

// Guest i sends to guest i + 1 and hears from guest i - 1, in a ring; the first one also answers the edges.
std::string domain(const Machine& machine, std::size_t index, bool hears) {
  const Guest& guest = machine.guests[index];
  std::string tasks;
  const auto add = [&](const std::string& task) { tasks += (tasks.empty() ? "" : ",") + task; };
  if (index == 0) add(R"({"name":"gpio","model":"interrupt","interrupt":"edge"})");
  if (hears) {
    const std::string ring = "ring" + std::to_string(index);
    add(R"({"name":"back","model":"interrupt","interrupt":")" + ring + R"(","interface":"kernel"})");
  }
  if (guest.load == 1) add(R"({"name":"hog","model":"hog"})");
  if (guest.load > 1) {
    const std::string next = "ring" + std::to_string((index + 1) % machine.guests.size());
    add(R"({"name":"load","model":")" + std::string(guest.load == 2 ? "periodic" : "sporadic") + R"(","period_us":)" +
        std::to_string(guest.interval_us) + R"(,"work_us":)" + std::to_string(guest.interval_us / 4) +
        (guest.notifies ? R"(,"notify":")" + next + "\"" : "") + "}");
  }
  return R"({"name":"g)" + std::to_string(index) + R"(","vcpus":)" + std::to_string(guest.vcpus) + R"(,"affinity":)" +
         affinity(guest.affinity) + R"(,"os":{"model":"linux"},"tasks":[)" + tasks + "]}";
}

Scenario scenario_of(const Machine& machine) {
  const std::size_t n = machine.guests.size();
  std::string domains;
  std::string interrupts =
      R"({"name":"edge","source":"gpio17","target":"g0","stimulus":{"model":"poisson","mean_interval_ms":)" +
      std::to_string(machine.edge_us / 1000) + "." + std::to_string(1000 + machine.edge_us % 1000).substr(1) + "}}";
  for (std::size_t i = 0; i < n; ++i) {
    const Guest& before = machine.guests[(i + n - 1) % n];
    const bool hears = before.load > 1 && before.notifies;
    domains += (i == 0 ? "" : ",") + domain(machine, i, hears);
    const std::string index = std::to_string(i);
    if (hears) interrupts += R"(,{"name":"ring)" + index + R"(","source":"event","target":"g)" + index + R"("})";
  }
  const std::string limit = std::to_string(machine.ratelimit_us);
  const std::array<std::string, 4> schedulers = {R"({"model":"credit2","ratelimit_us":)" + limit + "}",
                                                 R"({"model":"credit","ratelimit_us":)" + limit + "}",
                                                 R"({"model":"rtds"})", R"({"model":"null"})"};
  return load_scenario("pi4-xen-published",
                       {R"(/hypervisor={"model":"xen","vwfi":")" + std::string(machine.native_wfi ? "native" : "trap") +
                            R"(","scheduler":)" + schedulers[static_cast<std::size_t>(machine.scheduler)] + "}",
                        "/domains=[" + domains + "]", "/interrupts=[" + interrupts + "]", "/run/measure_ms=60"})
      .scenario;
}

// At every moment there must be a way to put the vCPUs that work on different pCPUs that they may use and on which Xen
// does not work: by Hall's theorem, no set of pCPUs is wanted by more of them than it has members.
class Placement final : public TraceSink {
 public:
  Placement(const Machine& machine, const Replication& run) : run_(&run), thrashes_(machine.ratelimit_us == 0) {
    allowed_.resize(kPcpus);
    for (std::size_t p = 0; p < kPcpus; ++p) allowed_[p] = 1 << p;
    for (const Guest& guest : machine.guests) {
      for (int v = 0; v < guest.vcpus; ++v) allowed_.push_back(guest.affinity);
    }
    works_.resize(allowed_.size());
  }

  void on(const Occupied& event) override {
    if (event.at != now_) verify();
    now_ = event.at;
    works_[static_cast<std::size_t>(event.cpu)] = event.context != Context::idle;
  }
  void on(const Stimulated&) override { ++begun; }
  void on(const Dropped&) override { ++ended; }
  void on(const FlightDone& event) override {
    ++ended;
    Duration sum{};
    for (const StageTime& stage : event.stages) sum += stage.total();
    tiles = tiles && sum == event.at - event.began;
    const InterruptPath& path = run_->path(static_cast<std::size_t>(event.interrupt));
    for (std::size_t i = 0; i < event.stages.size(); ++i) verify(path.stages()[i], event.stages[i].service);
  }

  bool possible = true;
  bool tiles = true;
  bool works_as_it_says = true;
  std::size_t begun = 0;
  std::size_t ended = 0;

 private:
  // Work is what the path says it may be; more of it in a stage were a wait that nobody has booked. Without a rate
  // limit vCPUs of nearly equal credit may be switched in and out many times before one of them enters its guest.
  void verify(const Stage& stage, Duration service) {
    const bool repeats = thrashes_ && stage.name.find("schedule") != std::string::npos;
    works_as_it_says = works_as_it_says && (repeats || service <= 2 * stage.most + 1us);
  }

  void verify() {
    for (int set = 1; set < 1 << kPcpus; ++set) {
      int demand = 0;
      for (std::size_t cpu = 0; cpu < works_.size(); ++cpu) demand += works_[cpu] && (allowed_[cpu] & ~set) == 0;
      possible = possible && demand <= std::popcount(static_cast<unsigned>(set));
    }
  }

  const Replication* run_;
  bool thrashes_;
  std::vector<int> allowed_;  // by CPU: pCPUs as bits
  std::vector<bool> works_;
  Time now_{};
};

}  // namespace

TEST_CASE("Experiment 19: nobody runs on two pCPUs or beside Xen on one, and every flight's time adds up") {
  check_property(
      [] {
        const Machine machine = *machines();
        const Scenario scenario = scenario_of(machine);
        QuantileTables tables;
        Replication run(scenario, tables, 1, 0);
        Placement placement(machine, run);
        run.attach(placement);
        run.run();
        RC_ASSERT(placement.possible);
        RC_ASSERT(placement.tiles);
        RC_ASSERT(placement.works_as_it_says);
        RC_ASSERT(placement.begun >= placement.ended);
      },
      200, 6);
}
