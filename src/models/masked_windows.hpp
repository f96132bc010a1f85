// MaskedWindows: sections of code in which nothing can interrupt; what somebody finds who arrives at a random moment.
#pragma once

#include "engine/simulation.hpp"
#include "models/costs.hpp"

namespace vecusim {

/// Windows of a given law that open at Poisson times. They are not simulated one by one: an arrival that finds none
/// under way draws whether there is one and how long it still lasts, by the law of the residual life; later arrivals
/// find the same one.
class MaskedWindows {
 public:
  MaskedWindows(Simulation& simulation, std::string_view use, double per_s, const Law& law);

  /// What is left of the window that covers now; zero if there is none. One draw, unless a window is known to be under
  /// way.
  Duration residual();

 private:
  Simulation* simulation_;
  RandomStream stream_;
  Distribution residual_;
  double share_;  // of all time
  Time until_{};
};

}  // namespace vecusim
