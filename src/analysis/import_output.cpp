// What has been imported as documents: the summary, and the samples.
#include <algorithm>

#include "analysis/import.hpp"
#include "analysis/latency_figures.hpp"
#include "system/json_decimal.hpp"

namespace vecusim {
namespace {

using json::Node;

constexpr int kPsPerUs = 6;
/// A line of bench data stands for no more edges.
constexpr std::uint64_t kMostOfOneLine = 10'000'000;

Node text(std::string_view value) { return Node::string(std::string(value)); }

std::string us(Duration value) { return json::print_decimal(value.count(), -kPsPerUs); }

void add_lines(std::string& csv, const std::string& value, std::uint64_t n) {
  for (; n > 0; n -= std::min(n, kMostOfOneLine))
    csv += value + "," + std::to_string(std::min(n, kMostOfOneLine)) + "\n";
}

}  // namespace

json::Node to_json(const std::vector<Imported>& files) {
  Node list = Node::array();
  for (const Imported& file : files) {
    Node facts = Node::object();
    for (const Fact& fact : file.facts) facts.set(fact.first, Node::string(fact.second));
    Node tables = Node::object();
    for (const ImportTable& table : file.tables) {
      Node rows = Node::array();
      for (const std::vector<Node>& cells : table.rows) {
        Node row = Node::object();
        for (std::size_t i = 0; i < cells.size(); ++i) row.set(table.columns[i], cells[i]);
        rows.push_back(std::move(row));
      }
      tables.set(table.key, std::move(rows));
    }
    list.push_back(Node::object({{"file", text(file.name)},
                                 {"form", text(file.form->name)},
                                 {"facts", std::move(facts)},
                                 {"tables", std::move(tables)},
                                 {"problems", file.problems.to_json()}}));
  }
  return Node::object({{"schema", text("vecusim/import/1")}, {"files", std::move(list)}});
}

std::string samples_csv(const Imported& file) {
  if (!file.times.empty()) return file.times;
  const LatencySeries all = pooled(file.latencies);
  if (all.counts.empty()) return {};
  const bool counted = all.counted() > all.counts.size() || all.missed > 0;
  std::string csv = counted ? "latency_us,count\n" : "latency_us\n";
  for (const LatencyCount& count : all.counts) {
    if (counted) {
      add_lines(csv, us(count.value), count.n);
    } else {
      csv += us(count.value) + "\n";
    }
  }
  add_lines(csv, "", all.missed);
  return csv;
}

json::Node samples_json(const Imported& file) {
  Node list = Node::array();
  for (const LatencySeries& series : file.latencies.series) {
    Node values = Node::array();
    Node counts = Node::array();
    for (const LatencyCount& count : series.counts) {
      values.push_back(Node::number(us(count.value)));
      counts.push_back(Node::integer(count.n));
    }
    list.push_back(Node::object({{"name", text(series.name)},
                                 {"latency_us", std::move(values)},
                                 {"count", std::move(counts)},
                                 {"beyond", Node::integer(series.overflows)},
                                 {"missed", Node::integer(series.missed)}}));
  }
  return Node::object({{"schema", text("vecusim/samples/1")}, {"series", std::move(list)}});
}

}  // namespace vecusim
