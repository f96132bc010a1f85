// The list of boards, one line each.
#include <array>

#include "models/board.hpp"

namespace vecusim {

BoardEntry board_pi4();

std::span<const BoardEntry> boards() {
  static const std::array kBoards = {board_pi4()};
  return kBoards;
}

}  // namespace vecusim
