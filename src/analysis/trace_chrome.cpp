// Chrome's trace events, as ui.perfetto.dev and chrome://tracing read them: a process for the pCPUs, for each domain
// and for the interrupts, in them a thread for each row and, of flights, for each lane.
#include <map>
#include <utility>

#include "analysis/result.hpp"
#include "analysis/trace_format.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

using Kind = TimelineEntry::Kind;
using RowKind = Timeline::RowKind;
using State = Timeline::State;

class ChromeWriter {
 public:
  ChromeWriter(const Timeline& timeline, TextStream& out) : timeline_(timeline), out_(out) {
    for (const std::string& name : timeline.names) quoted_.push_back(json::quoted(name));
  }

  void write() {
    head();
    for (std::uint32_t row = 0; row < timeline_.rows.size(); ++row) thread_of(row, 0);
    for (const Timeline::Flight& flight : timeline_.flights) thread_of(flight.row, flight.lane);
    for (const TimelineEntry& entry : by_time(timeline_)) write(entry);
    out_ << "\n]}\n";
  }

 private:
  struct Thread {
    std::uint32_t process;
    std::uint32_t thread;
  };

  void head() {
    out_ << R"({"displayTimeUnit":"ns","otherData":{"creator":)"
         << json::quoted("vecusim " + std::string(tool_version())) << R"(,"title":)" << json::quoted(timeline_.title)
         << R"(,"seed":)" << timeline_.seed << R"(,"replication":)" << timeline_.replication << R"(,"from_us":)";
    out_.us(timeline_.from_ps) << R"(,"to_us":)";
    out_.us(timeline_.to_ps) << R"(,"records_not_kept":)" << timeline_.cut << "},\n\"traceEvents\":[";
  }

  void separate() {
    out_ << (first_ ? "\n" : ",\n");
    first_ = false;
  }

  // ---- Who is who ----

  void meta(std::string_view what, const Thread& thread, std::string_view argument, std::string_view value) {
    separate();
    out_ << R"({"ph":"M","name":")" << what << R"(","pid":)" << thread.process << R"(,"tid":)" << thread.thread
         << R"(,"args":{")" << argument << R"(":)" << value << "}}";
  }

  /// In the order in which they are first asked for, which is that of the rows.
  std::uint32_t process_of(const Timeline::Row& row) {
    std::string name = std::string(timeline_.name(row.domain));
    if (row.kind == RowKind::pcpu) name = "pCPUs";
    if (row.kind == RowKind::interrupt) name = "interrupts";
    const auto [known, added] = processes_.try_emplace(name, static_cast<std::uint32_t>(processes_.size() + 1));
    if (added) {
      meta("process_name", {known->second, 0}, "name", json::quoted(name));
      meta("process_sort_index", {known->second, 0}, "sort_index", std::to_string(known->second));
    }
    return known->second;
  }

  const Thread& thread_of(std::uint32_t row, std::uint32_t lane) {
    const auto known = threads_.find({row, lane});
    if (known != threads_.end()) return known->second;
    const Timeline::Row& shown = timeline_.rows[row];
    std::string name(timeline_.name(shown.name));
    if (shown.kind == RowKind::guest) name += " inside";
    if (lane > 0) name += " (" + std::to_string(lane + 1) + ")";
    const Thread added{process_of(shown), static_cast<std::uint32_t>(threads_.size() + 1)};
    meta("thread_name", added, "name", json::quoted(name));
    meta("thread_sort_index", added, "sort_index", std::to_string(row * 1000 + lane));
    return threads_.emplace(std::pair(row, lane), added).first->second;
  }

  // ---- Events ----

  void begin(std::string_view phase, const Thread& thread, std::int64_t at_ps, std::string_view category) {
    separate();
    out_ << R"({"ph":")" << phase << R"(","pid":)" << thread.process << R"(,"tid":)" << thread.thread << R"(,"ts":)";
    out_.us(at_ps) << R"(,"cat":")" << category << '"';
  }

  void complete(const Thread& thread, std::int64_t from_ps, std::int64_t to_ps, std::string_view category) {
    begin("X", thread, from_ps, category);
    out_ << R"(,"dur":)";
    out_.us(to_ps - from_ps);
  }

  void write(const TimelineEntry& entry) {
    switch (entry.kind) {
      case Kind::flight:
        return write(timeline_.flights[entry.index]);
      case Kind::stage:
        return write(timeline_.flights[entry.index], timeline_.flights[entry.index].stages[entry.stage]);
      case Kind::interval:
        return write(timeline_.intervals[entry.index]);
      case Kind::instant:
        return write(timeline_.instants[entry.index]);
    }
  }

  void write(const Timeline::Flight& flight) {
    complete(thread_of(flight.row, flight.lane), flight.begin_ps, flight.end_ps, "flight");
    const std::string name =
        std::string(timeline_.name(timeline_.rows[flight.row].name)) + " " + std::to_string(flight.number);
    out_ << R"(,"name":)" << json::quoted(name) << R"(,"args":{"fate":")" << name_of(flight.fate) << "\"}}";
  }

  void write(const Timeline::Flight& flight, const Timeline::Stage& stage) {
    complete(thread_of(flight.row, flight.lane), stage.begin_ps, stage.end_ps, "stage");
    out_ << R"(,"name":)" << quoted_[stage.name] << R"(,"args":{)";
    if (flight.fate == Timeline::Fate::answered) {
      out_ << R"("service_us":)";
      out_.us(stage.service_ps);
      for (std::size_t kind = 0; kind < kWaits; ++kind) {
        if (stage.waits_ps[kind] == 0) continue;
        out_ << R"(,"wait_)" << kWaitNames[kind] << R"(_us":)";
        out_.us(stage.waits_ps[kind]);
      }
      if (stage.longest_for != 0) out_ << R"(,"longest_for":)" << quoted_[stage.longest_for];
    }
    out_ << "}}";
  }

  // A vCPU that is not runnable is a gap.
  void write(const Timeline::Interval& interval) {
    const bool of_vcpu = timeline_.rows[interval.row].kind == RowKind::vcpu;
    if (interval.state == State::blocked || interval.state == State::offline) return;
    complete(thread_of(interval.row, 0), interval.begin_ps, interval.end_ps, name_of(interval.state));
    out_ << R"(,"name":)";
    if (of_vcpu && interval.wait) {
      out_ << '"' << name_of(interval.state) << ": " << kWaitNames[static_cast<std::size_t>(*interval.wait)] << '"';
    } else if (of_vcpu || interval.state == State::hypervisor || interval.what == 0) {
      out_ << '"' << name_of(interval.state) << '"';
    } else {
      out_ << quoted_[interval.what];
    }
    if (interval.what != 0) {
      const bool place = interval.state == State::running;
      out_ << R"(,"args":{")" << (place ? "on" : "for") << R"(":)" << quoted_[interval.what] << '}';
    }
    out_ << '}';
  }

  void write(const Timeline::Instant& instant) {
    begin("i", thread_of(instant.row, 0), instant.at_ps, name_of(instant.mark));
    std::string name(name_of(instant.mark));
    if (instant.mark == Timeline::Mark::interrupt) name += " " + std::to_string(instant.number);
    if (instant.mark == Timeline::Mark::refused) name = "refused by the rate limit";
    out_ << R"(,"s":"t","name":")" << name << '"';
    if (instant.what != 0) out_ << R"(,"args":{"for":)" << quoted_[instant.what] << '}';
    out_ << '}';
  }

  const Timeline& timeline_;
  TextStream& out_;
  bool first_ = true;
  std::vector<std::string> quoted_;
  std::map<std::string, std::uint32_t> processes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Thread> threads_;
};

}  // namespace

void write_chrome(const Timeline& timeline, TextStream& out) { ChromeWriter(timeline, out).write(); }

}  // namespace vecusim
