// LinuxPath: writes a kernel's stages into an interrupt's path.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/board.hpp"
#include "models/path_builder.hpp"

namespace vecusim {

class Linux;
struct LinuxRoute;
struct TaskConfig;
enum class LinuxCode : std::uint8_t;

/// The name of a piece of code, of its stage and of its cost.
std::string_view name_of(LinuxCode code);
/// The code of a task's own thinking.
LinuxCode logic_of(const TaskConfig& task);
/// What the program of a route does from its wake-up on.
std::vector<LinuxCode> program_of(const LinuxRoute& route);

/// One leg of a route: what one interrupt or one thread of the kernel sets going.
class LinuxPath {
 public:
  /// Names of the leg's stages begin with `prefix`.
  LinuxPath(Linux& kernel, LinuxRoute& route, PathBuilder& path, std::string prefix);

  /// From the interrupt to the thread that it wakes.
  void arrival(InterruptSource source);
  /// The handler does no more than to hand the interrupt of somebody else's device on.
  void pass_through();
  /// From the CPU's timer to the thread that it is for.
  void expiry();
  /// … and to the clock read of the thread that slept on it.
  void sleep();
  /// One thread wakes another one.
  void hand_over();
  /// An interrupt that is not simulated but for its end wakes a thread: Linux::wake_by_interrupt().
  void hand_over_by_interrupt();
  void program();
  void capture();

  void then(LinuxCode code);
  /// Its number in the kernel: Flight::leg of whoever is on it.
  std::uint16_t number() const { return static_cast<std::uint16_t>(leg_); }

 private:
  void hops(StageId handler);
  void overtaken(std::size_t first, StageId sent);
  void entry(const std::vector<StageId>& earlier = {});
  void wake_up(LinuxCode idle, LinuxCode guest);
  void maybe(LinuxCode code, const std::string& when, const std::string& otherwise);
  void also_from(LinuxCode code, const std::string& when);
  StageId& stage_of(LinuxCode code);
  Stage stage(LinuxCode code) const;

  Linux& kernel_;
  LinuxRoute& route_;
  PathBuilder& path_;
  std::string prefix_;
  std::size_t leg_;
};

}  // namespace vecusim
