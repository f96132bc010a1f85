// The page of reports that the program and Python's module carry, without a model in it yet.
#pragma once

#include <string_view>

namespace vecusim {

/// Empty if this was built without the charting library.
std::string_view report_page();

}  // namespace vecusim
