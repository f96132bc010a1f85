// The lines of an ftrace: where each part stands, and what the fields of an event are.
#include "analysis/read_ftrace.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>

#include "analysis/text_records.hpp"

namespace vecusim {
namespace {

constexpr int kSeconds = 12;
constexpr std::string_view kArrow = " ==> ";

/// What stands between records.
constexpr std::array<std::string_view, 6> kRemarks = {"#", "cpus=", "version", "CPU", "=>", "<stack trace>"};

struct KnownEvent {
  std::string_view name;
  FtraceEvent event;
};
constexpr std::array<KnownEvent, 9> kEvents = {{{"sched_switch", FtraceEvent::sched_switch},
                                                {"sched_wakeup", FtraceEvent::sched_wakeup},
                                                {"sched_waking", FtraceEvent::sched_wakeup},
                                                {"sched_wakeup_new", FtraceEvent::sched_wakeup},
                                                {"irq_handler_entry", FtraceEvent::irq_entry},
                                                {"irq_handler_exit", FtraceEvent::irq_exit},
                                                {"softirq_raise", FtraceEvent::softirq_raise},
                                                {"softirq_entry", FtraceEvent::softirq_entry},
                                                {"softirq_exit", FtraceEvent::softirq_exit}}};

template <class Integer>
bool parse(std::string_view text, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Text between two others, of which the first must be there; to the end if the second is not.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + before.size());
  return rest.substr(0, rest.find(after));
}

/// Takes a word and the blanks around it away.
std::string_view take_word(std::string_view& text) {
  text = without_blanks(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  text = without_blanks(text);
  return word;
}

/// "rt:812 [9] …", as trace-cmd writes a task: the name, the pid and the priority; and what follows.
struct ShortTask {
  std::string_view name;
  std::int32_t pid = 0;
  std::int32_t priority = 0;
  std::string_view rest;
};

std::optional<ShortTask> parse_short_task(std::string_view text) {
  const std::size_t open = text.find(" [");
  const std::size_t colon = text.rfind(':', open);
  const std::size_t close = text.find(']', open);
  if (open == std::string_view::npos || colon == std::string_view::npos || close == std::string_view::npos) return {};
  ShortTask task{text.substr(0, colon), 0, 0, text.substr(close + 1)};
  if (!parse(text.substr(colon + 1, open - colon - 1), task.pid)) return {};
  if (!parse(text.substr(open + 2, close - open - 2), task.priority)) return {};
  return task;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : lines_(text, name, "ftrace") {}

  FtraceReading read() {
    while (lines_.next()) read_line(without_blanks(lines_.line()));
    if (reading_.lost_events > 0) {
      lines_.warn_at_end("all events", std::to_string(reading_.lost_events) + " for which the ring had no room");
    }
    reading_.problems = lines_.take_problems();
    return std::move(reading_);
  }

 private:
  void read_line(std::string_view line) {
    if (line.empty()) return;
    if (line.starts_with("CPU:") && line.find("LOST") != std::string_view::npos) {
      reading_.lost_events += parse_number(between(line, "[LOST ", " ")).value_or(0);
      return;
    }
    if (std::any_of(kRemarks.begin(), kRemarks.end(), [&](auto start) { return line.starts_with(start); })) return;
    FtraceRecord record;
    record.line = lines_.number();
    std::string_view rest = line;
    if (!take_cpu(rest, record)) return lines_.bad(line, "TASK-PID [CPU] FLAGS TIME: EVENT: FIELDS");
    std::string_view stamp = take_word(rest);
    if (!stamp.ends_with(':')) stamp = take_word(rest);  // that was the flags
    const auto at = stamp.ends_with(':') ? parse_duration(stamp.substr(0, stamp.size() - 1), kSeconds) : std::nullopt;
    if (!at) return lines_.bad(stamp.empty() ? line : stamp, "a time in seconds, and a colon");
    record.at = *at;
    const std::string_view event = take_word(rest);
    read_event(event, rest, record);
  }

  /// Up to "[001]", which no part of a task's name before it looks like.
  static bool take_cpu(std::string_view& text, FtraceRecord& record) {
    for (std::size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
      const std::size_t close = text.find(']', open);
      if (close == std::string_view::npos) return false;
      if (parse(text.substr(open + 1, close - open - 1), record.cpu)) {
        text.remove_prefix(close + 1);
        return true;
      }
    }
    return false;
  }

  void read_event(std::string_view event, std::string_view fields, FtraceRecord record) {
    const std::string_view name = event.ends_with(':') ? event.substr(0, event.size() - 1) : "function";
    const auto known =
        std::find_if(kEvents.begin(), kEvents.end(), [&](const KnownEvent& each) { return each.name == name; });
    if (known == kEvents.end()) {
      constexpr std::size_t kMostNames = 1000;
      const bool kept = reading_.others.size() < kMostNames || reading_.others.contains(std::string(name));
      ++reading_.others[kept ? std::string(name) : "others"];
      return;
    }
    record.event = known->event;
    if (!read_fields(fields, record)) return lines_.bad(fields, "the fields of " + std::string(name));
    reading_.records.push_back(record);
  }

  bool read_fields(std::string_view fields, FtraceRecord& record) {
    switch (record.event) {
      case FtraceEvent::sched_switch:
        return read_switch(fields, record);
      case FtraceEvent::sched_wakeup:
        return read_wakeup(fields, record);
      case FtraceEvent::irq_entry:
      case FtraceEvent::irq_exit:
        record.name = intern(between(fields, "name=", "\n"));
        return parse(word_after(fields, "irq="), record.number);
      default:
        record.name = intern(between(fields, "action=", "]"));
        return parse(word_after(fields, "vec="), record.number);
    }
  }

  bool read_switch(std::string_view fields, FtraceRecord& record) {
    const std::size_t arrow = fields.find(kArrow);
    if (arrow == std::string_view::npos) return false;
    const std::string_view from = fields.substr(0, arrow);
    const std::string_view to = fields.substr(arrow + kArrow.size());
    std::string_view state;
    if (from.starts_with("prev_comm=")) {
      record.previous_name = intern(between(from, "prev_comm=", " prev_pid="));
      record.name = intern(between(to, "next_comm=", " next_pid="));
      state = word_after(from, "prev_state=");
      if (!parse(word_after(from, " prev_pid="), record.previous) ||
          !parse(word_after(to, " next_pid="), record.number) ||
          !parse(word_after(from, " prev_prio="), record.previous_priority) ||
          !parse(word_after(to, " next_prio="), record.priority)) {
        return false;
      }
    } else {
      const auto previous = parse_short_task(from);
      const auto next = parse_short_task(to);
      if (!previous || !next) return false;
      record.previous_name = intern(previous->name);
      record.name = intern(next->name);
      record.previous = previous->pid;
      record.number = next->pid;
      record.previous_priority = previous->priority;
      record.priority = next->priority;
      state = without_blanks(previous->rest);
    }
    if (!state.empty()) record.previous_state = state.front();
    return true;
  }

  bool read_wakeup(std::string_view fields, FtraceRecord& record) {
    if (fields.starts_with("comm=")) {
      record.name = intern(between(fields, "comm=", " pid="));
      return parse(word_after(fields, " pid="), record.number) &&
             parse(word_after(fields, " prio="), record.priority) &&
             parse(word_after(fields, "target_cpu="), record.target_cpu);
    }
    const auto task = parse_short_task(fields);
    if (!task) return false;
    record.name = intern(task->name);
    record.number = task->pid;
    record.priority = task->priority;
    return parse(word_after(task->rest, "CPU:"), record.target_cpu);
  }

  std::uint32_t intern(std::string_view name) {
    if (name.empty()) return 0;
    const auto found = indices_.find(name);
    if (found != indices_.end()) return found->second;
    const auto index = static_cast<std::uint32_t>(reading_.names.size());
    reading_.names.emplace_back(name);
    indices_.emplace(name, index);
    return index;
  }

  TextRecords lines_;
  FtraceReading reading_;
  std::map<std::string, std::uint32_t, std::less<>> indices_;
};

}  // namespace

FtraceReading read_ftrace(std::string_view text, const std::string& name) { return Reader{text, name}.read(); }

}  // namespace vecusim
