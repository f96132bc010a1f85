// The two halves of a shared queue's driver.
#include "models/rswitch2_share.hpp"

#include "models/linux.hpp"

namespace vecusim {

SharedQueue::SharedQueue(Simulation& simulation, const NetCosts& costs, Board& board, Linux& dom0, Linux& domain,
                         QueuePair& queue, std::size_t flows)
    : QueuePoll(simulation, costs, board, queue, NetCode::shared_rx, flows),
      dom0_(dom0),
      domain_(domain),
      interrupt_(*this, board),
      unmask_(*this, board),
      doorbell_(*this, board),
      receive_(*this, board),
      free_(*this, board),
      to_receive_(domain.platform().events()->bind(receive_)),
      to_free_(domain.platform().events()->bind(free_)),
      to_unmask_(dom0.platform().events()->bind(unmask_)),
      to_ring_(dom0.platform().events()->bind(doorbell_)),
      origins_(flows),
      put_(flows) {
  queue.handle_by(interrupt_);
}

// ---- dom0 ----

Duration SharedQueue::begin_interrupt(LinuxCpu& cpu) {
  NetBatch batch(costs_);
  switch (interrupt_pieces_) {
    case 0:
      batch.add(NetCode::irq).reads(1).writes(1);
      break;
    case 1:
    case 2:
      batch.add(NetCode::event);
      break;
    default:
      return Duration::zero();  // back from the last event
  }
  return batch.take(cpu, interrupt_.path);
}

NetJob::Next SharedQueue::interrupted(LinuxCpu& cpu) {
  switch (interrupt_pieces_++) {
    case 0:
      queue_.mask();
      break;
    case 1:
      dom0_.platform().events()->send(cpu.index(), to_receive_);
      break;
    case 2:
      dom0_.platform().events()->send(cpu.index(), to_free_);
      break;
    default:
      interrupt_pieces_ = 0;
      return Next::nothing;
  }
  return Next::piece;
}

// The event's end is a hypercall, too: the handler delays it until it has seen to the device.
Duration SharedQueue::begin_unmask(LinuxCpu& cpu) {
  if (unmask_pieces_ > 0) return Duration::zero();
  return NetBatch(costs_).add(NetCode::upcall).reads(2).writes(2).take(cpu, unmask_.path);
}

NetJob::Next SharedQueue::unmasked(LinuxCpu& cpu) {
  if (unmask_pieces_++ > 0) {
    unmask_pieces_ = 0;
    return Next::nothing;
  }
  queue_.unmask();
  dom0_.platform().hypercall(cpu.index(), Duration::zero());
  return Next::piece;
}

Duration SharedQueue::begin_doorbell(LinuxCpu& cpu) {
  if (doorbell_pieces_ > 0) return Duration::zero();
  return NetBatch(costs_).add(NetCode::upcall).reads(1).writes(1).take(cpu, doorbell_.path);
}

NetJob::Next SharedQueue::rang(LinuxCpu& cpu) {
  if (doorbell_pieces_++ > 0) {
    doorbell_pieces_ = 0;
    return Next::nothing;
  }
  queue_.doorbell();
  put_.tell(simulation_);
  dom0_.platform().hypercall(cpu.index(), Duration::zero());
  return Next::piece;
}

// ---- The domain ----

Duration SharedQueue::begin_receive(LinuxCpu& cpu) {
  return NetBatch(costs_).add(NetCode::upcall).take(cpu, receive_.path);
}

NetJob::Next SharedQueue::told_to_receive(LinuxCpu& cpu) {
  schedule(cpu);
  return Next::nothing;
}

// What somebody is about to free, and pays for, is not another's to free.
Duration SharedQueue::begin_free(LinuxCpu& cpu) {
  if (freeing_) return Duration::zero();  // somebody is left to be woken
  told_ = queue_.sent() - frees_;
  return NetBatch(costs_).add(NetCode::upcall).add(NetCode::free, told_).take(cpu, free_.path);
}

NetJob::Next SharedQueue::told_to_free(LinuxCpu& cpu) {
  free_sent(std::exchange(told_, 0));
  freeing_ = writers_.size() > 1;
  if (!writers_.empty()) writers_.wake_one(cpu);
  return freeing_ ? Next::piece : Next::nothing;
}

void SharedQueue::free_sent(std::size_t count) {
  for (; count > 0; --count) origins_.sent(queue_.reap(), writers_);
  origins_.all_sent(writers_);
}

void SharedQueue::finished(LinuxCpu& cpu) { domain_.platform().events()->send(cpu.index(), to_unmask_); }

void SharedQueue::price(NetBatch& batch, std::size_t frames) {
  batch.add(NetCode::shared_tx, frames).add(NetCode::event, frames);
  if (queue_.room() > 0 || frees_ > 0) return;
  frees_ = queue_.sent() - told_;
  batch.add(NetCode::free, frees_);
}

void SharedQueue::send(LinuxCpu& cpu, const Frame& frame) {
  free_sent(std::exchange(frees_, 0));
  if (queue_.room() == 0) {
    simulation_.trace.emit(Frames{simulation_.now(), frame.flow, FrameEvent::dropped, 1});
    return;
  }
  queue_.put(frame);
  put_.add(frame.flow);
  domain_.platform().events()->send(cpu.index(), to_ring_);
}

}  // namespace vecusim
