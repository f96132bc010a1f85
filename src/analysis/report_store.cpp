// Rows of the database, columns by their names.
#include "analysis/report_store.hpp"

#include <algorithm>
#include <utility>

#include "analysis/bytes.hpp"
#include "analysis/sweep_identity.hpp"
#include "analysis/sweep_store.hpp"
#include "analysis/tally.hpp"
#include "system/json_parse.hpp"

namespace vecusim::report {
namespace {

json::Node parsed(const std::string& text) {
  Problems problems;
  return json::parse(text, "", problems).value_or(json::Node{});
}

std::optional<Box> box_of(const Samples& samples) {
  if (samples.n() == 0) return std::nullopt;
  const OrderStatistics ordered(samples);
  return Box{samples.min(), ordered.quantile(0.25), ordered.quantile(0.5), ordered.quantile(0.75), samples.max()};
}

std::vector<std::optional<Box>> boxes_of(std::string_view state) {
  Tally tally;
  ByteReader bytes(state);
  bytes(tally);
  bytes.finish();
  std::vector<std::optional<Box>> boxes;
  for (const LatencyTally& latency : tally.latency) boxes.push_back(box_of(latency.samples));
  return boxes;
}

/// The columns of the rows that are numbers of results.
std::vector<std::string> paths_of(Database& database, const std::vector<std::string>& pointers) {
  std::vector<std::string> paths;
  auto columns = database.prepare(
      "SELECT name FROM pragma_table_info('rows') WHERE name NOT IN ('point', 'key', 'replications', 'details')");
  while (columns.step()) {
    std::string name(columns.text(0));
    if (std::find(pointers.begin(), pointers.end(), name) == pointers.end()) paths.push_back(std::move(name));
  }
  return paths;
}

std::vector<StoredPoint> points_of(Database& database, const StoredSweep& sweep) {
  std::vector<std::string> names = sweep.pointers;
  names.insert(names.end(), sweep.paths.begin(), sweep.paths.end());
  auto rows = database.prepare("SELECT rows.replications, states.tally" + std::string(names.empty() ? "" : ", ") +
                               name_list(names) + " FROM rows JOIN states USING (point) ORDER BY point");
  std::vector<StoredPoint> points;
  while (rows.step()) {
    StoredPoint& point = points.emplace_back();
    point.replications = static_cast<std::uint64_t>(rows.integer(0));
    point.boxes = boxes_of(rows.text(1));
    int column = 2;
    for (std::size_t i = 0; i < sweep.pointers.size(); ++i, ++column) {
      point.values.push_back(rows.real(column));
      point.texts.emplace_back(rows.text(column));
    }
    for (std::size_t i = 0; i < sweep.paths.size(); ++i, ++column) point.numbers.push_back(rows.real(column));
  }
  return points;
}

}  // namespace

std::optional<std::size_t> StoredSweep::column(std::string_view path) const {
  const auto found = std::find(paths.begin(), paths.end(), path);
  return found == paths.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - paths.begin()));
}

std::optional<double> StoredSweep::number(const StoredPoint& point, std::string_view path) const {
  const auto at = column(path);
  return at ? point.numbers[*at] : std::nullopt;
}

std::vector<std::string> StoredSweep::names(std::string_view prefix, std::string_view ending) const {
  std::vector<std::string> result;
  for (const std::string& path : paths) {
    if (!path.starts_with(prefix) || !path.ends_with(ending)) continue;
    const std::string name = path.substr(prefix.size(), path.size() - prefix.size() - ending.size());
    if (name.find(".ci95") == std::string::npos) result.push_back(name);
  }
  return result;
}

bool is_database(std::string_view content) { return content.starts_with("SQLite format 3"); }

StoredSweep read_stored_sweep(const std::filesystem::path& path) {
  try {
    Database database = read_store(path);
    auto facts = facts_of(database, "main");
    check_schema(path.string(), facts);
    StoredSweep sweep;
    sweep.program = facts["program"];
    sweep.scenario = parsed(facts["scenario"]);
    sweep.inputs = parsed(facts["inputs"]);
    for (const json::Node& pointer : parsed(facts["varied"]).items) sweep.pointers.push_back(pointer.text);
    sweep.paths = paths_of(database, sweep.pointers);
    sweep.points = points_of(database, sweep);
    return sweep;
  } catch (const DatabaseError& error) {
    throw InvalidInput(Problem{{}, {}, "the store of a sweep", path.string() + ": " + error.what()});
  } catch (const DamagedBytes& error) {
    throw InvalidInput(Problem{{}, {}, "the store of a sweep", path.string() + ": " + error.what()});
  }
}

}  // namespace vecusim::report
