// What a report is made of: sections of sentences, tables and plots, as one JSON model that a page only has to draw.
//
//   {"schema": "vecusim/report/1", "version", "title", "sources": [SOURCE…]}
//   SOURCE   {"id", "file", "kind", "title", "verdict": CELL or null, "answer": [sentence…], "sections": [SECTION…]}
//   SECTION  {"id", "title", "text": [sentence…], "parts": [PART…]}
//   PART     {"id", "kind", "title", "note", "columns": [{"key", "title", "unit"}…], "rows": [[cell…]…], …}
//   CELL     a number, a text, null, or {"text", "state": "good" | "bad" | "open"}
//
// A plot is drawn from its own rows, so that the table behind it and the file that is downloaded cannot say anything
// else. `kind` says how: see docs/report.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/statistics.hpp"
#include "engine/time.hpp"
#include "system/json_node.hpp"

namespace vecusim::report {

enum class State : std::uint8_t { good, bad, open };

/// A word with a state that is shown as well as said.
json::Node verdict(std::string text, State state);
/// Whether something is as it should be, in two words of the caller's; `open` where it cannot be told.
json::Node verdict(const std::optional<bool>& good, std::string_view yes, std::string_view no, std::string_view open);

/// Six significant digits, as many as a plot or a table can use; null if there is none.
json::Node number(double value);
json::Node number(const std::optional<double>& value);
json::Node us(Duration time);
json::Node us(const std::optional<Duration>& time);

struct Column {
  std::string key;
  std::string title;
  /// As it is printed behind the title; empty for words and counts.
  std::string unit = {};
};

/// One part. Further members say how it is drawn.
class Part {
 public:
  Part(std::string_view kind, std::string id, std::string title, std::vector<Column> columns);

  Part& note(std::string text);
  Part& set(std::string key, json::Node value);
  /// As many cells as there are columns.
  void row(std::vector<json::Node> cells);
  bool empty() const { return rows_.items.empty(); }
  json::Node take();

 private:
  json::Node node_;
  json::Node rows_;
};

class Section {
 public:
  Section(std::string id, std::string title);

  Section& say(std::string sentence);
  void add(Part part);
  json::Node take();

 private:
  json::Node node_;
  json::Node text_;
  json::Node parts_;
};

/// What a report says of one document.
struct Source {
  std::string id;
  std::string file;
  /// "result", "sweep", "validation", "calibration" or "sensitivity".
  std::string kind;
  std::string title;
  /// Null if the document judges nothing.
  json::Node verdict = {};
  std::vector<std::string> answer = {};
  std::vector<Section> sections = {};
};
json::Node to_json(Source source);

/// What an anchor may be made of: lower-case letters, digits and single hyphens. Never empty.
std::string anchor(std::string_view text);

// A document read with indulgence: what is not there is empty, for a report says what there is.

/// Null stands for what is missing.
const json::Node& member(const json::Node& node, std::string_view key);
std::string text_of(const json::Node& node, std::string_view key);
std::optional<double> number_of(const json::Node& node, std::string_view key);
std::optional<bool> truth_of(const json::Node& node, std::string_view key);
std::optional<Interval> interval_of(const json::Node& node, std::string_view key);
/// "min_us" as people write it, "min", and its unit, "µs".
struct NameAndUnit {
  std::string name;
  std::string unit;
};
NameAndUnit name_and_unit(std::string_view key);

/// Four digits, thousands apart by a thin blank: "12 345".
std::string digits(double value);
/// The same in µs, with the unit.
std::string in_us(double us);
/// A count, exact: "1 054 321".
std::string whole(std::uint64_t n);
/// "1 sample", "3 samples".
std::string count_of(std::uint64_t n, std::string_view one, std::string_view many);

}  // namespace vecusim::report
