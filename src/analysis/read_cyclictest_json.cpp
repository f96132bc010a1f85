// The document of cyclictest --json.
#include <algorithm>

#include "analysis/read_cyclictest.hpp"
#include "analysis/text_records.hpp"
#include "system/json_decimal.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

using json::Node;

class Reader {
 public:
  explicit Reader(LatencyReading& reading) : reading_(reading) {}

  void read(const Node& document) {
    // rt-tests writes two keys with a colon in them.
    fact(document, "cmdline:", "command");
    fact(document, "cmdline", "command");
    fact(document, "rt_test_version:", "rt_tests");
    fact(document, "rt_test_version", "rt_tests");
    fact(document, "start_time", "start_time");
    fact(document, "end_time", "end_time");
    if (const Node* system = document.find("sysinfo")) {
      for (const char* key : {"sysname", "release", "version", "machine", "realtime"})
        fact(*system, key, std::string("system_") + key);
    }
    const Node* unit = document.find("resolution_in_ns");
    unit_ = unit != nullptr && unit->text == "1" ? Duration{1'000} : Duration{1us};
    reading_.step = unit_;
    reading_.truncated = true;
    const Node* threads = document.find("thread");
    if (threads == nullptr || threads->kind != json::Kind::object) return bad(document, "/thread", "threads", threads);
    for (const json::Member& thread : threads->members) {
      read_thread(thread.key, thread.value, json::child("/thread", thread.key));
    }
  }

 private:
  void fact(const Node& of, std::string_view key, std::string name) {
    const Node* found = of.find(key);
    if (found != nullptr && !found->text.empty()) reading_.facts.emplace_back(std::move(name), found->text);
  }

  void bad(const Node& at, std::string pointer, std::string expected, const Node* found) {
    reading_.problems.add({found == nullptr ? at.place : found->place, std::move(pointer), std::move(expected),
                           found == nullptr ? "nothing" : json::shown(*found)});
  }

  std::optional<std::uint64_t> count(const Node& node, const std::string& at, const char* key) {
    const Node* found = node.find(key);
    const auto value = found == nullptr ? std::nullopt : found->as_uint64();
    if (value && *value <= kMostCounted) return value;
    bad(node, json::child(at, key), "a whole number of at most 10^15", found);
    return std::nullopt;
  }

  std::optional<Duration> time(const Node& node, const std::string& at, const char* key) {
    const Node* found = node.find(key);
    const auto digits = unit_ == Duration{1us} ? 6 : 3;
    const auto value = found == nullptr || !found->is_number() ? std::nullopt : parse_duration(found->text, digits);
    if (!value) bad(node, json::child(at, key), "a latency of at least 0", found);
    return value;
  }

  void read_thread(const std::string& key, const Node& thread, const std::string& at) {
    LatencySeries series{"thread " + key};
    const std::size_t before = reading_.problems.errors();
    series.printed_n = count(thread, at, "cycles");
    if (series.printed_n.value_or(0) > 0) {
      series.printed_min = time(thread, at, "min");
      series.printed_mean = time(thread, at, "avg");
      series.printed_max = time(thread, at, "max");
    }
    if (const Node* histogram = thread.find("histogram"))
      read_histogram(*histogram, json::child(at, "histogram"), series);
    if (reading_.problems.errors() != before) return;
    const std::uint64_t counted = series.counted();
    if (!series.counts.empty() && *series.printed_n > counted) series.overflows = *series.printed_n - counted;
    if (*series.printed_n < counted) {
      reading_.problems.add({thread.place, json::child(at, "cycles"),
                             "at least the histogram's " + std::to_string(counted), std::to_string(*series.printed_n)});
    }
    if (series.overflows > 0) {
      reading_.problems.add(
          {thread.place,
           at,
           "all samples in the histogram",
           std::to_string(series.overflows) + " of " + std::to_string(series.n()) + " beyond: the tail is cut off",
           {},
           Severity::warning,
           "cyclictest"});
    }
    reading_.series.push_back(std::move(series));
  }

  void read_histogram(const Node& histogram, const std::string& at, LatencySeries& series) {
    for (const json::Member& bucket : histogram.members) {
      const auto value = parse_duration(bucket.key, unit_ == Duration{1us} ? 6 : 3);
      const auto n = bucket.value.as_uint64();
      if (!value || !n || *n > kMostCounted) {
        bad(histogram, json::child(at, bucket.key), "a latency, and a count of at most 10^15", &bucket.value);
        continue;
      }
      if (*n > 0) series.counts.push_back({*value, *n});
    }
    std::sort(series.counts.begin(), series.counts.end(),
              [](const LatencyCount& a, const LatencyCount& b) { return a.value < b.value; });
  }

  LatencyReading& reading_;
  Duration unit_ = 1us;
};

}  // namespace

LatencyReading read_cyclictest_json(std::string_view text, const std::string& name) {
  LatencyReading reading;
  const auto document = json::parse(text, name, reading.problems);
  if (document) Reader{reading}.read(*document);
  return reading;
}

}  // namespace vecusim
