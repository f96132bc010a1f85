// A plain table for a terminal.
#pragma once

#include <string>
#include <vector>

namespace vecusim {

/// Columns as wide as they need to be, two blanks apart; a column whose fields below the heading are all numbers (or
/// empty) is flush right. Ends with a line end.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace vecusim
