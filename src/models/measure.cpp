// The fields of what is measured and what it must meet.
#include "models/measure.hpp"

#include <array>

namespace vecusim {

namespace {
constexpr std::array kFrom = {
    Option{"producer", "where the producer hands a frame to its bus; only of interrupts with a frame"},
    Option{"edge",
           "the input edge at the pin, where the device's line rises, or the time for which a task's timer was set"},
    Option{"kernel", "the time stamp of the kernel's handler"}};
constexpr auto kFirstEnd = static_cast<std::size_t>(Point::kernel);
constexpr std::array kTo = {Option{"kernel", "the time stamp of the kernel's handler"},
                            Option{"user", "the clock read by the user program"},
                            Option{"response", "the output edge, as the stimulus generator sees it"}};
constexpr std::array kClocks = {Option{"stimulus", "the stimulus generator's clock"},
                                Option{"target", "the target's counter"}};
constexpr std::array kLateAnswers = {
    Option{"separate", "reported apart"},
    Option{"counted", "counted against the oldest unanswered stimulus, as a bench without sequence numbers does"}};
}  // namespace

std::string_view word_of(Point point) {
  return point <= Point::edge ? kFrom[static_cast<std::size_t>(point)].name
                              : kTo[static_cast<std::size_t>(point) - kFirstEnd].name;
}

void MeasureConfig::fields(FieldVisitor& visit) {
  auto last = static_cast<std::size_t>(to) - kFirstEnd;  // a latency cannot end at the input edge
  visit.choice({"from", "where the latency begins"}, from, kFrom);
  visit.choice({"to", "where it ends"}, last, std::span<const Option>(kTo));
  to = static_cast<Point>(last + kFirstEnd);
  visit.choice({"clock", "whose clock measures"}, clock, kClocks);
  visit.choice({"late_answer", "how an answer after the next stimulus is counted"}, late_answer, kLateAnswers);
  visit.require(from < to, "to", "a point behind `from`");
  // One clock sees both ends: two free-running ones drift apart by tens of ppm, which is more than what is measured.
  // Whether the target's sees the beginning depends on the source (check()).
  visit.require(clock == MeasureClock::target || from <= Point::edge, "clock",
                "\"target\": the stimulus generator's clock cannot see the kernel");
  visit.require(clock == MeasureClock::stimulus || to != Point::response, "to",
                "\"kernel\" or \"user\": the target's clock cannot see the output edge arrive");
}

void RequirementConfig::fields(FieldVisitor& visit) {
  visit.duration({"limit_us", "the latency that may not be exceeded", true}, limit, at_least(Duration{1}));
  visit.number({"percentile", "the share of answers within the limit, in percent; 100: all of them"}, percentile,
               {1.0, 100.0});
  visit.text({"asil", "the ASIL the requirement comes with, carried into reports"}, asil);
  visit.require(asil.empty() || asil == "QM" || asil == "A" || asil == "B" || asil == "C" || asil == "D", "asil",
                "QM, A, B, C or D");
}

}  // namespace vecusim
