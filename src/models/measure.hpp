// What the bench calls latency: between which two points of the path it is measured, and how late answers are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/fields.hpp"

namespace vecusim {

/// A point of an interrupt's path. `producer` is where a frame is handed to its bus, `edge` the input edge at the pin,
/// where a device's line rises, or the time for which a task's timer was set, `kernel` the handler's time stamp, `user`
/// the user program's clock read, `response` the output edge at the stimulus generator.
enum class Point : std::uint8_t { producer, edge, kernel, user, response };
/// Whose clock measures: the stimulus generator's sees both edges, the target's sees kernel and user.
enum class MeasureClock : std::uint8_t { stimulus, target };
/// An answer after the next stimulus is reported apart, or counted against the oldest unanswered stimulus, as a bench
/// without sequence numbers does.
enum class LateAnswer : std::uint8_t { separate, counted };

/// The word for a point, as scenarios have it.
std::string_view word_of(Point point);

struct MeasureConfig {
  Point from = Point::edge;
  Point to = Point::response;
  MeasureClock clock = MeasureClock::stimulus;
  LateAnswer late_answer = LateAnswer::separate;

  void fields(FieldVisitor& visit);
};

/// What the latency must meet.
struct RequirementConfig {
  Duration limit = 1ms;
  /// The share of answers, in percent, that must be within the limit; 100 means all.
  double percentile = 100.0;
  /// The ASIL the requirement comes with: QM, A, B, C or D. Carried into reports as given.
  std::string asil;

  void fields(FieldVisitor& visit);
};

}  // namespace vecusim
