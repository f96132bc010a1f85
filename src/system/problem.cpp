// The text and the document of problems.
#include "system/problem.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "system/json_node.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

std::string_view name_of(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

/// On one line whatever a key contains: control characters as JSON escapes them.
std::string one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      result += c;
    } else {
      const std::string escaped = json::quoted(std::string_view{&c, 1});
      result.append(escaped, 1, escaped.size() - 2);
    }
  }
  return result;
}

json::Node to_json(const Problem& problem) {
  using json::Node;
  Node node = Node::object();
  node.set("file", Node::string(problem.place.file_name()));
  node.set("line", Node::integer(problem.place.line));
  node.set("column", Node::integer(problem.place.column));
  node.set("pointer", Node::string(problem.pointer));
  node.set("expected", Node::string(problem.expected));
  node.set("found", Node::string(problem.found));
  node.set("suggestion", problem.suggestion.empty() ? Node{} : Node::string(problem.suggestion));
  node.set("severity", Node::string(std::string{name_of(problem.severity)}));
  node.set("rule", Node::string(problem.rule));
  return node;
}

}  // namespace

std::string to_text(const Problem& problem) {
  std::string text;
  if (problem.place.line > 0) {
    text = problem.place.file_name() + ":" + std::to_string(problem.place.line) + ":" +
           std::to_string(problem.place.column) + ": ";
  }
  text += (problem.pointer.empty() ? "/" : problem.pointer) + ": expected " + problem.expected;
  text += ", found " + problem.found;
  if (!problem.suggestion.empty()) text += "; did you mean \"" + problem.suggestion + "\"?";
  if (problem.severity == Severity::warning) text += " [warning: " + problem.rule + "]";
  return one_line(text);
}

void Problems::add(Problem problem) {
  if (problem.severity == Severity::error) ++errors_;
  if (!full()) {
    kept_.push_back(std::move(problem));
  } else {
    ++dropped_;
  }
}

void Problems::append(const Problems& others) {
  const std::size_t errors = errors_ + others.errors_;
  for (const Problem& problem : others.kept_) add(problem);
  dropped_ += others.dropped_;
  errors_ = errors;
}

std::vector<Problem> Problems::in_order() const {
  std::vector<Problem> sorted = kept_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
    return std::tuple(a.place.file_name(), a.place.line, a.place.column) <
           std::tuple(b.place.file_name(), b.place.line, b.place.column);
  });
  return sorted;
}

std::string Problems::text() const {
  std::string lines;
  for (const Problem& problem : in_order()) lines += to_text(problem) + "\n";
  if (dropped_ > 0) lines += "and " + std::to_string(dropped_) + " more problems\n";
  return lines;
}

json::Node Problems::to_json() const {
  using json::Node;
  Node list = Node::array();
  for (const Problem& problem : in_order()) list.push_back(vecusim::to_json(problem));
  Node document = Node::object();
  document.set("schema", Node::string("vecusim/problems/1"));
  document.set("problems", std::move(list));
  if (dropped_ > 0) document.set("more", Node::integer(dropped_));
  return document;
}

void Problems::throw_if_errors() const {
  if (has_errors()) throw InvalidInput(*this);
}

InvalidInput::InvalidInput(Problem problem)
    : InvalidInput([&] {
        Problems problems;
        problems.add(std::move(problem));
        return problems;
      }()) {}

}  // namespace vecusim
