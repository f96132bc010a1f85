// How a Cpu shares itself among its works.
#include "engine/cpu.hpp"

#include <cassert>

namespace vecusim {

Cpu::Cpu(EventQueue& queue, const Trace& trace, CpuId id)
    : queue_(&queue), trace_(&trace), id_(id), end_(queue, Delegate<void()>::to<&Cpu::finish>(*this)) {}

void Cpu::submit(Work& work) {
  insert(work, false);
  dispatch();
}

void Cpu::go_on(Work& work) {
  insert(work, true);
  dispatch();
}

void Cpu::insert(Work& work, bool front) {
  assert(!work.submitted);
  work.submitted = true;
  Work** link = &first_;
  while (*link != nullptr && ((*link)->level < work.level || (!front && (*link)->level == work.level))) {
    link = &(*link)->next;
  }
  work.next = *link;
  *link = &work;
}

void Cpu::withdraw(Work& work) {
  if (!work.submitted) return;
  if (served_ == &work) {
    preempt();
    put_down(work);
  }
  Work** link = &first_;
  while (*link != &work) {
    assert(*link != nullptr);  // submitted to another Cpu
    link = &(*link)->next;
  }
  *link = work.next;
  work.next = nullptr;
  work.submitted = false;
  dispatch();
}

void Cpu::halt(Wait kind, Party for_whom) {
  const bool news = !halted_ || halt_kind_ != kind || halt_for_ != for_whom;
  halted_ = true;
  halt_kind_ = kind;
  halt_for_ = for_whom;
  if (news) trace_->emit(Halted{queue_->now(), id_, kind, for_whom});
  if (served_ != nullptr) preempt();
  if (!settling_) {
    book_waits();
    announce();
  }
}

void Cpu::resume() {
  if (halted_) trace_->emit(Halted{queue_->now(), id_, std::nullopt, Party::nobody});
  halted_ = false;
  dispatch();
}

// Serves the first in the list if it is more urgent than what is served now, and books what the others wait for.
void Cpu::dispatch() {
  if (settling_) return;
  if (!halted_ && first_ != nullptr && (served_ == nullptr || first_->level < served_->level)) {
    Work& next = *first_;
    first_ = next.next;
    next.next = nullptr;
    if (served_ != nullptr) preempt();
    serve(next);
  }
  book_waits();
  announce();
}

void Cpu::serve(Work& work) {
  served_ = &work;
  if (!work.begun) {
    work.begun = true;
    if (work.begin) work.demand = work.begin();
  }
  if (work.account != nullptr) work.account->serve(queue_->now());
  end_.arm_in(work.demand);
  if (work.served) work.served(true);
  if (work.carries != nullptr) work.carries->resume();
}

// A work that has left: what its carried processor waits for now is for the owner to say.
void Cpu::put_down(Work& work) {
  if (work.carries != nullptr) work.carries->halt(Wait::queue, Party::nobody);
}

// The served work goes back to the front of its level, with what is left of its demand.
void Cpu::preempt() {
  Work& work = *served_;
  work.demand = end_.due() - queue_->now();
  end_.disarm();
  served_ = nullptr;
  if (work.served) work.served(false);
  work.submitted = false;
  insert(work, true);
}

void Cpu::finish() {
  Work& work = *served_;
  served_ = nullptr;
  work.demand = Duration::zero();
  work.submitted = false;
  work.begun = false;
  if (work.served) work.served(false);
  put_down(work);
  settling_ = true;
  if (work.done) work.done();
  settling_ = false;
  dispatch();
}

void Cpu::book_waits() {
  for (Work* work = first_; work != nullptr; work = work->next) {
    if (work->account == nullptr && work->carries == nullptr) continue;
    if (!halted_ && served_ == nullptr) continue;
    const Wait kind = halted_ ? halt_kind_ : served_->inflicts;
    const Party for_whom = halted_ ? halt_for_ : served_->party;
    if (work->account != nullptr) work->account->wait(queue_->now(), kind, for_whom);
    if (work->carries != nullptr) work->carries->halt(kind, for_whom);
  }
}

void Cpu::announce() {
  const Context context = served_ == nullptr ? Context::idle : served_->context;
  const Party party = served_ == nullptr ? Party::nobody : served_->party;
  if (context == announced_context_ && party == announced_party_) return;
  announced_context_ = context;
  announced_party_ = party;
  trace_->emit(Occupied{queue_->now(), id_, context, party});
}

}  // namespace vecusim
