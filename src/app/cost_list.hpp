// What every number in the cost tables is and where it comes from.
#pragma once

#include "system/json_node.hpp"

namespace vecusim {

/// A list of {name, table, value, unit, range, provenance, source}, by table and then as in its file; `value` is a law
/// where the cost is one. Throws InvalidInput if a table of ours cannot be read.
json::Node cost_list();

}  // namespace vecusim
