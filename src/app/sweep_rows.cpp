// Table, CSV and JSON, side by side.
#include "app/sweep_rows.hpp"

namespace vecusim {

namespace {

std::string json_document(const std::vector<std::string>& lines) {
  std::string text = "{\"schema\": \"vecusim/sweep/1\", \"rows\": [\n";
  for (std::size_t i = 0; i < lines.size(); ++i) text += lines[i] + (i + 1 < lines.size() ? ",\n" : "\n");
  return text + "]}\n";
}

}  // namespace

SweepRows::SweepRows(const Sweep& sweep, const SweepForms& forms) : sweep_(sweep), json_(forms.json) {
  if (forms.csv) csv_.emplace(sweep);
  if (forms.csv && forms.csv != "-") file_.emplace(*forms.csv);
  if (forms.pareto) pareto_.emplace(*forms.pareto);
}

void SweepRows::add(const SweepRow& row) {
  if (csv_) csv_->add(row);
  if (json_) json_lines_.push_back(json_line(row));
  if (pareto_) pareto_->add(to_columns(row.result));
  table_.add(sweep_, row);
}

void SweepRows::mark_front() {
  std::vector<std::string> truths;
  std::vector<std::string> stars;
  for (const bool on : pareto_->front()) {
    truths.emplace_back(on ? "true" : "false");
    stars.emplace_back(on ? "*" : "");
  }
  if (csv_) csv_->add_column("pareto", truths);
  for (std::size_t i = 0; i < json_lines_.size(); ++i) {
    json_lines_[i].insert(json_lines_[i].rfind('}'), ", \"pareto\": " + truths[i]);
  }
  table_.add_column("*", stars);
}

std::string SweepRows::finish() {
  if (pareto_) mark_front();
  if (csv_ && !file_) return csv_->text();
  if (file_) {
    file_->write(csv_->text());
    file_->commit();
  }
  return json_ ? json_document(json_lines_) : table_.text();
}

}  // namespace vecusim
