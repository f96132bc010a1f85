// Trials on a pool of threads, reduced in the order of their indices: the outcome does not depend on the number of
// threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace vecusim {

/// Stopped by the user. The program ends with status 130.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// How trials are run; nothing here changes their outcome.
struct Parallel {
  /// 0: as many as the machine has.
  unsigned threads = 0;
  std::stop_token stop = {};
  /// Called after each trial has been reduced, by one thread at a time.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

/// Threads for `trials` trials: at least one.
unsigned threads_for(const Parallel& parallel, std::size_t trials);

/// The trials of one experiment under way. Use run_trials().
template <class Outcome, class Trial, class Reduce>
class TrialPool {
 public:
  TrialPool(std::size_t count, const Parallel& parallel, Trial& trial, Reduce& reduce)
      : count_(count), parallel_(parallel), trial_(trial), reduce_(reduce), threads_(threads_for(parallel, count)) {
    slots_.resize(threads_ * kAhead);
  }

  void run() {
    {
      std::vector<std::jthread> others;
      for (unsigned i = 1; i < threads_; ++i) others.emplace_back([this] { work(); });
      work();
    }
    if (error_) std::rethrow_exception(error_);
    if (reduced_ < count_) throw Interrupted();
  }

 private:
  /// Outcomes that may wait for an earlier trial, for each thread: what bounds the memory.
  static constexpr std::size_t kAhead = 4;

  struct Slot {
    std::optional<Outcome> outcome;
    std::exception_ptr error;
    bool full() const { return outcome || error; }
  };

  Slot& slot(std::size_t index) { return slots_[index % slots_.size()]; }

  void work() {
    while (true) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= count_ || !wait_for_slot(index)) return;
      Slot done;
      try {
        done.outcome.emplace(trial_(index));
      } catch (...) {
        done.error = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      slot(index) = std::move(done);
      reduce_ready();
    }
  }

  /// False if no further trial is to be begun.
  bool wait_for_slot(std::size_t index) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return index < reduced_ + slots_.size() || stopped_; });
    if (parallel_.stop.stop_requested()) stop();
    return !stopped_;
  }

  // Trials begin in the order of their indices, so all before a failed one have begun and will be here: the error that
  // is thrown is that of the first trial that fails, whatever the number of threads.
  void reduce_ready() {
    while (!error_ && reduced_ < count_ && slot(reduced_).full()) {
      Slot ready = std::exchange(slot(reduced_), {});
      try {
        if (ready.error) std::rethrow_exception(ready.error);
        reduce_(reduced_, std::move(*ready.outcome));
        ++reduced_;
        if (parallel_.progress) parallel_.progress(reduced_, count_);
      } catch (...) {
        error_ = std::current_exception();
        stop();
      }
    }
    room_.notify_all();
  }

  void stop() {
    stopped_ = true;
    room_.notify_all();
  }

  const std::size_t count_;
  const Parallel& parallel_;
  Trial& trial_;
  Reduce& reduce_;
  const unsigned threads_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // guards the rest
  std::condition_variable room_;
  std::vector<Slot> slots_;
  std::size_t reduced_ = 0;
  bool stopped_ = false;
  std::exception_ptr error_;
};

/// Calls `trial(index)` for 0 … count - 1, on several threads at once, and `reduce(index, outcome)` in the order of the
/// indices, by one thread at a time, as soon as an outcome and all before it are there. What a trial or a reduction
/// throws is thrown here, that of the lowest index if several do. Throws Interrupted if not all trials were begun
/// because `parallel.stop` was requested.
template <class Trial, class Reduce>
void run_trials(std::size_t count, const Parallel& parallel, Trial trial, Reduce reduce) {
  using Outcome = std::invoke_result_t<Trial&, std::size_t>;
  TrialPool<Outcome, Trial, Reduce>(count, parallel, trial, reduce).run();
}

}  // namespace vecusim
