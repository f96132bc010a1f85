// Finding, replaying and comparing golden files.
#include "system/golden.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <set>
#include <string_view>

#include "system/golden_case_replay.hpp"
#include "system/golden_replay.hpp"
#include "system/golden_text.hpp"
#include "system/golden_vector.hpp"
#include "system/json_parse.hpp"

namespace vecusim::golden {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCaseEnding = ".case.json";
constexpr std::string_view kVectorEnding = ".in";
constexpr std::string_view kVectorOutput = ".out";

bool is_case(const fs::path& file) { return file.filename().string().ends_with(kCaseEnding); }

class Printer final : public LineSink {
 public:
  explicit Printer(std::ostream& out) : out_(out) {}
  bool line(std::string_view text) override {
    out_ << text << '\n';
    return static_cast<bool>(out_);
  }

 private:
  std::ostream& out_;
};

class Comparison final : public LineSink {
 public:
  Comparison(const Replay& replay, const std::vector<std::string_view>& expected)
      : replay_(replay), expected_(expected) {}

  bool line(std::string_view text) override {
    const std::string_view wanted = next_ < expected_.size() ? expected_[next_] : std::string_view{};
    ++next_;
    if (text == wanted) return true;
    differ(wanted, text);
    return false;
  }

  std::optional<Difference> result() {
    if (!difference_ && next_ < expected_.size()) {
      ++next_;
      differ(expected_[next_ - 1], {});
    }
    return difference_;
  }

 private:
  void differ(std::string_view wanted, std::string_view got) {
    difference_ = {next_, std::string(wanted), std::string(got), {}};
    std::set<std::string> seen;
    for (const std::string_view text : {wanted, got}) {
      for (const std::string& word : words(text)) {
        if (!seen.insert(word).second) continue;
        const std::string state = replay_.describe(word);
        if (!state.empty()) difference_->state.push_back(std::string(word).append(": ").append(state));
      }
    }
  }

  static std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
        words.back() += c;
      } else if (!words.back().empty()) {
        words.emplace_back();
      }
    }
    return words;
  }

  const Replay& replay_;
  const std::vector<std::string_view>& expected_;
  std::size_t next_ = 0;
  std::optional<Difference> difference_;
};

/// Whether a line could be one of the trace of such an input.
bool plausible(std::string_view line, bool of_case) {
  if (!of_case)
    return line.size() > 2 && line[1] == ' ' && std::string_view("DIRQF").find(line[0]) != std::string_view::npos;
  Problems problems;
  const std::optional<json::Node> node = json::parse(line, "", problems);
  return node && problems.empty() && (node->find("t") != nullptr || node->find("end") != nullptr);
}

/// A trace ends with its totals, or with the final state of the units: without that its end is missing.
void require_end(const std::vector<std::string_view>& lines, bool of_case, const fs::path& file) {
  if (!lines.empty() && lines.back().starts_with(of_case ? R"({"end":)" : "F ")) return;
  fail(file, lines.size() + 1, of_case ? "the line of totals" : "the final state of the units", "the end of the file");
}

std::optional<fs::path> expected_of(const fs::path& input) {
  const std::string name = input.filename().string();
  if (!is_case(input)) {
    const fs::path out = fs::path(input).replace_extension(kVectorOutput);
    return fs::exists(out) ? std::optional(out) : std::nullopt;
  }
  const std::string stem = name.substr(0, name.size() - kCaseEnding.size());
  for (const std::string_view ending : {".trace.jsonl", ".trace.jsonl.gz"}) {
    const fs::path trace = input.parent_path() / (stem + std::string(ending));
    if (fs::exists(trace)) return trace;
  }
  return std::nullopt;
}

int run_folder(const fs::path& folder, std::ostream& out) {
  const std::vector<Pair> pairs = find_pairs(folder);
  if (pairs.empty()) fail(folder, 0, "golden cases or vectors with their expected traces", "none");
  std::size_t failed = 0;
  for (const Pair& pair : pairs) {
    try {
      const std::optional<Difference> difference = compare(pair);
      if (!difference) continue;
      out << to_text(*difference, pair.input);
    } catch (const InvalidInput& invalid) {
      out << invalid.what();
    }
    ++failed;
  }
  out << pairs.size() - failed << " passed, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}

}  // namespace

std::unique_ptr<Replay> open_replay(const fs::path& input) {
  const std::string text = read_text(input);
  if (is_case(input)) return replay_case(read_case(text, input.string()));
  const std::string name = input.filename().string();
  return replay_vector(std::string_view(name).substr(0, name.find('-')), text, input.string());
}

std::string describe_unit(const SchedCore& core, UnitId unit) {
  std::string text = "pCPU " + std::to_string(index(core.policy().pcpu_of(unit)));
  text += core.state()[unit].running ? ", running" : core.runnable(unit) ? ", runnable" : ", not runnable";
  for (const Figure& figure : core.policy().figures(unit)) {
    text += ", " + std::string(figure.name) + ' ' + std::to_string(figure.value);
  }
  return text;
}

bool is_input(const fs::path& file) { return is_case(file) || file.extension() == kVectorEnding; }

std::vector<Pair> find_pairs(const fs::path& folder) {
  std::vector<Pair> pairs;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || !is_input(entry.path())) continue;
    if (const std::optional<fs::path> expected = expected_of(entry.path())) pairs.push_back({entry.path(), *expected});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.input < b.input; });
  return pairs;
}

void write_trace(const fs::path& input, std::ostream& out) {
  Printer printer(out);
  open_replay(input)->run(printer);
}

std::optional<Difference> compare(Replay& replay, const fs::path& expected_file) {
  const bool of_case = expected_file.extension() != kVectorOutput;
  const std::string text = read_text(expected_file);
  const std::vector<std::string_view> expected = lines_of(text);
  require_end(expected, of_case, expected_file);
  Comparison comparison(replay, expected);
  replay.run(comparison);
  std::optional<Difference> difference = comparison.result();
  if (difference && !difference->expected.empty() && !plausible(difference->expected, of_case)) {
    fail(expected_file, difference->line, "a line of a golden trace", '"' + difference->expected + '"');
  }
  return difference;
}

std::optional<Difference> compare(const Pair& pair) { return compare(*open_replay(pair.input), pair.expected); }

std::string to_text(const Difference& difference, const fs::path& input) {
  const auto or_end = [](const std::string& line) { return line.empty() ? std::string("the end of the trace") : line; };
  std::string text = input.string() + ": line " + std::to_string(difference.line) + " of the trace differs\n";
  text += "  expected " + or_end(difference.expected) + '\n';
  text += "  got      " + or_end(difference.got) + '\n';
  for (const std::string& state : difference.state) text += "  " + state + '\n';
  return text;
}

int run_policy(const fs::path& path, const std::optional<fs::path>& expected, std::ostream& out) {
  if (fs::is_directory(path)) return run_folder(path, out);
  if (!is_input(path)) fail(path, 0, "NAME.case.json or NAME.in", "another name");
  if (!expected) {
    write_trace(path, out);
    return 0;
  }
  const std::optional<Difference> difference = compare({path, *expected});
  out << (difference ? to_text(*difference, path) : "identical\n");
  return difference ? 1 : 0;
}

}  // namespace vecusim::golden
