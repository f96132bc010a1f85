// Requirements and validations as JUnit XML: what a CI server shows as passed, failed or skipped tests.
#include <algorithm>
#include <utility>

#include "analysis/export.hpp"
#include "analysis/text_layout.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

/// Control characters cannot stand in XML at all.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
  }
  return result;
}

std::string percentile_name(double percentile) {
  return percentile >= 100.0 ? "every answer" : "p" + plain(percentile);
}

Testcase testcase_of(const std::string& scenario, const LatencyResult& latency) {
  const RequirementResult& wanted = *latency.requirement;
  const std::string what = percentile_name(wanted.percentile) + " within " + four_digits(wanted.limit) + " µs";
  Testcase testcase{scenario, latency.name + ": " + what};
  const std::string counted = std::to_string(wanted.misses) + " of " + std::to_string(wanted.trials) + " missed";
  if (!wanted.met) {
    testcase.skipped = "too few answers to tell: " + counted;
  } else if (!*wanted.met) {
    testcase.failure = what + " is not met: " + counted + " (" + four_digits(wanted.miss_ppm) + " ppm, at most " +
                       four_digits(wanted.miss_ppm_upper95) + " ppm with 95 % confidence)";
    if (latency.max) testcase.failure += "; greatest " + four_digits(*latency.max) + " µs";
  }
  return testcase;
}

const std::string& text_of(const json::Node& row, std::string_view key, const std::string& at) {
  const json::Node* found = row.find(key);
  if (found != nullptr && found->kind == json::Kind::string) return found->text;
  throw InvalidInput(Problem{row.place, json::child(at, key), "a string, as in vecusim/validation/1",
                             found == nullptr ? "nothing" : json::shown(*found)});
}

/// What of a row was not as measured.
std::string statistics_of(const json::Node& row) {
  std::string text;
  const json::Node* statistics = row.find("statistics");
  if (statistics == nullptr) return text;
  for (const json::Node& statistic : statistics->items) {
    const json::Node* inside = statistic.find("inside");
    if (inside == nullptr || inside->kind != json::Kind::boolean || inside->truth) continue;
    const json::Node* measured = statistic.find("measured");
    const json::Node* predicted = statistic.find("predicted");
    text += "; " + text_of(statistic, "name", "/rows") + " measured " +
            (measured == nullptr ? "?" : json::compact(*measured)) + ", predicted " +
            (predicted == nullptr ? "?" : json::compact(*predicted));
  }
  return text;
}

}  // namespace

std::vector<Testcase> testcases_of(const std::string& scenario, const Result& result) {
  std::vector<Testcase> testcases;
  for (const LatencyResult& latency : result.latency) {
    if (latency.requirement) testcases.push_back(testcase_of(scenario, latency));
  }
  return testcases;
}

std::vector<Testcase> testcases_of(const json::Node& validation) {
  const json::Node* rows = validation.find("rows");
  if (rows == nullptr || rows->kind != json::Kind::array) {
    throw InvalidInput(Problem{validation.place, "/rows", "an array, as in vecusim/validation/1",
                               rows == nullptr ? "nothing" : json::shown(*rows)});
  }
  std::vector<Testcase> testcases;
  for (std::size_t i = 0; i < rows->items.size(); ++i) {
    const json::Node& row = rows->items[i];
    const std::string at = json::child("/rows", i);
    Testcase testcase{text_of(row, "case", at), text_of(row, "row", at)};
    const std::string& expected = text_of(row, "expect", at);
    const json::Node* verdict = row.find("verdict");
    if (verdict == nullptr || verdict->kind != json::Kind::string) {
      testcase.skipped = "nothing to judge";
    } else if (verdict->text != expected) {
      testcase.failure = "expected " + expected + ", found " + verdict->text + statistics_of(row);
    }
    testcases.push_back(std::move(testcase));
  }
  return testcases;
}

void write_junit(const std::vector<Testcase>& testcases, TextStream& out) {
  std::vector<std::pair<std::string, std::vector<const Testcase*>>> suites;
  for (const Testcase& testcase : testcases) {
    auto suite = std::find_if(suites.begin(), suites.end(), [&](const auto& s) { return s.first == testcase.suite; });
    if (suite == suites.end()) suite = suites.insert(suite, {testcase.suite, {}});
    suite->second.push_back(&testcase);
  }
  const auto counts = [&](const auto& all) {
    std::uint64_t failures = 0;
    std::uint64_t skipped = 0;
    for (const Testcase* testcase : all) {
      failures += testcase->failure.empty() ? 0 : 1;
      skipped += testcase->skipped.empty() ? 0 : 1;
    }
    out << " tests=\"" << std::uint64_t{all.size()} << "\" failures=\"" << failures << "\" errors=\"0\" skipped=\""
        << skipped << "\">\n";
  };
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"vecusim\">\n";
  for (const auto& [name, cases] : suites) {
    out << "  <testsuite name=\"" << escaped(name) << '"';
    counts(cases);
    for (const Testcase* testcase : cases) {
      out << "    <testcase classname=\"" << escaped(name) << "\" name=\"" << escaped(testcase->name) << '"';
      if (!testcase->failure.empty()) {
        out << "><failure message=\"" << escaped(testcase->failure) << "\"/></testcase>\n";
      } else if (!testcase->skipped.empty()) {
        out << "><skipped message=\"" << escaped(testcase->skipped) << "\"/></testcase>\n";
      } else {
        out << "/>\n";
      }
    }
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace vecusim
