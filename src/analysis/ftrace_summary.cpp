// Entries matched with exits, and wake-ups with switches.
#include "analysis/ftrace_summary.hpp"

#include <optional>
#include <tuple>

namespace vecusim {
namespace {

using Series = std::map<std::string, std::vector<LatencyCount>>;

struct Entered {
  Duration at;
  std::uint32_t name;
};

class Summarizer {
 public:
  explicit Summarizer(const FtraceReading& trace) : trace_(trace) {}

  FtraceSummary summarize() {
    for (const FtraceRecord& record : trace_.records) take(record);
    FtraceSummary summary;
    fill(summary.wakeups, wakeups_);
    fill(summary.handlers, handlers_);
    fill(summary.softirqs, softirqs_);
    return summary;
  }

 private:
  void take(const FtraceRecord& record) {
    switch (record.event) {
      case FtraceEvent::sched_wakeup:
        woken_.try_emplace(record.number, record.at);
        break;
      case FtraceEvent::sched_switch:
        switch_to(record);
        break;
      case FtraceEvent::irq_entry:
      case FtraceEvent::softirq_entry:
        entered_[key(record)] = {record.at, record.name};
        break;
      case FtraceEvent::irq_exit:
        leave(record, FtraceEvent::irq_entry, "irq " + std::to_string(record.number) + " ", handlers_);
        break;
      case FtraceEvent::softirq_exit:
        leave(record, FtraceEvent::softirq_entry, "softirq ", softirqs_);
        break;
      case FtraceEvent::softirq_raise:
        break;
    }
  }

  using Key = std::tuple<std::uint16_t, FtraceEvent, std::int32_t>;
  static Key key(const FtraceRecord& record) { return {record.cpu, record.event, record.number}; }

  void switch_to(const FtraceRecord& record) {
    // Woken while it still ran: it never left.
    woken_.erase(record.previous);
    const auto woken = woken_.find(record.number);
    if (woken == woken_.end()) return;
    add(wakeups_, trace_.names[record.name] + "-" + std::to_string(record.number), record.at - woken->second);
    woken_.erase(woken);
  }

  void leave(const FtraceRecord& record, FtraceEvent entry, const std::string& what, Series& series) {
    Key key{record.cpu, entry, record.number};
    const auto entered = entered_.find(key);
    if (entered == entered_.end()) return;
    add(series, what + trace_.names[entered->second.name], record.at - entered->second.at);
    entered_.erase(entered);
  }

  static void add(Series& series, const std::string& name, Duration length) {
    if (length >= Duration{}) series[name].push_back({length, 1});
  }

  static void fill(LatencyReading& reading, Series& series) {
    reading.step = 2us;  // two stamps of a microsecond each
    for (auto& [name, counts] : series) reading.series.push_back({name, std::move(counts)});
  }

  const FtraceReading& trace_;
  std::map<std::int32_t, Duration> woken_;
  std::map<Key, Entered> entered_;
  Series wakeups_;
  Series handlers_;
  Series softirqs_;
};

}  // namespace

FtraceSummary summarize(const FtraceReading& trace) { return Summarizer{trace}.summarize(); }

}  // namespace vecusim
