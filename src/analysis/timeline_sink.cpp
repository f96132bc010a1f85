// What rows show, when they change, and how flights are put together.
#include "analysis/timeline_sink.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "analysis/stop_sink.hpp"

namespace vecusim {

namespace {

using State = Timeline::State;

std::int64_t ps(Time time) { return (time - kStart).count(); }

State state_of(Context context) {
  switch (context) {
    case Context::user:
      return State::user;
    case Context::kernel:
      return State::kernel;
    case Context::softirq:
      return State::softirq;
    case Context::irq:
      return State::irq;
    case Context::hypervisor:
    case Context::idle:
      break;
  }
  return State::hypervisor;
}

State state_of(Runstate runstate) {
  return static_cast<State>(static_cast<std::size_t>(State::running) + static_cast<std::size_t>(runstate));
}

}  // namespace

TimelineSink::TimelineSink(const Replication& replication, const TimelineWindow& window, std::size_t most_records)
    : replication_(replication), from_(window.from), to_(window.to), window_end_(window.to), most_(most_records) {
  const auto add_row = [this](Timeline::RowKind kind, std::string_view name, std::string_view domain) {
    timeline_.rows.push_back({kind, intern(name), intern(domain)});
    return static_cast<std::uint32_t>(timeline_.rows.size() - 1);
  };
  const SystemView& view = replication.view();
  for (const SystemView::CpuView& shown : view.cpus) {
    Cpu added{.physical = shown.physical, .hosts = shown.physical && shown.domain.empty(), .line = {}, .inside = {}};
    added.line.row =
        add_row(shown.physical ? Timeline::RowKind::pcpu : Timeline::RowKind::vcpu, shown.name, shown.domain);
    if (!shown.physical) added.inside.row = add_row(Timeline::RowKind::guest, shown.name, shown.domain);
    if (!shown.physical && !shown.home) added.halted = Wait::hypervisor;  // nobody has loaded it yet
    cpus_.push_back(added);
  }
  for (const SystemView::CpuView& shown : view.cpus) {
    if (!shown.home) continue;
    cpus_[*shown.home].vcpu = intern(shown.name);
    show_pcpu(cpus_[*shown.home], kStart);
  }
  for (Cpu& added : cpus_) {
    if (!added.physical) show_vcpu(added, kStart);
  }
  first_interrupt_ = static_cast<std::uint32_t>(timeline_.rows.size());
  for (const SystemView::InterruptView& interrupt : view.interrupts) {
    add_row(Timeline::RowKind::interrupt, interrupt.name, "");
  }
}

TimelineSink::Name TimelineSink::intern(std::string_view name) {
  if (name.empty()) return 0;
  const auto known = interned_.find(name);
  if (known != interned_.end()) return known->second;
  timeline_.names.emplace_back(name);
  return interned_.emplace(name, static_cast<Name>(timeline_.names.size() - 1)).first->second;
}

TimelineSink::Name TimelineSink::name_of(Party party) {
  const auto index = static_cast<std::size_t>(party);
  constexpr Name kUnknown = std::numeric_limits<Name>::max();
  if (parties_.size() <= index) parties_.resize(index + 1, kUnknown);
  if (parties_[index] == kUnknown) parties_[index] = intern(replication_.name_of(party));
  return parties_[index];
}

std::uint32_t TimelineSink::row_of(InterruptId interrupt) const {
  return first_interrupt_ + static_cast<std::uint32_t>(interrupt);
}

// ---- Rows ----

// Whether something that begins at that time is to be kept.
bool TimelineSink::covers(Time begin) {
  if (begin < to_) return true;
  if (full_ && begin < window_end_) ++timeline_.cut;
  return false;
}

// With more records than there is room for, what is covered ends now. What has begun by then is kept all the same: that
// is one interval of each row, and the flights under way.
void TimelineSink::count(Time now, std::size_t records) {
  kept_ += records;
  if (kept_ <= most_ || full_) return;
  full_ = true;
  to_ = std::min(to_, now);
}

void TimelineSink::show(Line& line, Time now, const Shown& next) {
  if (line.shown == next) return;
  close(line, now);
  line.shown = next;
  line.since = now;
}

void TimelineSink::close(Line& line, Time now) {
  if (!line.shown.state || now <= std::max(line.since, from_) || !covers(line.since)) return;
  count(now, 1);
  timeline_.intervals.push_back({ps(std::max(line.since, from_)), ps(std::min(now, to_)), line.row, *line.shown.state,
                                 line.shown.wait, line.shown.what});
}

// The pCPU of a host's kernel works for nobody else while a thread carries a vCPU there.
void TimelineSink::show_pcpu(Cpu& pcpu, Time now) {
  Shown next;
  if (pcpu.context != Context::idle) {
    next = {state_of(pcpu.context), {}, pcpu.hosts ? pcpu.vcpu : pcpu.party};
  } else if (pcpu.vcpu != 0 && (pcpu.hosts || pcpu.party != 0)) {
    next = {State::guest, {}, pcpu.vcpu};
  }
  show(pcpu.line, now, next);
}

void TimelineSink::show_vcpu(Cpu& vcpu, Time now) {
  Shown next{state_of(vcpu.runstate)};
  if (vcpu.runstate == Runstate::running) next = {next.state, vcpu.halted, name_of(vcpu.runs_on)};
  if (vcpu.runstate == Runstate::runnable) next = {next.state, vcpu.halted, vcpu.halted_for};
  const auto held_back = [](const Shown& shown) {
    return shown.state == State::runnable && shown.wait == Wait::ratelimit;
  };
  if (held_back(next) && !held_back(vcpu.line.shown)) {
    mark(vcpu.line.row, now, Timeline::Mark::refused, 0, next.what);
  }
  show(vcpu.line, now, next);
}

void TimelineSink::mark(std::uint32_t row, Time now, Timeline::Mark what, std::uint64_t number, Name name) {
  if (now < from_ || !covers(now)) return;
  count(now, 1);
  timeline_.instants.push_back({ps(now), row, what, number, name});
}

// ---- Events ----

void TimelineSink::on(const Occupied& event) {
  Cpu& occupied = cpu(event.cpu);
  occupied.context = event.context;
  occupied.party = name_of(event.party);
  if (occupied.physical) {
    show_pcpu(occupied, event.at);
  } else {
    show(occupied.inside, event.at,
         event.context == Context::idle ? Shown{} : Shown{state_of(event.context), {}, occupied.party});
  }
}

void TimelineSink::on(const Loaded& event) {
  Cpu& pcpu = cpu(event.pcpu);
  pcpu.vcpu = event.vcpu ? name_of(*event.vcpu) : 0;
  show_pcpu(pcpu, event.at);
}

void TimelineSink::on(const Halted& event) {
  Cpu& halted = cpu(event.cpu);
  halted.halted = event.kind;
  halted.halted_for = name_of(event.for_whom);
  if (!halted.physical) show_vcpu(halted, event.at);
}

void TimelineSink::on(const Scheduled& event) {
  Cpu& vcpu = cpu(event.vcpu);
  const bool wakes = vcpu.runstate == Runstate::blocked && event.state == Runstate::runnable;
  vcpu.runstate = event.state;
  vcpu.runs_on = event.pcpu;
  // On the pCPU of a host's kernel its registers are those of whoever runs there.
  if (Cpu& pcpu = cpu(event.pcpu); event.state == Runstate::running && !pcpu.hosts) pcpu.vcpu = name_of(event.vcpu);
  if (wakes) mark(vcpu.line.row, event.at, Timeline::Mark::wake);
  show_vcpu(vcpu, event.at);
}

void TimelineSink::on(const Counted& event) {
  const Cpu& where = cpu(event.cpu);
  if (event.what == Count::interrupt) {
    mark((where.physical ? where.line : where.inside).row, event.at, Timeline::Mark::interrupt, event.irq);
  } else if (event.what == Count::migration) {
    mark(where.line.row, event.at, Timeline::Mark::migration);
  }
}

// ---- Flights ----

void TimelineSink::on(const Stimulated& event) {
  mark(row_of(event.interrupt), event.at, Timeline::Mark::stimulus, event.flight);
  if (event.at >= to_) return;
  const FlightKey key{static_cast<std::uint16_t>(event.interrupt), event.flight};
  Timeline::Flight& flight = under_way_[key];
  flight.row = row_of(event.interrupt);
  flight.number = event.flight;
  flight.begin_ps = ps(event.at);
}

void TimelineSink::on(const StageDone& event) {
  const FlightKey key{static_cast<std::uint16_t>(event.interrupt), event.flight};
  const auto flight = under_way_.find(key);
  if (flight == under_way_.end()) return;
  flight->second.stages.push_back({event.stage, ps(event.began), ps(event.at), 0, {}, 0});  // its name comes later
}

void TimelineSink::on(const FlightDone& event) {
  const FlightKey key{static_cast<std::uint16_t>(event.interrupt), event.flight};
  end_flight(key, event.began, event.at, Timeline::Fate::answered, event.stages);
}

void TimelineSink::on(const Dropped& event) {
  const FlightKey key{static_cast<std::uint16_t>(event.interrupt), event.flight};
  const bool merged = event.fate == Fate::merged;
  mark(row_of(event.interrupt), event.at, merged ? Timeline::Mark::merged : Timeline::Mark::lost, event.flight);
  const auto flight = under_way_.find(key);
  if (flight == under_way_.end()) return;
  end_flight(key, kStart + Duration{flight->second.begin_ps}, event.at,
             merged ? Timeline::Fate::merged : Timeline::Fate::lost);
}

void TimelineSink::end_flight(const FlightKey& key, Time began, Time now, Timeline::Fate fate,
                              std::span<const StageTime> spent) {
  const auto found = under_way_.find(key);
  if (found == under_way_.end()) return;
  Timeline::Flight flight = std::move(found->second);
  under_way_.erase(found);
  if (now < from_ || !covers(began)) return;
  count(now, 1 + flight.stages.size());
  flight.begin_ps = ps(began);
  flight.end_ps = ps(now);
  flight.fate = fate;
  const std::vector<std::string>& names = replication_.view().interrupts[key.first].stages;
  for (Timeline::Stage& stage : flight.stages) {
    const std::size_t index = stage.name;
    stage.name = intern(names[index]);
    if (spent.empty()) continue;
    stage.service_ps = spent[index].service.count();
    for (std::size_t kind = 0; kind < kWaits; ++kind) stage.waits_ps[kind] = spent[index].waits[kind].count();
    stage.longest_for = name_of(spent[index].longest_wait_for);
  }
  timeline_.flights.push_back(std::move(flight));
}

// The lowest lane that is free.
void TimelineSink::assign_lanes() {
  std::map<std::uint32_t, std::vector<std::int64_t>> ends;  // of the last flight in each lane, by row
  for (Timeline::Flight& flight : timeline_.flights) {
    std::vector<std::int64_t>& lanes = ends[flight.row];
    const auto free =
        std::find_if(lanes.begin(), lanes.end(), [&](std::int64_t end) { return end <= flight.begin_ps; });
    flight.lane = static_cast<std::uint32_t>(free - lanes.begin());
    if (free == lanes.end()) {
      lanes.push_back(flight.end_ps);
    } else {
      *free = flight.end_ps;
    }
  }
}

Timeline TimelineSink::take(Time end) {
  while (!under_way_.empty()) {
    const auto& [key, flight] = *under_way_.begin();
    end_flight(FlightKey(key), kStart + Duration{flight.begin_ps}, end, Timeline::Fate::under_way);
  }
  for (Cpu& ended : cpus_) {
    close(ended.line, end);
    close(ended.inside, end);
  }
  Timeline& all = timeline_;
  all.from_ps = ps(from_);
  all.to_ps = std::max(ps(std::min(to_, end)), all.from_ps);
  // Of the moment at which room ended.
  all.cut += std::erase_if(all.instants, [&](const auto& instant) { return instant.at_ps >= all.to_ps; });
  std::sort(all.intervals.begin(), all.intervals.end(),
            [](const auto& a, const auto& b) { return std::pair(a.begin_ps, a.row) < std::pair(b.begin_ps, b.row); });
  std::sort(all.flights.begin(), all.flights.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.begin_ps, a.row, a.number) < std::tuple(b.begin_ps, b.row, b.number);
  });
  assign_lanes();
  return std::exchange(timeline_, {});
}

Timeline record_timeline(const Scenario& scenario, std::uint32_t replication, const TimelineWindow& window,
                         const std::stop_token& stop, std::size_t most_records) {
  QuantileTables tables;
  Replication run(scenario, tables, scenario.run.seed, replication);
  TimelineSink sink(run, window, most_records);
  StopSink stopper(stop);
  run.attach(sink);
  if (stop.stop_possible()) run.attach(stopper);
  run.run();
  Timeline timeline = sink.take(run.end());
  timeline.title = scenario.title;
  timeline.seed = scenario.run.seed;
  timeline.replication = replication;
  return timeline;
}

}  // namespace vecusim
