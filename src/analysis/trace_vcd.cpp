// Value change dump (IEEE 1364): a wire for each thing that can be the case on a row, 1 while it is.
//
// All wires have one bit, so that every reader shows them, and lies beside the channels of a logic analyser. The scope
// of a pCPU has a wire for each context and each vCPU that was seen there; that of a vCPU its runstates, what it waits
// for (`wait_ratelimit`), and the contexts inside it; that of an interrupt `under_way`. Instants are events.
#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/result.hpp"
#include "analysis/trace_format.hpp"

namespace vecusim {

namespace {

/// Names of the format have letters, digits and underscores.
std::string plain(std::string_view name) {
  std::string result(name);
  for (char& letter : result) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return result;
}

/// What the format calls an identifier code: printable characters.
std::string code_of(std::size_t index) {
  constexpr std::size_t kFirst = '!';
  constexpr std::size_t kCodes = '~' - '!' + 1;
  std::string code;
  do {
    code += static_cast<char>(kFirst + index % kCodes);
    index /= kCodes;
  } while (index > 0);
  return code;
}

class VcdWriter {
 public:
  VcdWriter(const Timeline& timeline, TextStream& out) : timeline_(timeline), out_(out) {}

  void write() {
    collect();
    head();
    std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
      return std::tuple(a.at_ps, a.wire) < std::tuple(b.at_ps, b.wire);
    });
    out_ << '#' << timeline_.from_ps << "\n$dumpvars\n";
    for (const Wire& wire : wires_) {
      if (!wire.event) out_ << '0' << wire.code << '\n';
    }
    out_ << "$end\n";
    std::int64_t written = timeline_.from_ps;
    for (std::size_t i = 0; i < changes_.size();) written = write_moment(i, written);
    if (written < timeline_.to_ps) out_ << '#' << timeline_.to_ps << '\n';
  }

 private:
  struct Wire {
    bool event;
    std::string code;
    /// How many things make it 1.
    int level = 0;
  };
  struct Change {
    std::int64_t at_ps;
    std::size_t wire;
    int step;
  };
  using Named = std::pair<std::string, std::string>;  // scope and name

  std::size_t wire(std::uint32_t row, std::string_view name, bool event) {
    const Named named{plain(timeline_.name(timeline_.rows[row].name)), plain(name)};
    const auto [known, added] = by_name_.try_emplace(named, wires_.size());
    if (added) wires_.push_back({event, code_of(wires_.size())});
    return known->second;
  }

  void add(std::int64_t from_ps, std::int64_t to_ps, std::size_t wire) {
    const std::int64_t begin = std::max(from_ps, timeline_.from_ps);
    const std::int64_t end = std::min(to_ps, timeline_.to_ps);
    if (end <= begin) return;
    changes_.push_back({begin, wire, 1});
    if (end < timeline_.to_ps) changes_.push_back({end, wire, -1});
  }

  void collect() {
    for (const Timeline::Interval& interval : timeline_.intervals) {
      const bool of_vcpu = interval.state == Timeline::State::guest;
      const std::string_view name = of_vcpu ? timeline_.name(interval.what) : name_of(interval.state);
      add(interval.begin_ps, interval.end_ps, wire(interval.row, name, false));
      if (!interval.wait) continue;
      const std::string wait = "wait_" + std::string(kWaitNames[static_cast<std::size_t>(*interval.wait)]);
      add(interval.begin_ps, interval.end_ps, wire(interval.row, wait, false));
    }
    for (const Timeline::Flight& flight : timeline_.flights) {
      add(flight.begin_ps, flight.end_ps, wire(flight.row, "under_way", false));
    }
    for (const Timeline::Instant& instant : timeline_.instants) {
      changes_.push_back({instant.at_ps, wire(instant.row, name_of(instant.mark), true), 0});
    }
  }

  void head() {
    out_ << "$version vecusim " << tool_version() << " $end\n$comment seed " << timeline_.seed << ", replication "
         << timeline_.replication << " $end\n$timescale 1 ps $end\n";
    const std::string* scope = nullptr;
    for (const auto& [named, index] : by_name_) {
      if (scope == nullptr || *scope != named.first) {
        if (scope != nullptr) out_ << "$upscope $end\n";
        out_ << "$scope module " << named.first << " $end\n";
        scope = &named.first;
      }
      const Wire& wire = wires_[index];
      out_ << "$var " << (wire.event ? "event" : "wire") << " 1 " << wire.code << ' ' << named.second << " $end\n";
    }
    if (scope != nullptr) out_ << "$upscope $end\n";
    out_ << "$enddefinitions $end\n";
  }

  /// Everything that changes at the time of change `i`, which becomes the next one. Returns the time last written.
  std::int64_t write_moment(std::size_t& i, std::int64_t written) {
    const std::int64_t now = changes_[i].at_ps;
    const auto moment = [&] {
      if (now != written) out_ << '#' << now << '\n';
      written = now;
    };
    while (i < changes_.size() && changes_[i].at_ps == now) {
      Wire& wire = wires_[changes_[i].wire];
      const int before = wire.level;
      const std::size_t which = changes_[i].wire;
      for (; i < changes_.size() && changes_[i].at_ps == now && changes_[i].wire == which; ++i) {
        wire.level += changes_[i].step;
      }
      if (!wire.event && (wire.level > 0) == (before > 0)) continue;
      moment();
      out_ << (wire.event || wire.level > 0 ? '1' : '0') << wire.code << '\n';
    }
    return written;
  }

  const Timeline& timeline_;
  TextStream& out_;
  std::vector<Wire> wires_;
  std::map<Named, std::size_t> by_name_;
  std::vector<Change> changes_;
};

}  // namespace

void write_vcd(const Timeline& timeline, TextStream& out) { VcdWriter(timeline, out).write(); }

}  // namespace vecusim
