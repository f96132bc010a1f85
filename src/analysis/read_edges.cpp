// Rows of logic analysers, and the pairing of edges.
#include "analysis/read_edges.hpp"

#include <algorithm>
#include <map>

#include "analysis/bench_data_text.hpp"
#include "analysis/text_records.hpp"

namespace vecusim {
namespace {

constexpr std::size_t kMostChannels = 1024;
constexpr int kSeconds = 12;
constexpr SignedWide kMostPs = Duration::max().count() / 4;

/// What both forms share: levels row by row, of which the changes are edges.
class Reader {
 public:
  Reader(std::string_view text, const std::string& name, std::string rule) : lines_(text, name, std::move(rule)) {}

  EdgesReading take() {
    reading_.problems = lines_.take_problems();
    return std::move(reading_);
  }

 protected:
  void set_channels(std::size_t first) {
    for (std::size_t i = first; i < fields_.size(); ++i) reading_.channels.emplace_back(fields_[i].text);
    if (reading_.channels.empty() || reading_.channels.size() > kMostChannels) {
      lines_.bad(lines_.line(), "1 to " + std::to_string(kMostChannels) + " channels");
      reading_.channels.resize(std::min(reading_.channels.size(), kMostChannels));
    }
  }

  /// Levels from field `first` on; false if they are none.
  bool add_row(Duration at, std::size_t first) {
    if (fields_.size() != first + reading_.channels.size()) {
      lines_.bad(lines_.line(), std::to_string(first + reading_.channels.size()) + " fields");
      return false;
    }
    for (std::size_t i = first; i < fields_.size(); ++i) {
      if (fields_[i].text != "0" && fields_[i].text != "1") {
        lines_.bad(fields_[i].text, "0 or 1");
        return false;
      }
    }
    for (std::size_t i = first; i < fields_.size(); ++i) {
      const bool level = fields_[i].text == "1";
      const std::size_t channel = i - first;
      if (!levels_.empty() && levels_[channel] != level) {
        reading_.edges.push_back({at, static_cast<std::uint16_t>(channel), level});
      }
      next_levels_.push_back(level);
    }
    levels_.swap(next_levels_);
    next_levels_.clear();
    reading_.end = at;
    return true;
  }

  std::optional<Duration> time(const TextField& field) {
    const auto quantity = parse_quantity(field.text, kSeconds);
    if (!quantity || quantity->ps > kMostPs || quantity->ps < -kMostPs) {
      lines_.bad(field.text, "a time in seconds");
      return std::nullopt;
    }
    const auto step = Duration{static_cast<std::int64_t>(std::min(quantity->step_ps, kMostPs))};
    reading_.step = levels_.empty() ? step : std::min(reading_.step, step);
    const Duration at{static_cast<std::int64_t>(quantity->ps)};
    if (!levels_.empty() && at < reading_.end) {
      lines_.bad(field.text, "a time not before that of the row before");
      return std::nullopt;
    }
    return at;
  }

  TextRecords lines_;
  std::vector<TextField> fields_;
  EdgesReading reading_;

 private:
  std::vector<bool> levels_;
  std::vector<bool> next_levels_;
};

class SaleaeReader : public Reader {
 public:
  using Reader::Reader;

  EdgesReading read() {
    while (lines_.next()) {
      if (lines_.line().empty()) continue;
      split_fields(lines_.line(), fields_);
      if (reading_.channels.empty()) {
        set_channels(1);
      } else if (const auto at = time(fields_[0])) {
        add_row(*at, 1);
      }
    }
    return take();
  }
};

class SigrokReader : public Reader {
 public:
  using Reader::Reader;

  EdgesReading read() {
    while (lines_.next()) {
      const std::string_view line = without_blanks(lines_.line());
      if (line.empty()) continue;
      if (line.front() == ';' || line.front() == '#') {
        read_remark(without_blanks(line.substr(1)));
        continue;
      }
      split_fields(lines_.line(), fields_);
      if (reading_.channels.empty()) {
        read_first();
      } else {
        read_row();
      }
    }
    if (period_ps_ == 0 && !timed_) lines_.warn_at_end("a remark with the samplerate", "none: times are not known");
    return take();
  }

 private:
  /// "Samplerate: 1 MHz"
  void read_remark(std::string_view remark) {
    const std::size_t at = remark.find("amplerate:");
    if (at == std::string_view::npos) return;
    std::vector<std::string_view> words;
    split_words(remark.substr(at + 10), words);
    static const std::map<std::string_view, int> kUnits = {{"Hz", 0}, {"kHz", 3}, {"MHz", 6}, {"GHz", 9}};
    const auto unit = words.size() < 2 ? kUnits.end() : kUnits.find(words[1]);
    // A frequency in mHz as a whole number, by the reader of decimal numbers.
    const auto rate = unit == kUnits.end() ? std::nullopt : parse_quantity(words[0], unit->second + 3);
    constexpr SignedWide kMostRate = 1'000'000'000'000'000;  // 1 THz
    if (!rate || rate->ps <= 0 || rate->ps > kMostRate)
      return lines_.bad(remark, "Samplerate: NUMBER Hz, kHz, MHz or GHz");
    period_ps_ = 1e15 / static_cast<double>(rate->ps);
    reading_.step = from_ps(period_ps_);
    reading_.facts.emplace_back("samplerate", std::string(words[0]) + " " + std::string(words[1]));
  }

  /// Names, or levels at once.
  void read_first() {
    timed_ = fields_[0].text.starts_with("Time");
    const bool levels =
        std::all_of(fields_.begin(), fields_.end(), [](const TextField& f) { return f.text == "0" || f.text == "1"; });
    set_channels(timed_ ? 1 : 0);
    if (!levels) return;
    for (std::size_t i = 0; i < reading_.channels.size(); ++i) reading_.channels[i] = "channel " + std::to_string(i);
    read_row();
  }

  void read_row() {
    if (timed_) {
      if (const auto at = time(fields_[0])) add_row(*at, 1);
      return;
    }
    const double at = static_cast<double>(samples_) * period_ps_;
    if (at > static_cast<double>(kMostPs)) return lines_.bad(lines_.line(), "a record of at most 26 days");
    if (add_row(from_ps(at), 0)) ++samples_;
  }

  double period_ps_ = 0.0;
  bool timed_ = false;
  std::uint64_t samples_ = 0;
};

}  // namespace

EdgesReading read_saleae(std::string_view text, const std::string& name) {
  return SaleaeReader{text, name, "saleae"}.read();
}

EdgesReading read_sigrok(std::string_view text, const std::string& name) {
  return SigrokReader{text, name, "sigrok"}.read();
}

LatencySeries pair_edges(const EdgesReading& edges, const PairingRule& rule) {
  LatencySeries series{"channel " + std::to_string(rule.stimulus) + " to " + std::to_string(rule.response)};
  std::optional<Duration> open;
  std::map<std::uint16_t, Duration> last;
  for (const LineEdge& edge : edges.edges) {
    if (edge.channel != rule.stimulus && edge.channel != rule.response) continue;
    if (rule.rise && edge.rise != *rule.rise) continue;
    const auto before = last.find(edge.channel);
    const bool bounce = before != last.end() && edge.at - before->second < rule.min_gap;
    last[edge.channel] = edge.at;
    if (bounce) continue;
    if (edge.channel == rule.stimulus) {
      if (open) ++series.missed;
      open = edge.at;
    } else if (open) {
      if (rule.timeout && edge.at - *open > *rule.timeout) {
        ++series.missed;
      } else {
        series.counts.push_back({edge.at - *open, 1});
      }
      open.reset();
    }
  }
  if (open) ++series.missed;
  return series;
}

}  // namespace vecusim
