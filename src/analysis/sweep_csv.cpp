// RFC 4180.
#include "analysis/sweep_csv.hpp"

#include <algorithm>
#include <utility>

#include "system/json_print.hpp"

namespace vecusim {
namespace {

constexpr std::string_view kReplications = "replications";

/// A wait that did not happen is not in a result's document.
bool is_wait(std::string_view path) { return path.find(".waits_") != std::string_view::npos; }

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

CsvTable::CsvTable(const Sweep& sweep) : fixed_(sweep.pointers.size() + 1) {
  for (const std::string& pointer : sweep.pointers) column(pointer);
  column(kReplications);
}

std::size_t CsvTable::column(std::string_view path) {
  if (expected_ == header_.size() || header_[expected_] != path) {
    const auto found = columns_.find(path);
    expected_ = found != columns_.end() ? found->second : header_.size();
    if (found == columns_.end()) {
      columns_.emplace(path, header_.size());
      header_.emplace_back(path);
      cells_.emplace_back();
    }
  }
  return expected_++;
}

// A number as the result document writes it; nothing for null.
void CsvTable::put(const Column& entry) {
  std::string& cell = cells_[column(entry.path)];
  if (entry.value.is_number()) {
    cell = entry.value.text;
  } else if (entry.value.kind != json::Kind::null) {
    cell = json::compact(entry.value);
  }
}

void CsvTable::add(const SweepRow& row, const std::vector<Column>& more) {
  for (std::string& cell : cells_) cell.clear();
  std::copy(row.point.texts.begin(), row.point.texts.end(), cells_.begin());
  cells_[fixed_ - 1] = std::to_string(row.result.replications);
  expected_ = fixed_;
  for (const Column& entry : row.columns()) put(entry);
  for (const Column& entry : more) put(entry);
  line_.clear();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (i > 0) line_ += ',';
    line_ += cells_[i].empty() && is_wait(header_[i]) ? "0" : csv_field(cells_[i]);
  }
  if (growth_.empty() || growth_.back().columns < cells_.size()) growth_.push_back({rows_, cells_.size()});
  lines_.add(line_);
  ++rows_;
}

std::string CsvTable::missing_from(std::size_t columns) const {
  std::string text;
  for (; columns < header_.size(); ++columns) text += is_wait(header_[columns]) ? ",0" : ",";
  return text;
}

void CsvTable::write(Pieces& out, const std::optional<LastColumn>& last) {
  for (std::size_t i = 0; i < header_.size(); ++i) out.add((i > 0 ? "," : "") + csv_field(header_[i]));
  out.add(last ? "," + csv_field(last->name) + "\n" : "\n");
  std::string missing;
  std::size_t row = 0;
  auto growth = growth_.begin();
  lines_.read([&](std::string_view line) {
    if (growth != growth_.end() && growth->row == row) missing = missing_from((growth++)->columns);
    out.add(line);
    out.add(missing);
    out.add(last ? "," + csv_field(last->field(row)) + "\n" : "\n");
    ++row;
  });
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
