// Jobs of drivers: what they cost, and threads that do them.
#include "models/linux_net.hpp"

#include <algorithm>
#include <string_view>

#include "models/linux.hpp"

namespace vecusim {

namespace {

constexpr std::array<std::string_view, kNetCodes> kNames = {
    "irq",         "poll",      "driver_rx",  "bridge",      "vif_queue",     "wake",      "netback_rx", "free",
    "netback_skb", "driver_tx", "netback_tx", "upcall",      "netfront_rx",   "ip_rx",     "socket_rx",  "app_rx",
    "shared_rx",   "app_tx",    "socket_tx",  "netfront_tx", "netfront_free", "shared_tx", "event"};

}  // namespace

NetCosts::NetCosts(CostTable& costs)
    : read(costs.duration("net.device_read")),
      write(costs.duration("net.device_write")),
      grant_copy(costs.duration("xen.grant_copy")),
      copy_ps_per_byte(costs.number("xen.grant_copy_byte", "ps")),
      header_copy(costs.duration("xen.header_copy")),
      grant_map(costs.duration("xen.grant_map")),
      grant_unmap(costs.duration("xen.grant_unmap")) {
  const double cv = costs.number("net.cv", "ratio");
  for (std::size_t i = 0; i < kNetCodes; ++i) {
    PathCost& cost = code_costs[i];
    cost = PathCost::from(costs, "net." + std::string(kNames[i]));
    cost.variance = cost.cycles * cost.cycles * cv * cv;
  }
}

NetBatch& NetBatch::add(NetCode code, std::size_t times) {
  if (times == 0) return *this;
  const PathCost& one = costs_[code];
  const auto n = static_cast<double>(times);
  cost_.cycles += n * one.cycles;
  cost_.variance += n * one.variance;
  const std::uint32_t bit = 1U << static_cast<unsigned>(code);
  if ((fetched_ & bit) == 0) cost_.lines += one.lines;  // the next frames find them
  fetched_ |= bit;
  return *this;
}

NetBatch& NetBatch::reads(std::size_t count) {
  devices_ += costs_.read * static_cast<Duration::rep>(count);
  return *this;
}

NetBatch& NetBatch::writes(std::size_t count) {
  devices_ += costs_.write * static_cast<Duration::rep>(count);
  return *this;
}

Duration NetBatch::take(LinuxCpu& cpu, CodePath path) const {
  return cpu.kernel().platform().execute(cpu.index(), cost_, path) + devices_;
}

NetThread::NetThread(Linux& kernel, std::string_view name, NetJob& job, Context context, std::vector<std::int64_t> cpus)
    : Thread(kernel, name, TaskPolicy::other, 0, std::move(cpus)), job_(job), context_(context) {}

void NetThread::start() {
  wake_at = until_;
  cpu->program_timer();
}

void NetThread::kick(LinuxCpu& from) {
  if (!awake()) kernel_.wake(*this, from, nullptr);
}

void NetThread::next_piece() {
  work.begin = Delegate<Duration()>::to<&NetThread::piece_cost>(*this);
  work.done = Delegate<void()>::to<&NetThread::piece_done>(*this);
  work.context = context_;
  cpu->submit(*this);
}

Duration NetThread::piece_cost() { return job_.begin(*cpu); }

void NetThread::piece_done() {
  if (job_.done(*cpu) == NetJob::Next::nothing) {
    block(until_);
  } else {
    next_piece();
  }
}

void Wakes::add(NetThread* thread) {
  if (thread == nullptr || thread->awake()) return;
  if (std::find(threads_.begin(), threads_.end(), thread) == threads_.end()) threads_.push_back(thread);
}

void Wakes::wake_one(LinuxCpu& cpu) {
  NetThread* thread = threads_.back();
  threads_.pop_back();
  thread->kick(cpu);
}

}  // namespace vecusim
