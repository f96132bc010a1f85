// The numbers that a result has, by the paths under which sweeps name them.
#pragma once

#include "system/json_node.hpp"

namespace vecusim {

/// A list of {name, title}. INTERRUPT, STAGE and DOMAIN stand for a scenario's own names.
json::Node metric_list();

}  // namespace vecusim
