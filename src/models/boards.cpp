// The list of boards, one line each.
#include <array>

#include "models/board.hpp"

namespace vecusim {

BoardEntry board_core2();
BoardEntry board_file();
BoardEntry board_pi4();
BoardEntry board_vc3();
BoardEntry board_zcu104();

std::span<const BoardEntry> boards() {
  static const std::array kBoards = {board_pi4(), board_vc3(), board_zcu104(), board_core2(), board_file()};
  return kBoards;
}

}  // namespace vecusim
