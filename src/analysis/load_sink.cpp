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
    cpus_.push_back(
        {party_of(cpu.domain.empty() ? kHypervisorParty : cpu.domain), cpu.physical, Context::idle, warmup, {}});
  }
}

void LoadSink::on(const Occupied& event) {
  Cpu& cpu = cpus_[static_cast<std::size_t>(event.cpu)];
  book(cpu, event.at);
  cpu.context = event.context;
}

void LoadSink::book(Cpu& cpu, Time now) {
  if (now <= cpu.since) return;
  cpu.spent[static_cast<std::size_t>(cpu.context)] += now - cpu.since;
  cpu.since = now;
}

LoadTally LoadSink::finish(Time end) {
  LoadTally result;
  for (const std::string& name : parties_) result.parties.push_back({name, {}});
  Duration idle{};
  for (Cpu& cpu : cpus_) {
    book(cpu, end);
    for (std::size_t c = 0; c < kContexts; ++c) {
      if (c == kIdle) continue;
      result.parties[cpu.party].contexts[c] += wide(cpu.spent[c]);
      if (!cpu.physical) idle -= cpu.spent[c];
    }
    if (!cpu.physical) continue;
    idle += cpu.spent[kIdle];
    ++result.pcpus;
    result.capacity += wide(std::max(end - warmup_, Duration::zero()));
  }
  assert(idle >= Duration::zero());
  result.parties.push_back({std::string(kIdleParty), {}});
  result.parties.back().contexts[kIdle] = wide(idle);
  return result;
}

}  // namespace vecusim
