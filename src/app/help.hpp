// The help texts: of the program, and of one verb.
#pragma once

#include <string>

#include "app/commands.hpp"

namespace vecusim {

/// Both are made for 100 columns and end with a line end.
std::string overview();
std::string help(const Verb& verb);

/// `vecusim VERB OPERANDS`.
std::string usage_line(const Verb& verb);

}  // namespace vecusim
