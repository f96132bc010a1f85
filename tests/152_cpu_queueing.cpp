// Cpu, Timer and Distribution together against queueing theory: mean time in system of M/M/1, M/D/1 and a preemptive
// two-priority M/M/1.
#include <cstdint>
#include <deque>
#include <vector>

#include "catch.hpp"
#include "engine/cpu.hpp"
#include "engine/simulation.hpp"
#include "statistics.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

constexpr Duration kService = 1ms;

/// Poisson arrivals of works of one level; measures how long each is in the system.
class Customers {
 public:
  Customers(Simulation& simulation, Cpu& cpu, std::uint8_t level, double load, Distribution service)
      : simulation_(simulation),
        cpu_(cpu),
        level_(level),
        interarrival_(
            Distribution::gamma(simulation.tables, 1.0, from_ps(static_cast<double>(kService.count()) / load))),
        service_(std::move(service)),
        arrivals_(simulation.stream("arrivals/" + std::to_string(level))),
        services_(simulation.stream("services/" + std::to_string(level))),
        arrive_(simulation.queue, Delegate<void()>::to<&Customers::on_arrival>(*this)) {}

  void start() { arrive_.arm_in(interarrival_.quantile(arrivals_.uniform())); }
  void forget() { total_ = {}, count_ = 0; }
  /// In units of the mean service time.
  double mean_time_in_system() const {
    return static_cast<double>(total_.count()) / static_cast<double>(count_) / static_cast<double>(kService.count());
  }

 private:
  struct Customer {
    Customers* owner = nullptr;
    Time arrived{};
    Work work{};
    void leave() { owner->on_departure(*this); }
  };

  void on_arrival() {
    if (free_.empty()) free_.push_back(&all_.emplace_back());
    Customer& customer = *free_.back();
    free_.pop_back();
    customer = {this, simulation_.now(), {}};
    customer.work.demand = service_.quantile(services_.uniform());
    customer.work.level = level_;
    customer.work.done = Delegate<void()>::to<&Customer::leave>(customer);
    cpu_.submit(customer.work);
    start();
  }
  void on_departure(Customer& customer) {
    total_ += simulation_.now() - customer.arrived;
    ++count_;
    free_.push_back(&customer);
  }

  Simulation& simulation_;
  Cpu& cpu_;
  std::uint8_t level_;
  Distribution interarrival_;
  Distribution service_;
  RandomStream arrivals_;
  RandomStream services_;
  Timer arrive_;
  std::deque<Customer> all_;
  std::vector<Customer*> free_;
  Duration total_{};
  std::int64_t count_ = 0;
};

/// The mean times in system of the customers of each load, the most urgent first, over independent replications.
std::vector<std::vector<double>> replicate(const std::vector<double>& loads,
                                           const std::function<Distribution(QuantileTables&)>& service) {
  constexpr std::uint32_t kReplications = 64;
  std::vector<std::vector<double>> means(loads.size());
  QuantileTables tables;
  for (std::uint32_t replication = 0; replication < kReplications; ++replication) {
    Simulation simulation(tables, 1, replication);
    Cpu cpu(simulation.queue, simulation.trace, CpuId{0});
    std::deque<Customers> classes;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      classes.emplace_back(simulation, cpu, static_cast<std::uint8_t>(i), loads[i], service(tables)).start();
    }
    simulation.queue.run_until(kStart + 300 * kService);
    for (Customers& customers : classes) customers.forget();
    simulation.queue.run_until(kStart + 30'000 * kService);
    for (std::size_t i = 0; i < loads.size(); ++i) means[i].push_back(classes[i].mean_time_in_system());
  }
  return means;
}

Distribution exponential(QuantileTables& tables) { return Distribution::gamma(tables, 1.0, kService); }
Distribution deterministic(QuantileTables&) { return Distribution::constant(kService); }

void check_mean(const std::vector<double>& means, double expected) {
  CHECK(std::abs(standard_errors_from(means, expected)) < kStudentLimit64);
  // Sharp enough to tell a wrong formula from a right one.
  CHECK(std::abs(standard_errors_from(means, 1.08 * expected)) > kStudentLimit64);
}

}  // namespace

TEST_CASE("M/M/1: the mean time in system is 1 / (1 - load) service times") {
  const double load = GENERATE(0.3, 0.7);
  check_mean(replicate({load}, exponential)[0], 1.0 / (1.0 - load));
}

TEST_CASE("M/D/1: the mean wait is half that of M/M/1") {
  const double load = GENERATE(0.3, 0.7);
  check_mean(replicate({load}, deterministic)[0], 1.0 + load / (2.0 * (1.0 - load)));
}

// Preemptive resume (Cobham 1954; White and Christie 1958): T1 as if alone, T2 = 1 / ((1 - load1) (1 - load1 - load2)).
TEST_CASE("two priorities, preemptive: the urgent do not notice the others, and those pay for both") {
  const auto means = replicate({0.3, 0.4}, exponential);
  check_mean(means[0], 1.0 / (1.0 - 0.3));
  check_mean(means[1], 1.0 / ((1.0 - 0.3) * (1.0 - 0.7)));
}
