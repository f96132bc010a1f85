// Table, CSV and JSON, side by side.
#include "app/sweep_rows.hpp"

#include "analysis/sweep_identity.hpp"

namespace vecusim {

SweepRows::SweepRows(const Sweep& sweep, const SweepForms& forms)
    : sweep_(sweep), json_(forms.json), width_(forms.width) {
  if (forms.csv) csv_.emplace(sweep);
  if (forms.csv && forms.csv != "-") file_.emplace(*forms.csv);
  if (forms.pareto) pareto_.emplace(*forms.pareto);
  if (forms.base) {
    json_base_ = key_of(*forms.base);
    differences_.emplace(sweep, *forms.base);
  }
  if (forms.plots > 0) plot_.emplace(sweep, forms.plots);
}

void SweepRows::add(const SweepRow& row, const std::vector<PairedDifference>& differences) {
  const std::vector<Column> more = to_columns(differences);
  if (csv_) csv_->add(row, more);
  if (json_) json_rows_.push_back(json_members(row, more));
  if (pareto_) pareto_->add(row.columns());
  if (differences_) differences_->add(row, differences);
  if (plot_) plot_->add(row);
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
  for (std::size_t i = 0; i < json_rows_.size(); ++i) json_rows_[i] += ", \"pareto\": " + truths[i];
  table_.add_column("*", stars);
}

std::string SweepRows::json_document() const {
  std::string text = R"({"schema": "vecusim/sweep/1", )";
  if (!json_base_.empty()) text += "\"against\": " + json_base_ + ", ";
  text += "\"rows\": [\n";
  for (std::size_t i = 0; i < json_rows_.size(); ++i) {
    text += "{" + json_rows_[i] + (i + 1 < json_rows_.size() ? "},\n" : "}\n");
  }
  return text + "]}\n";
}

std::string SweepRows::text() const {
  return table_.text(width_) + (differences_ ? "\n" + differences_->text() : "") + (plot_ ? plot_->text() : "");
}

std::string SweepRows::finish() {
  if (pareto_) mark_front();
  if (csv_ && !file_) return csv_->text();
  if (file_) {
    file_->write(csv_->text());
    file_->commit();
  }
  return json_ ? json_document() : text();
}

}  // namespace vecusim
