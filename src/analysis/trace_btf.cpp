// Best Trace Format 2.1.3: what processes, cores and stimuli did, one line per event.
//
// The format knows no hypervisor. A vCPU is a task (T): activated when it wakes, terminated when it blocks, preempted
// while it waits or the hypervisor works on its core. The hypervisor's work on a core is an interrupt service routine
// (ISR). What is executed inside a vCPU are runnables (R) within its task. Without vCPUs the kernel's interrupts and
// softirqs are ISRs, and its threads tasks. A stimulus is an STI. A task or runnable of which no more is seen before
// its processor idles has ended; before that it is preempted, or suspended.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/result.hpp"
#include "analysis/trace_format.hpp"

namespace vecusim {

namespace {

using RowKind = Timeline::RowKind;
using State = Timeline::State;
using Name = Timeline::Name;

/// A stretch of time in which something is executed without a break.
struct Piece {
  std::int64_t begin_ps;
  std::int64_t end_ps;
  std::string_view type;
  Name who;  ///< an index into the writer's entities, as `on`
  Name on;
  std::string_view note = {};
  bool first = true;
  bool last = true;
  std::uint64_t instance = 0;
  /// Why a vCPU is preempted at the end.
  std::optional<Wait> wait = {};
};

/// Commas separate fields.
std::string plain(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), ',', ';');
  return result;
}

class BtfWriter {
 public:
  BtfWriter(const Timeline& timeline, TextStream& out) : timeline_(timeline), out_(out) {
    of_row_.resize(timeline.rows.size());
    for (const Timeline::Interval& interval : timeline.intervals) of_row_[interval.row].push_back(&interval);
  }

  void write() {
    for (std::uint32_t row = 0; row < timeline_.rows.size(); ++row) {
      if (timeline_.rows[row].kind == RowKind::vcpu) add_vcpu(row);
    }
    for (std::uint32_t row = 0; row < timeline_.rows.size(); ++row) {
      if (timeline_.rows[row].kind == RowKind::guest) add_inside(row);
      if (timeline_.rows[row].kind == RowKind::pcpu) add_core(row);
    }
    add_stimuli();
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
      return std::tuple(a.at_ps, a.order) < std::tuple(b.at_ps, b.order);
    });
    out_ << "#version 2.1.3\n#creator vecusim " << tool_version() << "\n#timeScale ps\n";
    for (const Line& line : lines_) write(line);
  }

 private:
  /// What ends at a moment ends from the inside out, then things begin from the outside in.
  enum class Order : std::uint8_t { inner_end, end, trigger, begin, inner_begin };
  struct Line {
    std::int64_t at_ps;
    Order order;
    Name source;
    std::uint64_t source_instance;
    std::string_view type;
    Name target;
    std::uint64_t instance;
    std::string_view event;
    std::string_view note;
  };

  Name entity(const std::string& name) {
    const auto [known, added] = by_name_.try_emplace(name, static_cast<Name>(entities_.size()));
    if (added) entities_.push_back(name);
    return known->second;
  }
  Name named(Name name) { return entity(plain(timeline_.name(name))); }
  /// Readers know cores by how their names begin.
  Name core(Name pcpu) { return entity("Core_" + plain(timeline_.name(pcpu))); }

  void add(const Piece& piece, std::uint64_t source_instance) {
    const bool inner = piece.type == "R";
    const auto line = [&](std::int64_t at_ps, Order order, std::string_view event, std::string_view note) {
      lines_.push_back({at_ps, order, piece.on, source_instance, piece.type, piece.who, piece.instance, event, note});
    };
    line(piece.begin_ps, inner ? Order::inner_begin : Order::begin, piece.first ? "start" : "resume", piece.note);
    if (piece.end_ps >= timeline_.to_ps) return;
    const std::string_view reason =
        piece.wait && !piece.last ? kWaitNames[static_cast<std::size_t>(*piece.wait)] : std::string_view{};
    if (inner) {
      line(piece.end_ps, Order::inner_end, piece.last ? "stop" : "suspend", {});
    } else {
      line(piece.end_ps, Order::end, piece.last ? "terminate" : "preempt", reason);
    }
  }

  void activate(std::int64_t at_ps, Name source, const Piece& piece) {
    lines_.push_back({at_ps, Order::trigger, source, 0, piece.type, piece.who, piece.instance, "activate", {}});
  }

  // ---- vCPUs: from waking up to blocking they are one instance ----

  void add_vcpu(std::uint32_t row) {
    std::vector<Piece>& pieces = vcpus_[timeline_.rows[row].name];
    const Name vcpu = named(timeline_.rows[row].name);
    const Name scheduler = entity("scheduler");
    std::optional<std::int64_t> woken;
    for (const Timeline::Interval* interval : of_row_[row]) {
      if (interval->state == State::blocked || interval->state == State::offline) {
        woken.reset();
        continue;
      }
      if (!woken) woken = interval->begin_ps;
      const bool before = !pieces.empty() && pieces.back().end_ps > *woken;
      if (interval->state == State::running && !interval->wait) {
        Piece piece{interval->begin_ps, interval->end_ps, "T", vcpu, core(interval->what)};
        piece.first = !before;
        if (before) pieces.back().last = false;
        piece.instance = before ? pieces.back().instance : ++instances_[vcpu];
        if (!before) activate(*woken, scheduler, piece);
        pieces.push_back(piece);
      } else if (before && (interval->state == State::runnable || !pieces.back().wait)) {
        pieces.back().wait = interval->wait;
      }
    }
    if (woken && !pieces.empty()) pieces.back().last = false;  // it is not seen to block
    for (const Piece& piece : pieces) add(piece, 0);
  }

  // ---- What is executed on a processor ----

  Piece piece_of(const Timeline::Interval& interval, Name on, bool inside) {
    Piece piece{interval.begin_ps, interval.end_ps, "R", named(interval.what), on, name_of(interval.state)};
    if (inside) return piece;
    const bool task = interval.state == State::user || interval.state == State::kernel;
    piece.type = task ? "T" : "ISR";
    if (interval.state == State::hypervisor) piece.who = entity("hypervisor on " + entities_[on]);
    return piece;
  }

  /// What a row executes, with instances, and where each begins and ends. `idles(from, to)`: whether the processor has
  /// had nothing to do at some time between, though it was free.
  template <class Idles>
  std::vector<Piece> pieces_of(std::uint32_t row, Name on, bool inside, Idles idles) {
    std::vector<Piece> pieces;
    std::map<Name, std::size_t> open;  // tasks and runnables since the processor idled: their last pieces
    for (const Timeline::Interval* interval : of_row_[row]) {
      if (interval->state == State::guest) continue;  // is on the vCPU's row
      const Piece piece = piece_of(*interval, on, inside);
      if (!pieces.empty() && idles(pieces.back().end_ps, piece.begin_ps)) open.clear();
      if (!pieces.empty() && pieces.back().end_ps == piece.begin_ps && pieces.back().who == piece.who) {
        pieces.back().end_ps = piece.end_ps;
        continue;
      }
      pieces.push_back(piece);
      Piece& added = pieces.back();
      const auto before = open.find(piece.who);
      added.first = before == open.end() || piece.type == "ISR" ||
                    (is_handler(*interval) && before->second + 1 != pieces.size() - 1);
      if (!added.first) pieces[before->second].last = false;
      added.instance = added.first ? ++instances_[piece.who] : pieces[before->second].instance;
      open[piece.who] = pieces.size() - 1;
    }
    return pieces;
  }

  /// A handler that is followed by something else has ended.
  static bool is_handler(const Timeline::Interval& interval) {
    return interval.state == State::irq || interval.state == State::softirq;
  }

  // A vCPU that is preempted executes nothing, and does not idle either.
  void add_inside(std::uint32_t row) {
    const std::vector<Piece>& runs = vcpus_[timeline_.rows[row].name];
    const auto run_at = [&](std::int64_t at_ps) {
      return std::partition_point(runs.begin(), runs.end(), [&](const Piece& run) { return run.end_ps <= at_ps; });
    };
    const auto idles = [&](std::int64_t from_ps, std::int64_t to_ps) {
      const auto before = run_at(from_ps - 1);
      const auto next = run_at(from_ps);
      const bool blocked = before == runs.end() || next == runs.end() || before->instance != next->instance;
      return blocked || (next->begin_ps < to_ps && from_ps < to_ps);
    };
    for (const Piece& piece : pieces_of(row, named(timeline_.rows[row].name), true, idles)) {
      const auto run = run_at(piece.begin_ps);
      add(piece, run == runs.end() ? 0 : run->instance);
    }
  }

  void add_core(std::uint32_t row) {
    const Name on = core(timeline_.rows[row].name);
    const auto idles = [](std::int64_t from_ps, std::int64_t to_ps) { return from_ps < to_ps; };
    for (const Piece& piece : pieces_of(row, on, false, idles)) {
      if (piece.first) activate(piece.begin_ps, on, piece);
      add(piece, 0);
    }
  }

  void add_stimuli() {
    for (const Timeline::Instant& instant : timeline_.instants) {
      if (instant.mark != Timeline::Mark::stimulus) continue;
      const Name stimulus = named(timeline_.rows[instant.row].name);
      lines_.push_back(
          {instant.at_ps, Order::trigger, stimulus, instant.number, "STI", stimulus, instant.number, "trigger", {}});
    }
  }

  void write(const Line& line) {
    out_ << line.at_ps << ',' << entities_[line.source] << ',' << line.source_instance << ',' << line.type << ','
         << entities_[line.target] << ',' << line.instance << ',' << line.event << ',' << line.note << '\n';
  }

  const Timeline& timeline_;
  TextStream& out_;
  std::vector<std::vector<const Timeline::Interval*>> of_row_;
  std::map<Name, std::vector<Piece>> vcpus_;  // by a name of the timeline
  std::map<Name, std::uint64_t> instances_;
  std::vector<std::string> entities_;
  std::map<std::string, Name, std::less<>> by_name_;
  std::vector<Line> lines_;
};

}  // namespace

void write_btf(const Timeline& timeline, TextStream& out) { BtfWriter(timeline, out).write(); }

}  // namespace vecusim
