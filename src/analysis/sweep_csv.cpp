// RFC 4180.
#include "analysis/sweep_csv.hpp"

#include <algorithm>
#include <utility>

#include "system/json_print.hpp"

namespace vecusim {
namespace {

constexpr std::string_view kReplications = "replications";

/// A number as the result document writes it; nothing for null.
std::string cell(const json::Node& value) { return value.kind == json::Kind::null ? "" : json::compact(value); }

/// A wait that did not happen is not in a result's document.
bool is_wait(std::string_view path) { return path.find(".waits_") != std::string_view::npos; }

void append_line(std::string& text, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) text += ',';
    text += csv_field(fields[i]);
  }
  text += '\n';
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

CsvTable::CsvTable(const Sweep& sweep) {
  for (const std::string& pointer : sweep.pointers) column(pointer);
  column(std::string(kReplications));
}

std::size_t CsvTable::column(const std::string& path) {
  const auto [position, added] = columns_.try_emplace(path, header_.size());
  if (added) header_.push_back(path);
  return position->second;
}

void CsvTable::add(const SweepRow& row, const std::vector<Column>& more) {
  std::vector<std::string> cells = row.point.texts;
  cells.push_back(std::to_string(row.result.replications));
  const auto add = [&](const Column& entry) {
    const std::size_t index = column(entry.path);
    if (index >= cells.size()) cells.resize(index + 1);
    cells[index] = cell(entry.value);
  };
  for (const Column& entry : row.columns()) add(entry);
  for (const Column& entry : more) add(entry);
  rows_.push_back(std::move(cells));
}

void CsvTable::add_column(const std::string& name, const std::vector<std::string>& fields) {
  const std::size_t index = column(name);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].resize(std::max(rows_[i].size(), index + 1));
    rows_[i][index] = fields[i];
  }
}

std::string CsvTable::text() const {
  std::string text;
  append_line(text, header_);
  for (std::vector<std::string> cells : rows_) {
    cells.resize(header_.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].empty() && is_wait(header_[i])) cells[i] = "0";
    }
    append_line(text, cells);
  }
  return text;
}

std::string json_members(const SweepRow& row, const std::vector<Column>& more) {
  std::string text;
  const auto add = [&](std::string_view name, const json::Node& value) {
    text += (text.empty() ? "" : ", ") + json::quoted(name) + ": " + json::compact(value);
  };
  for (const auto& [pointer, value] : row.point.values) add(pointer, value);
  add(kReplications, json::Node::integer(row.result.replications));
  for (const Column& entry : row.columns()) add(entry.path, entry.value);
  for (const Column& entry : more) add(entry.path, entry.value);
  return text;
}

}  // namespace vecusim
