// The template policy, for the tests that drive it.
#pragma once

#include "schedulers/catalogue.hpp"

namespace vecusim {

PolicyEntry policy_round_robin();

}  // namespace vecusim
