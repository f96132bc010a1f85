// The states of a GIC-400.
#include "models/gic.hpp"

#include <algorithm>
#include <cassert>

namespace vecusim {

Gic::Gic(Simulation& simulation, std::size_t pcpus, std::size_t spis, Duration forward)
    : simulation_(&simulation), forward_(forward), pending_(pcpus), inputs_(pcpus) {
  for (std::size_t core = 0; core < pcpus; ++core) {
    for (std::size_t irq = 0; irq < kPrivate; ++irq) {
      private_.push_back(std::make_unique<Source>(*this, IrqId{static_cast<std::uint16_t>(irq)},
                                                  PcpuIndex{static_cast<std::uint16_t>(core)}));
    }
    pending_[core].reserve(kPrivate + spis);
  }
  for (std::size_t spi = 0; spi < spis; ++spi) {
    shared_.push_back(std::make_unique<Source>(*this, IrqId{static_cast<std::uint16_t>(kPrivate + spi)}, PcpuIndex{0}));
  }
}

const Gic::Source& Gic::source(PcpuIndex pcpu, IrqId irq) const {
  const auto number = static_cast<std::size_t>(irq);
  if (number < kPrivate) return *private_[static_cast<std::size_t>(pcpu) * kPrivate + number];
  assert(number - kPrivate < shared_.size());
  return *shared_[number - kPrivate];
}

Gic::Source& Gic::source(PcpuIndex pcpu, IrqId irq) {
  return const_cast<Source&>(std::as_const(*this).source(pcpu, irq));
}

void Gic::connect(PcpuIndex pcpu, Delegate<void()> input) { inputs_[static_cast<std::size_t>(pcpu)] = input; }

PcpuIndex Gic::target(IrqId irq) const { return source(PcpuIndex{0}, irq).target; }

void Gic::set_priority(IrqId irq, std::uint8_t priority) {
  for (std::size_t core = 0; core < pending_.size(); ++core) {
    source(PcpuIndex{static_cast<std::uint16_t>(core)}, irq).priority = priority;
  }
}

void Gic::set_target(IrqId irq, PcpuIndex pcpu) {
  Source& spi = source(pcpu, irq);
  if (spi.target == pcpu) return;
  const bool moves = spi.pending;
  if (moves) std::erase(pending_[static_cast<std::size_t>(spi.target)], &spi);
  spi.target = pcpu;
  if (moves) {
    pending_[static_cast<std::size_t>(pcpu)].push_back(&spi);
    signal(pcpu);
  }
}

void Gic::set_trigger(IrqId irq, Trigger trigger) { source(PcpuIndex{0}, irq).trigger = trigger; }

void Gic::set_line(IrqId irq, bool high) {
  Source& spi = source(PcpuIndex{0}, irq);
  if (spi.line == high) return;
  spi.line = high;
  const bool edge = spi.trigger == Trigger::edge;
  if (high) {
    if (!noted(irq) && (edge || !spi.active)) spi.arrives.arm_in(forward_);
    return;
  }
  if (edge) return;
  spi.arrives.disarm();
  if (spi.pending) {
    spi.pending = false;
    std::erase(pending_[static_cast<std::size_t>(spi.target)], &spi);
  }
}

bool Gic::noted(IrqId irq) const {
  const Source& spi = source(PcpuIndex{0}, irq);
  return spi.pending || spi.arrives.armed();
}

void Gic::raise(PcpuIndex pcpu, IrqId irq) {
  Source& own = source(pcpu, irq);
  if (!own.pending && !own.arrives.armed()) own.arrives.arm_in(forward_);
}

void Gic::withdraw(PcpuIndex pcpu, IrqId irq) {
  Source& own = source(pcpu, irq);
  own.arrives.disarm();
  if (!own.pending) return;
  own.pending = false;
  std::erase(pending_[static_cast<std::size_t>(pcpu)], &own);
}

void Gic::arrive(Source& source) {
  if (source.pending) return;
  source.pending = true;
  pending_[static_cast<std::size_t>(source.target)].push_back(&source);
  signal(source.target);
}

Gic::Source* Gic::best(PcpuIndex pcpu) const {
  Source* best = nullptr;
  for (Source* candidate : pending_[static_cast<std::size_t>(pcpu)]) {
    if (candidate->active) continue;  // held back until its handler is done
    if (best == nullptr || candidate->priority < best->priority ||
        (candidate->priority == best->priority && candidate->irq < best->irq)) {
      best = candidate;
    }
  }
  return best;
}

void Gic::signal(PcpuIndex pcpu) {
  if (best(pcpu) != nullptr && inputs_[static_cast<std::size_t>(pcpu)]) inputs_[static_cast<std::size_t>(pcpu)]();
}

IrqId Gic::pending(PcpuIndex pcpu) const {
  const Source* next = best(pcpu);
  return next == nullptr ? kSpurious : next->irq;
}

bool Gic::waits(PcpuIndex pcpu, IrqId irq) const {
  const Source& spi = source(pcpu, irq);
  return spi.pending && !spi.active && spi.target == pcpu;
}

IrqId Gic::acknowledge(PcpuIndex pcpu) {
  Source* next = best(pcpu);
  if (next == nullptr) return kSpurious;
  next->pending = false;
  next->active = true;
  std::erase(pending_[static_cast<std::size_t>(pcpu)], next);
  return next->irq;
}

void Gic::end(PcpuIndex pcpu, IrqId irq) {
  Source& done = source(pcpu, irq);
  done.active = false;
  // A line that is still high makes the interrupt pending again at once.
  if (done.line && done.trigger == Trigger::level && !done.pending) {
    arrive(done);
  } else if (done.pending) {
    signal(done.target);
  }
}

}  // namespace vecusim
