// 128-bit integers: sums of picoseconds over many replications, and of their squares, stay exact.
#pragma once

#include "engine/time.hpp"

namespace vecusim {

__extension__ typedef unsigned __int128 Wide;  // NOLINT(modernize-use-using): `__extension__` needs the old form

/// `time` must not be negative.
constexpr Wide wide(Duration time) { return static_cast<Wide>(time.count()); }

}  // namespace vecusim
