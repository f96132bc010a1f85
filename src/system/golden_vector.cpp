// Reads and runs vector scripts.
#include "system/golden_vector.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "schedulers/catalogue.hpp"
#include "system/golden_machine.hpp"
#include "system/golden_text.hpp"
#include "system/golden_words.hpp"
#include "system/json_fields.hpp"

namespace vecusim::golden {
namespace {

/// Xen's code for a request that it refuses (EINVAL).
constexpr int kRefused = -22;

struct Shown {
  std::string_view figure;
  /// Of an idle unit.
  std::int64_t idle;
};

/// How one scheduler's vectors are written.
struct Dialect {
  std::string_view vector_name;
  std::string_view policy;
  /// What an `I` line shows beside the pCPU.
  std::vector<Shown> created;
  /// What a `D` line shows of the next and of the previous unit.
  std::vector<Shown> next;
  std::vector<Shown> previous;
  /// Key and figure of an `F` line and of a `Q` line.
  std::vector<std::pair<std::string_view, std::string_view>> unit;
  std::vector<std::pair<std::string_view, std::string_view>> runqueue;
};

const Dialect* find_dialect(std::string_view vector_name) {
  static const std::array<Dialect, 3> kDialects = {{
      {"credit2",
       "credit2",
       {},
       {{"credit", 0}},
       {{"credit", 0}},
       {{"credit", "credit"}, {"res", "residual"}, {"avg", "load_average"}},
       {{"load", "load"}, {"avg", "load_average"}, {"b", "balanced_average"}, {"bias", "bias"}, {"mw", "max_weight"}}},
      {"rtds",
       "rtds",
       {{"deadline", 0}},
       {{"deadline", 0}},
       {{"budget", 0}, {"level", 0}},
       {{"dl", "deadline"}, {"cb", "budget"}, {"lvl", "level"}},
       {}},
      {"credit1",
       "credit",
       {},
       {{"credit", 0}, {"priority", -64}},
       {{"credit", 0}, {"priority", -64}},
       {{"credit", "credit"}, {"pri", "priority"}, {"res", "residual"}},
       {}},
  }};
  const auto found =
      std::find_if(kDialects.begin(), kDialects.end(), [&](const Dialect& d) { return d.vector_name == vector_name; });
  return found == kDialects.end() ? nullptr : &*found;
}

struct Header {
  std::size_t pcpus = 0;
  std::unique_ptr<Config> config;
};

Header read_header(const Dialect& dialect, const std::vector<std::string_view>& lines, std::string_view file) {
  if (lines.size() < 2) fail(std::string(file), lines.size(), "a header and a script", "the end of the file");
  Header header;
  json::Node values = json::Node::object();
  Words first(lines[0], file, 1);
  header.pcpus = first.number<std::size_t>("a number of pCPUs from 1 to 64", 1, PcpuMask::kMaxPcpus);
  constexpr std::string_view kRatelimit = "a rate limit in us";
  if (dialect.policy == "credit") {
    values.set("ratelimit_us", json::Node::integer(first.number<std::int64_t>(kRatelimit, 0, 1'000'000)));
  } else if (dialect.policy == "credit2") {
    Words second(lines[1], file, 2);
    values.set("runqueue", json::Node::string(std::string(second.word("a runqueue arrangement"))));
    values.set("ratelimit_us", json::Node::integer(second.number<std::int64_t>(kRatelimit, 0, 1'000'000)));
    second.end();
  }
  first.end();
  header.config = find_policy(dialect.policy)->config();
  json::PartOf<Config> part{*header.config};
  Problems problems;
  json::read(values, part, problems);
  problems.throw_if_errors();
  return header;
}

class VectorReplay final : public Replay, private PassObserver {
 public:
  VectorReplay(const Dialect& dialect, std::string_view text, std::string_view file)
      : dialect_(dialect),
        file_(file),
        text_(text),
        lines_(lines_of(text_)),
        header_(read_header(dialect, lines_, file_)),
        machine_(find_policy(dialect.policy)
                     ->make(*header_.config, {places(header_.pcpus), resolve_version(kDefaultXenVersion).behaviour}),
                 header_.pcpus, *this) {}

  void run(LineSink& sink) override {
    sink_ = &sink;
    machine_.add_pcpus();
    machine_.drop_requests();
    for (std::size_t l = dialect_.policy == "credit2" ? 2 : 1; l < lines_.size() && wanted_; ++l) {
      Words words(lines_[l], file_, l + 1);
      if (words.empty()) continue;
      const HvTime at{words.number<std::int64_t>("a time in ns, not before the last one", machine_.now().count(),
                                                 std::int64_t{1} << 52)};
      advance(at);
      machine_.executes_on(PcpuId{0});
      apply(words);
      words.end();
      machine_.settle();
    }
    write_final_state();
  }

  std::string describe(std::string_view unit) const override {
    std::size_t number = 0;
    if (!unit.starts_with('u')) return {};
    const auto [end, error] = std::from_chars(unit.data() + 1, unit.data() + unit.size(), number);
    if (error != std::errc{} || end != unit.data() + unit.size() || number >= machine_.core().units()) return {};
    return describe_unit(machine_.core(), static_cast<UnitId>(number));
  }

 private:
  static std::vector<PcpuPlace> places(std::size_t pcpus) {
    std::vector<PcpuPlace> places(pcpus);
    for (std::size_t p = 0; p < pcpus; ++p) places[p] = {0, static_cast<int>(p), 0, {static_cast<PcpuId>(p)}};
    return places;
  }

  void advance(HvTime at) {
    machine_.settle();
    while (wanted_ && machine_.queue().next() <= to_time(at)) {
      machine_.queue().step();
      machine_.settle();
    }
    machine_.queue().run_until(to_time(at));
  }

  // ---- The operations ----

  void apply(Words& words) {
    const std::string_view op = words.word("an operation");
    if (op == "dom") {
      machine_.core().add_domain(machine_.moment());
      caps_.push_back(0);
    } else if (op == "unit") {
      add_unit(words);
    } else if (op == "wake") {
      wake(unit(words));
    } else if (op == "block") {
      block(unit(words));
    } else if (op == "yield") {
      yield(unit(words));
    } else if (op == "poke") {
      machine_.request_pass(pcpu(words));
    } else if (op == "pause") {
      machine_.core().pause(machine_.moment(), unit(words));
    } else if (op == "unpause") {
      machine_.core().unpause(machine_.moment(), unit(words));
    } else if (op == "aff") {
      set_affinity(words);
    } else {
      set_parameter(op, words);
    }
  }

  void set_parameter(std::string_view op, Words& words) {
    if (op == "weight") {
      const DomainId domain_id = domain(words);
      const auto weight = words.number<std::int32_t>("a weight from 1 to 65535", 1, kMaxWeight);
      report(
          machine_.core().adjust_domain(machine_.moment(), domain_id, {weight, caps_[index(domain_id)], std::nullopt}));
    } else if (op == "cap") {
      const DomainId domain_id = domain(words);
      const auto cap = words.number<std::int32_t>("a cap in percent", 0, 100'000);
      const bool accepted =
          machine_.core().adjust_domain(machine_.moment(), domain_id, {std::nullopt, cap, std::nullopt});
      if (accepted) caps_[index(domain_id)] = cap;
      report(accepted);
    } else if (op == "rl") {
      report(machine_.core().adjust_ratelimit(machine_.moment(), std::chrono::microseconds{words.number<std::int64_t>(
                                                                     "a rate limit in us", 0, 1'000'000)}));
    } else if (op == "par") {
      const UnitId target = unit(words);
      const auto period = words.number<std::int64_t>("a period in us", 0, std::int64_t{1} << 42);
      const auto budget = words.number<std::int64_t>("a budget in us", 0, std::int64_t{1} << 42);
      const auto extratime = words.number<int>("flags 0 or 1", 0, 1);
      report(machine_.core().adjust_unit(
          machine_.moment(), target,
          {std::chrono::microseconds{period}, std::chrono::microseconds{budget}, extratime != 0}));
    } else {
      words.refuse("an operation of the vector format", op);
    }
  }

  void add_unit(Words& words) {
    const DomainId domain_id = domain(words);
    const PcpuId home = pcpu(words);
    const PcpuMask hard = words.mask();
    if (!hard.intersects(PcpuMask::first_n(machine_.core().pcpus())))
      words.refuse("a mask with a pCPU", "none of them");
    const UnitId added = machine_.core().add_unit(
        machine_.moment(), {.domain = domain_id, .pcpu = home, .home_queue_locked = false}, hard);
    line_ = "I ";
    line_ += name_of(added, home);
    append(index(machine_.policy().pcpu_of(added)));
    append_shown(dialect_.created, added);
    write_line();
  }

  void wake(UnitId target) {
    if (machine_.core().down(target)) {
      machine_.core().come_up(machine_.moment(), target);
    } else {
      machine_.core().unblock(machine_.moment(), target);
    }
  }

  void block(UnitId target) {
    if (is_current(target) && machine_.core().runnable(target)) machine_.core().block(machine_.moment(), target);
  }

  void yield(UnitId target) {
    if (is_current(target) && machine_.core().runnable(target)) machine_.core().yield(machine_.moment(), target);
  }

  void set_affinity(Words& words) {
    const UnitId target = unit(words);
    const PcpuMask hard = words.mask();
    std::optional<PcpuMask> soft;
    if (!words.empty()) soft = words.mask();
    if (!hard.intersects(PcpuMask::first_n(machine_.core().pcpus())))
      words.refuse("a mask with a pCPU", "none of them");
    machine_.core().set_affinity(machine_.moment(), target, hard, soft);
  }

  bool is_current(UnitId target) const {
    return machine_.core().state().current_of(machine_.policy().pcpu_of(target)) == target;
  }

  UnitId unit(Words& words) const {
    if (machine_.core().units() == 0) words.refuse("a unit", "a script without units");
    return static_cast<UnitId>(words.number<std::size_t>("the number of a unit", 0, machine_.core().units() - 1));
  }
  PcpuId pcpu(Words& words) const {
    return static_cast<PcpuId>(words.number<std::size_t>("the number of a pCPU", 0, machine_.core().pcpus() - 1));
  }
  DomainId domain(Words& words) const {
    if (caps_.empty()) words.refuse("a domain", "a script without domains");
    return static_cast<DomainId>(words.number<std::size_t>("the number of a domain", 0, caps_.size() - 1));
  }

  // ---- The output ----

  /// Credit's parameters leave no line.
  void report(bool accepted) {
    if (dialect_.policy == "credit") return;
    line_ = "R";
    append(accepted ? 0 : kRefused);
    write_line();
  }

  void decided(PcpuId pcpu, UnitId previous, const Decision& decision) override {
    line_ = "D";
    append(machine_.now().count());
    append(index(pcpu));
    line_ += ' ' + name_of(previous, pcpu) + ' ' + name_of(decision.unit, pcpu);
    append(decision.slice.count());
    append(decision.migrated ? 1 : 0);
    append_shown(dialect_.next, decision.unit);
    append_shown(dialect_.previous, previous);
    write_line();
  }

  void switched(PcpuId, UnitId, UnitId) override {}

  void write_final_state() {
    for (std::size_t q = 0; q < machine_.policy().runqueues(); ++q) {
      const Figures figures = machine_.policy().runqueue_figures(q);
      line_ = "Q";
      append(figures.find("id").value_or(0));
      append_named(dialect_.runqueue, figures);
      std::array<char, 16> hex{};
      const auto [end, error] = std::to_chars(hex.data(), hex.data() + hex.size(),
                                              static_cast<std::uint64_t>(figures.find("idle").value_or(0)), 16);
      line_ += " idle=" + std::string(hex.data(), end);
      write_line();
    }
    for (std::size_t u = 0; u < machine_.core().units(); ++u) {
      const auto id = static_cast<UnitId>(u);
      line_ = "F " + name_of(id, PcpuId{0});
      append_named(dialect_.unit, machine_.policy().figures(id));
      line_ += " m=" + std::to_string(index(machine_.policy().pcpu_of(id)));
      write_line();
    }
  }

  static std::string name_of(UnitId unit, PcpuId pcpu) {
    return unit == kIdle ? "idle" + std::to_string(index(pcpu)) : 'u' + std::to_string(index(unit));
  }

  template <class T>
  void append(T value) {
    line_ += ' ' + std::to_string(value);
  }

  void append_shown(const std::vector<Shown>& shown, UnitId unit) {
    for (const Shown& what : shown) {
      append(unit == kIdle ? what.idle : machine_.policy().figures(unit).find(what.figure).value_or(0));
    }
  }

  void append_named(const std::vector<std::pair<std::string_view, std::string_view>>& named, const Figures& figures) {
    for (const auto& [key, figure] : named) {
      line_ += ' ' + std::string(key) + '=' + std::to_string(figures.find(figure).value_or(0));
    }
  }

  void write_line() {
    if (wanted_) wanted_ = sink_->line(line_);
  }

  const Dialect& dialect_;
  std::string file_;
  std::string text_;
  std::vector<std::string_view> lines_;
  Header header_;
  IdealMachine machine_;
  /// Per domain, as last accepted: a weight is set together with the cap.
  std::vector<std::int32_t> caps_;
  LineSink* sink_ = nullptr;
  bool wanted_ = true;
  std::string line_;
};

}  // namespace

std::unique_ptr<Replay> replay_vector(std::string_view scheduler, std::string_view text, std::string_view file) {
  const Dialect* const dialect = find_dialect(scheduler);
  if (dialect == nullptr || find_policy(dialect->policy) == nullptr) {
    fail(std::string(file), 0, "a vector of credit2, rtds or credit1, as its name says",
         '"' + std::string(scheduler) + '"');
  }
  return std::make_unique<VectorReplay>(*dialect, text, file);
}

}  // namespace vecusim::golden
