// Printing on Xen's console: a hypercall that holds the console's lock with interrupts off, so that the pCPU serves
// nothing else meanwhile.
//
//   print → trapped_print → want_console ─┬───────────────────────┬─ write_chunk → write_own → chunk_written
//                                         └─ … → console_granted ─┘
//
// A line is written in chunks; between two of them the hypercall is left and made again if something else is to be
// done. Specification of the mechanisms, sections 2.3 and 2.4.
#include <algorithm>

#include "hypervisors/xen.hpp"

namespace vecusim {

namespace {
constexpr std::int64_t kChunk = 127;
// What a spinning core spins for is somebody else's release, which comes sooner.
constexpr Duration kUntilGranted = 1'000'000s;
}  // namespace

// The line is the loaded vCPU's.
void XenPcpu::print() {
  enter_xen();
  printer_ = loaded_->line.party;
  leave_guest(loaded_->line.flight, XenStage::console, &XenPcpu::trapped_print);
}

void XenPcpu::trapped_print(Flight*) {
  step(XenCode::console_write, loaded_->line.flight, XenStage::console, &XenPcpu::want_console);
}

void XenPcpu::want_console(Flight*) {
  if (xen_.console_->acquire(*this, printer_)) {
    write_chunk();
    return;
  }
  if (Flight* flight = loaded_->line.flight) flight->wait(Wait::lock, xen_.console_->holder());
  occupy(kUntilGranted, nullptr, {});
}

void XenPcpu::console_granted() {
  cpu_.withdraw(printing_);
  write_chunk();
}

// The core executes driver code that no interrupt ends: on behalf of a flight, or in somebody else's wait.
void XenPcpu::occupy(Duration time, Flight* flight, Delegate<void()> then) {
  printing_ = Work{.demand = time,
                   .done = then,
                   .context = Context::hypervisor,
                   .inflicts = Wait::hypervisor,
                   .party = printer_,
                   .account = flight == nullptr ? nullptr : &flight->account()};
  cpu_.go_on(printing_);
}

void XenPcpu::write_chunk() {
  ConsoleLine& line = loaded_->line;
  const std::int64_t chars = std::min(line.chars, kChunk);
  line.chars -= chars;
  // Behind the newline a carriage return is added.
  const std::int64_t written = line.chars == 0 ? chars + 1 : chars;
  const Party before = xen_.console_->last();
  const XenConsole::Time time = xen_.console_->write(xen_.simulation_->now(), written, console_char(), printer_);
  own_ = time.own;
  if (time.behind == Duration::zero()) {
    write_own();
    return;
  }
  if (line.flight != nullptr) line.flight->wait(Wait::queue, before);
  occupy(time.behind, nullptr, Delegate<void()>::to<&XenPcpu::write_own>(*this));
}

void XenPcpu::write_own() { occupy(own_, loaded_->line.flight, Delegate<void()>::to<&XenPcpu::chunk_written>(*this)); }

Duration XenPcpu::console_char() {
  const auto code = static_cast<std::size_t>(XenCode::console_char);
  return xen_.board_.core(index_).execute(pool_->costs()[XenCode::console_char], xen_.paths_[code]);
}

void XenPcpu::chunk_written() {
  printer_ = Party::nobody;
  if (XenPcpu* next = xen_.console_->release()) next->console_granted();
  ConsoleLine& line = loaded_->line;
  if (line.flight != nullptr) line.flight->wait(Wait::hypervisor, xen_.party_);
  if (line.chars == 0) line.done();
  softirqs(nullptr);
}

// Back in the guest, whose interrupts are still off, with characters left.
void XenPcpu::print_on() {
  for (const Passenger& passenger : xen_.waiting(*loaded_)) {
    passenger.kept.get()->wait(Wait::masked, loaded_->line.party);
  }
  std::erase_if(loaded_->waiting, [this](const Passenger& p) { return !loaded_->vgic.overflowed(p.irq); });
  print();
}

}  // namespace vecusim
