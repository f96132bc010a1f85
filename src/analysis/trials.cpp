// How many threads.
#include "analysis/trials.hpp"

#include <algorithm>

namespace vecusim {

unsigned threads_for(const Parallel& parallel, std::size_t trials) {
  const unsigned wanted = parallel.threads > 0 ? parallel.threads : std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::size_t>(trials, 1, wanted));
}

}  // namespace vecusim
