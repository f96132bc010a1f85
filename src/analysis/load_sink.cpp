// Integration of what CPUs are occupied with.
#include "analysis/load_sink.hpp"

#include <algorithm>
#include <cassert>

namespace vecusim {
namespace {

constexpr std::size_t kIdle = static_cast<std::size_t>(Context::idle);

}  // namespace

void LoadTally::merge(const LoadTally& other) {
  assert(parties.size() == other.parties.size());
  for (std::size_t i = 0; i < parties.size(); ++i) {
    for (std::size_t c = 0; c < kContexts; ++c) parties[i].contexts[c] += other.parties[i].contexts[c];
  }
  capacity += other.capacity;
}

LoadSink::LoadSink(const SystemView& view, Time warmup) : warmup_(warmup) {
  const auto party_of = [this](std::string_view name) {
    const auto found = std::find(parties_.begin(), parties_.end(), name);
    if (found != parties_.end()) return static_cast<std::size_t>(found - parties_.begin());
    parties_.emplace_back(name);
    return parties_.size() - 1;
  };
  for (const SystemView::CpuView& cpu : view.cpus) {
    if (!cpu.domain.empty()) party_of(cpu.domain);
  }
  for (const SystemView::CpuView& cpu : view.cpus) {
    const std::size_t party = party_of(cpu.domain.empty() ? kHypervisorParty : cpu.domain);
    cpus_.push_back({party, party, cpu.physical, Context::idle, warmup});
  }
  spent_.resize(parties_.size());
}

void LoadSink::on(const Occupied& event) {
  Cpu& cpu = cpus_[static_cast<std::size_t>(event.cpu)];
  book(cpu, event.at);
  cpu.context = event.context;
}

void LoadSink::on(const Loaded& event) {
  Cpu& cpu = cpus_[static_cast<std::size_t>(event.pcpu)];
  book(cpu, event.at);
  cpu.party = event.vcpu ? cpus_[static_cast<std::size_t>(*event.vcpu)].own : cpu.own;
}

void LoadSink::book(Cpu& cpu, Time now) {
  if (now <= cpu.since) return;
  const Duration passed = now - cpu.since;
  cpu.since = now;
  if (cpu.context != Context::idle) spent_[cpu.party][static_cast<std::size_t>(cpu.context)] += passed;
  if (cpu.physical == (cpu.context == Context::idle)) idle_ += cpu.physical ? passed : -passed;
}

LoadTally LoadSink::finish(Time end) {
  LoadTally result;
  for (Cpu& cpu : cpus_) {
    book(cpu, end);
    if (!cpu.physical) continue;
    ++result.pcpus;
    result.capacity += wide(std::max(end - warmup_, Duration::zero()));
  }
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    result.parties.push_back({parties_[i], {}});
    for (std::size_t c = 0; c < kContexts; ++c) result.parties.back().contexts[c] = wide(spent_[i][c]);
  }
  assert(idle_ >= Duration::zero());
  result.parties.push_back({std::string(kIdleParty), {}});
  result.parties.back().contexts[kIdle] = wide(idle_);
  return result;
}

}  // namespace vecusim
