// The tables of xl: a header says which, and each row is read by its columns.
#include "analysis/read_xl.hpp"

#include <algorithm>
#include <array>

#include "analysis/text_records.hpp"

namespace vecusim {
namespace {

/// Xen is built for no more.
constexpr std::uint64_t kMostPcpu = 255;
constexpr std::size_t kMostPools = 256;
constexpr int kSeconds = 12;
constexpr int kUs = 6;

enum class Table : std::uint8_t { none, info, domains, vcpus, shares, budgets, vcpu_budgets, pools, pool_cpus };

struct Header {
  std::string_view words;
  Table table;
};
/// The longest first where one begins like another.
constexpr std::array<Header, 8> kHeaders = {{{"Name ID Mem VCPUs State Time(s)", Table::domains},
                                             {"Name ID VCPU CPU State Time(s) Affinity", Table::vcpus},
                                             {"Name ID Weight Cap", Table::shares},
                                             {"Name ID VCPU Period Budget Extratime", Table::vcpu_budgets},
                                             {"Name ID VCPU Period Budget", Table::vcpu_budgets},
                                             {"Name ID Period Budget", Table::budgets},
                                             {"Name CPUs Sched Active", Table::pools},
                                             {"Name CPU list", Table::pool_cpus}}};

/// What xl tells on standard error.
constexpr std::array<std::string_view, 4> kRemarks = {"libxl", "xc:", "WARNING:", "Parsing config"};

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

bool starts_with_any(std::string_view text, const auto& starts) {
  return std::any_of(starts.begin(), starts.end(), [&](auto start) { return text.starts_with(start); });
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : lines_(text, name, "xl") {}

  XlReading read() {
    while (lines_.next()) read_line(lines_.line());
    reading_.problems = lines_.take_problems();
    return std::move(reading_);
  }

 private:
  void read_line(std::string_view line) {
    split_words(line, words_);
    if (words_.empty() || starts_with_any(line, kRemarks)) return;
    if (words_[0] == "Name") return read_header();
    if (words_[0] == "Cpupool") return read_pool_line();
    if (is_info(line)) return read_info(line);
    bool good = false;
    switch (table_) {
      case Table::domains:
        good = read_domain();
        break;
      case Table::vcpus:
        good = read_vcpu();
        break;
      case Table::shares:
        good = read_share();
        break;
      case Table::budgets:
        good = read_budget(false);
        break;
      case Table::vcpu_budgets:
        good = read_budget(true);
        break;
      case Table::pools:
        good = read_pool();
        break;
      case Table::pool_cpus:
        good = read_pool_cpus();
        break;
      case Table::info:
        return;  // topologies behind `xl info -n`
      case Table::none:
        break;
    }
    if (!good) lines_.bad(without_blanks(line), table_ == Table::none ? "a header of xl" : "a row as its header says");
  }

  void read_header() {
    const std::string header = joined(words_);
    for (const Header& known : kHeaders) {
      if (!header.starts_with(known.words)) continue;
      table_ = known.table;
      return;
    }
    table_ = Table::none;
    lines_.bad(lines_.line(),
               "the header of xl list, vcpu-list, sched-credit2, sched-credit, sched-rtds or cpupool-list");
  }

  // xen_scheduler          : credit2

  static bool is_info(std::string_view line) {
    const std::size_t colon = line.find(" :");
    const std::string_view key = line.substr(0, line.find(' '));
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    return colon != std::string_view::npos && !key.empty() && std::all_of(key.begin(), key.end(), letter) &&
           line.substr(key.size(), colon - key.size()).find_first_not_of(' ') == std::string_view::npos;
  }

  void read_info(std::string_view line) {
    table_ = Table::info;
    const std::string_view key = line.substr(0, line.find(' '));
    if (key == "host") return;  // whose machine it is is nobody's business
    reading_.info.emplace_back(key, without_blanks(line.substr(line.find(" :") + 2)));
  }

  // Cpupool Pool-0: ratelimit=1000us

  void read_pool_line() {
    if (words_.size() < 2 || !words_[1].ends_with(':')) return lines_.bad(lines_.line(), "Cpupool NAME: SETTINGS");
    XlPool& pool = pool_named(words_[1].substr(0, words_[1].size() - 1));
    const std::string_view line = lines_.line();
    const auto number = [&](std::string_view key, std::string_view unit) -> std::optional<std::uint64_t> {
      const std::string_view word = word_after(line, key);
      return word.ends_with(unit) ? parse_number(word.substr(0, word.size() - unit.size())) : std::nullopt;
    };
    if (const auto us = number("ratelimit=", "us")) pool.ratelimit_us = us;
    if (const auto ms = number("tslice=", "ms")) pool.tslice_ms = ms;
    if (pool.tslice_ms && pool.scheduler.empty()) pool.scheduler = "credit";
    if (word_after(line, "sched=") == "RTDS") pool.scheduler = "rtds";
  }

  XlPool& pool_named(std::string_view name) {
    for (XlPool& pool : reading_.pools) {
      if (pool.name == name) return pool;
    }
    if (reading_.pools.size() >= kMostPools) return spare_pool_;
    return reading_.pools.emplace_back(XlPool{std::string(name)});
  }

  bool read_domain() {
    if (words_.size() < 6) return false;
    const auto id = parse_number(words_[1]);
    const auto memory = parse_number(words_[2]);
    const auto vcpus = parse_number(words_[3]);
    const auto time = parse_duration(words_[5], kSeconds);
    if (!id || !memory || !vcpus || !time) return false;
    reading_.domains.push_back({std::string(words_[0]), *id, *memory, *vcpus, std::string(words_[4]), *time});
    return true;
  }

  /// Domain-0   0   1    3   -b-       0.6  all / 0,3
  bool read_vcpu() {
    if (words_.size() < 9 || words_[7] != "/") return false;
    const auto id = parse_number(words_[1]);
    const auto vcpu = parse_number(words_[2]);
    const bool offline = words_[3] == "-";
    const auto pcpu = parse_number(words_[3]);
    const auto time = parse_duration(words_[5], kSeconds);
    const auto hard = parse_xl_cpus(words_[6]);
    const auto soft = parse_xl_cpus(words_[8]);
    if (!id || !vcpu || !(offline || pcpu) || !time || !hard || !soft) return false;
    reading_.vcpus.push_back({std::string(words_[0]), *id, *vcpu, pcpu, std::string(words_[4]), *time, *hard, *soft});
    return true;
  }

  bool read_share() {
    if (words_.size() != 4) return false;
    const auto id = parse_number(words_[1]);
    const auto weight = parse_number(words_[2]);
    const auto cap = parse_number(words_[3]);
    if (!id || !weight || !cap) return false;
    reading_.shares.push_back({std::string(words_[0]), *id, *weight, *cap});
    return true;
  }

  bool read_budget(bool each_vcpu) {
    const std::size_t first = each_vcpu ? 3 : 2;
    if (words_.size() < first + 2) return false;
    const auto id = parse_number(words_[1]);
    const auto vcpu = parse_number(words_[2]);
    const auto period = parse_duration(words_[first], kUs);
    const auto budget = parse_duration(words_[first + 1], kUs);
    const bool extratime = words_.size() > first + 2 && words_[first + 2] == "yes";
    if (!id || (each_vcpu && !vcpu) || !period || !budget) return false;
    reading_.budgets.push_back(
        {std::string(words_[0]), *id, each_vcpu ? vcpu : std::nullopt, *period, *budget, extratime});
    return true;
  }

  bool read_pool() {
    if (words_.size() < 5) return false;
    const auto pcpus = parse_number(words_[1]);
    if (!pcpus) return false;
    XlPool& pool = pool_named(words_[0]);
    pool.pcpus = pcpus;
    pool.scheduler = words_[2];
    return true;
  }

  bool read_pool_cpus() {
    if (words_.size() != 2) return false;
    const auto cpus = parse_xl_cpus(words_[1]);
    if (cpus) pool_named(words_[0]).cpus = *cpus;
    return cpus.has_value();
  }

  TextRecords lines_;
  std::vector<std::string_view> words_;
  XlReading reading_;
  Table table_ = Table::none;
  XlPool spare_pool_;  // of those that are too many
};

}  // namespace

std::optional<XlCpus> parse_xl_cpus(std::string_view text) {
  if (text == "all") return XlCpus{};
  std::vector<std::int64_t> cpus;
  while (true) {
    const std::string_view part = text.substr(0, text.find(','));
    const std::size_t dash = part.find('-');
    const auto from = parse_number(part.substr(0, dash));
    const auto to = dash == std::string_view::npos ? from : parse_number(part.substr(dash + 1));
    if (!from || !to || *from > *to || *to > kMostPcpu || cpus.size() > kMostPcpu) return std::nullopt;
    for (std::uint64_t cpu = *from; cpu <= *to; ++cpu) cpus.push_back(static_cast<std::int64_t>(cpu));
    if (part.size() == text.size()) break;
    text.remove_prefix(part.size() + 1);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return XlCpus{std::move(cpus)};
}

std::string_view XlReading::info_of(std::string_view key) const {
  const auto found = std::find_if(info.begin(), info.end(), [&](const Fact& fact) { return fact.first == key; });
  return found == info.end() ? std::string_view{} : found->second;
}

XlReading read_xl(std::string_view text, const std::string& name) { return Reader{text, name}.read(); }

}  // namespace vecusim
