// Timelines as lines: comma-separated text, and JSON objects (vecusim/trace/1).
#include "analysis/result.hpp"
#include "analysis/trace_format.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

using Kind = TimelineEntry::Kind;

std::string_view wait_name(const std::optional<Wait>& wait) {
  return wait ? kWaitNames[static_cast<std::size_t>(*wait)] : std::string_view{};
}

/// One line of the CSV. What a record does not have is an empty field.
struct CsvLine {
  std::string_view record;
  std::uint32_t row;
  std::int64_t begin_ps;
  std::optional<std::int64_t> end_ps = {};
  std::string_view state = {};
  std::string_view wait = {};
  Timeline::Name what = 0;
  std::optional<std::uint64_t> number = {};
};

CsvLine csv_line(const Timeline& timeline, const TimelineEntry& entry) {
  switch (entry.kind) {
    case Kind::flight: {
      const Timeline::Flight& flight = timeline.flights[entry.index];
      return {"flight", flight.row, flight.begin_ps, flight.end_ps, name_of(flight.fate), {}, 0, flight.number};
    }
    case Kind::stage: {
      const Timeline::Flight& flight = timeline.flights[entry.index];
      const Timeline::Stage& stage = flight.stages[entry.stage];
      return {"stage", flight.row, stage.begin_ps, stage.end_ps, {}, {}, stage.name, flight.number};
    }
    case Kind::interval: {
      const Timeline::Interval& i = timeline.intervals[entry.index];
      return {"interval", i.row, i.begin_ps, i.end_ps, name_of(i.state), wait_name(i.wait), i.what, {}};
    }
    case Kind::instant:
      break;
  }
  const Timeline::Instant& instant = timeline.instants[entry.index];
  return {"instant", instant.row, instant.at_ps, {}, name_of(instant.mark), {}, instant.what, instant.number};
}

/// The objects of the NDJSON.
class JsonLines {
 public:
  JsonLines(const Timeline& timeline, TextStream& out) : timeline_(timeline), out_(out) {
    for (const std::string& name : timeline.names) quoted_.push_back(json::quoted(name));
  }

  void head() {
    out_ << R"({"schema":"vecusim/trace/1","version":)" << json::quoted(tool_version()) << R"(,"title":)"
         << json::quoted(timeline_.title) << R"(,"seed":)" << timeline_.seed << R"(,"replication":)"
         << timeline_.replication << R"(,"from_us":)";
    out_.us(timeline_.from_ps) << R"(,"to_us":)";
    out_.us(timeline_.to_ps) << R"(,"records_not_kept":)" << timeline_.cut << "}\n";
  }

  void write(const TimelineEntry& entry) {
    switch (entry.kind) {
      case Kind::flight:
        return write(timeline_.flights[entry.index]);
      case Kind::stage:
        return;  // within its flight
      case Kind::interval:
        return write(timeline_.intervals[entry.index]);
      case Kind::instant:
        return write(timeline_.instants[entry.index]);
    }
  }

 private:
  void begin(std::string_view record, std::uint32_t row) {
    const Timeline::Row& shown = timeline_.rows[row];
    out_ << R"({"record":")" << record << R"(","row_kind":")" << name_of(shown.kind) << R"(","row":)"
         << quoted_[shown.name];
  }
  void span(std::int64_t from_ps, std::int64_t to_ps) {
    out_ << R"("begin_us":)";
    out_.us(from_ps) << R"(,"end_us":)";
    out_.us(to_ps);
  }
  void what(Timeline::Name name) {
    if (name != 0) out_ << R"(,"what":)" << quoted_[name];
  }

  void write(const Timeline::Interval& interval) {
    begin("interval", interval.row);
    out_ << ',';
    span(interval.begin_ps, interval.end_ps);
    out_ << R"(,"state":")" << name_of(interval.state) << '"';
    if (interval.wait) out_ << R"(,"wait":")" << wait_name(interval.wait) << '"';
    what(interval.what);
    out_ << "}\n";
  }

  void write(const Timeline::Instant& instant) {
    begin("instant", instant.row);
    out_ << R"(,"at_us":)";
    out_.us(instant.at_ps) << R"(,"mark":")" << name_of(instant.mark) << R"(","number":)" << instant.number;
    what(instant.what);
    out_ << "}\n";
  }

  void write(const Timeline::Flight& flight) {
    begin("flight", flight.row);
    out_ << R"(,"number":)" << flight.number << ',';
    span(flight.begin_ps, flight.end_ps);
    out_ << R"(,"fate":")" << name_of(flight.fate) << R"(","stages":[)";
    for (std::size_t i = 0; i < flight.stages.size(); ++i) {
      if (i > 0) out_ << ',';
      write(flight.stages[i], flight.fate == Timeline::Fate::answered);
    }
    out_ << "]}\n";
  }

  void write(const Timeline::Stage& stage, bool answered) {
    out_ << R"({"name":)" << quoted_[stage.name] << ',';
    span(stage.begin_ps, stage.end_ps);
    if (answered) {
      out_ << R"(,"service_us":)";
      out_.us(stage.service_ps) << R"(,"waits_us":{)";
      bool first = true;
      for (std::size_t kind = 0; kind < kWaits; ++kind) {
        if (stage.waits_ps[kind] == 0) continue;
        out_ << (first ? "\"" : ",\"") << kWaitNames[kind] << "\":";
        out_.us(stage.waits_ps[kind]);
        first = false;
      }
      out_ << '}';
      if (stage.longest_for != 0) out_ << R"(,"longest_for":)" << quoted_[stage.longest_for];
    }
    out_ << '}';
  }

  const Timeline& timeline_;
  TextStream& out_;
  std::vector<std::string> quoted_;
};

}  // namespace

void write_trace_csv(const Timeline& timeline, TextStream& out) {
  out << "record,row_kind,row,begin_us,end_us,state,wait,what,number\n";
  for (const TimelineEntry& entry : by_time(timeline)) {
    const CsvLine line = csv_line(timeline, entry);
    const Timeline::Row& row = timeline.rows[line.row];
    out << line.record << ',' << name_of(row.kind) << ',';
    out.field(timeline.name(row.name)) << ',';
    out.us(line.begin_ps) << ',';
    if (line.end_ps) out.us(*line.end_ps);
    out << ',' << line.state << ',' << line.wait << ',';
    out.field(timeline.name(line.what)) << ',';
    if (line.number) out << *line.number;
    out << '\n';
  }
}

void write_trace_ndjson(const Timeline& timeline, TextStream& out) {
  JsonLines lines(timeline, out);
  lines.head();
  for (const TimelineEntry& entry : by_time(timeline)) lines.write(entry);
}

}  // namespace vecusim
