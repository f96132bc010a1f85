// Table, CSV and JSON, side by side.
#include "analysis/sweep_rows.hpp"

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
  if (json_) json_rows_.add(json_members(row, more));
  if (pareto_) pareto_->add(row.columns());
  ++size_;
  if (json_ || (csv_ && !file_)) return;  // no tables
  if (differences_) differences_->add(row, differences);
  if (plot_) plot_->add(row);
  table_.add(sweep_, row);
}

void SweepRows::write_json(Pieces& out) {
  out.add(R"({"schema": "vecusim/sweep/1", )");
  if (!json_base_.empty()) out.add("\"against\": " + json_base_ + ", ");
  out.add("\"rows\": [\n");
  std::size_t row = 0;
  json_rows_.read([&](std::string_view members) {
    out.add("{");
    out.add(members);
    if (pareto_) out.add(front_[row] ? ", \"pareto\": true" : ", \"pareto\": false");
    out.add(++row < size_ ? "},\n" : "}\n");
  });
  out.add("]}\n");
}

void SweepRows::write_tables(Pieces& out) {
  if (pareto_) table_.add_column("*", [this](std::size_t point) { return front_[point] ? "*" : ""; });
  table_.write(out, width_);
  if (differences_) {
    out.add("\n");
    differences_->write(out);
  }
  if (plot_) out.add(plot_->text());
}

void SweepRows::finish(Pieces& out) {
  std::optional<CsvTable::LastColumn> pareto;
  if (pareto_) {
    front_ = pareto_->front();
    pareto = {"pareto", [this](std::size_t row) { return front_[row] ? "true" : "false"; }};
  }
  if (csv_ && !file_) return csv_->write(out, pareto);
  if (file_) {
    Pieces pieces([this](std::string_view text) { file_->write(text); });
    csv_->write(pieces, pareto);
    pieces.flush();
    file_->commit();
  }
  if (json_) return write_json(out);
  write_tables(out);
}

}  // namespace vecusim
