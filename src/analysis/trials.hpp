// Trials on a pool of threads, reduced in the order of their indices: the outcome does not depend on the number of
// threads.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>

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

}  // namespace vecusim
