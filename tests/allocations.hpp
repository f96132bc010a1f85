// Counts the calls of operator new in this test program.
#pragma once

#include <cstdint>

namespace vecusim::test {

/// Calls so far of any form of operator new, on all threads.
std::uint64_t allocations();

}  // namespace vecusim::test
