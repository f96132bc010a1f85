// Work beside Python's main thread: signals, progress, and who may hold the GIL when.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "analysis/limits.hpp"
#include "python-bindings/bindings.hpp"

namespace vecusim::bindings {

namespace {

constexpr auto kLook = std::chrono::milliseconds{50};

/// Work under way, and how far it is.
class Watched {
 public:
  Watched(unsigned jobs, const std::function<void(const Parallel&)>& work)
      : worker_([this, jobs, &work](const std::stop_token& stop) {
          try {
            work(Parallel{.threads = jobs, .stop = stop, .progress = [this](std::size_t done, std::size_t total) {
                            done_ = done;
                            total_ = total;
                          }});
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          finished_ = true;
          ended_.notify_all();
        }) {}

  /// True once the work has ended; waits for that no longer than kLook.
  bool wait() {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, kLook, [this] { return finished_; });
  }
  void stop() { worker_.request_stop(); }
  void finish() {
    worker_.join();
    if (failure_) std::rethrow_exception(failure_);
  }
  std::size_t done() const { return done_; }
  std::size_t total() const { return total_; }

 private:
  std::atomic<std::size_t> done_ = 0;
  std::atomic<std::size_t> total_ = 0;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool finished_ = false;
  std::jthread worker_;  // last: it uses the others
};

/// What Python has to be told or asked between two looks; throws what it raises.
void attend(const Watched& watched, const py::object& progress) {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (!progress.is_none() && watched.total() > 0) progress(watched.done(), watched.total());
}

}  // namespace

void watch(const py::object& progress, unsigned jobs, const std::function<void(const Parallel&)>& work) {
  require_within("jobs", jobs, 0, kMostThreads);
  std::optional<py::error_already_set> raised;
  {
    const py::gil_scoped_release released;
    Watched watched(jobs, work);
    while (!watched.wait()) {
      const py::gil_scoped_acquire acquired;
      if (raised) continue;
      try {
        attend(watched, progress);
      } catch (py::error_already_set& error) {
        raised.emplace(std::move(error));
        watched.stop();
      }
    }
    try {
      watched.finish();
    } catch (const Interrupted&) {
      if (!raised) throw;
    }
    if (!raised && !progress.is_none()) {
      const py::gil_scoped_acquire acquired;
      attend(watched, progress);
    }
  }
  if (raised) throw std::move(*raised);
}

void require_within(const char* name, std::optional<std::uint64_t> value, std::uint64_t lo, std::uint64_t hi) {
  if (!value || (*value >= lo && *value <= hi)) return;
  throw std::invalid_argument(std::string(name) + ": expected an integer from " + std::to_string(lo) + " to " +
                              std::to_string(hi) + ", found " + std::to_string(*value));
}

RunOptions options_of(std::optional<std::uint64_t> seed, std::optional<std::uint64_t> reps, const Parallel& parallel) {
  require_within("seed", seed, 0, kMostSeed);
  require_within("reps", reps, 1, kMostReplications);
  return {.seed = seed, .replications = reps, .parallel = parallel};
}

}  // namespace vecusim::bindings
