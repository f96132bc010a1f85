// Files attached one after the other, each row taken if it is better.
#include "analysis/sweep_merge.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "analysis/sweep_database.hpp"
#include "analysis/sweep_identity.hpp"
#include "analysis/sweep_store.hpp"
#include "system/output_file.hpp"

namespace vecusim {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> columns_of(Database& database, const std::string& schema) {
  std::vector<std::string> names;
  auto columns = database.prepare("SELECT name FROM pragma_table_info('rows', '" + schema + "') WHERE name <> 'point'");
  while (columns.step()) names.emplace_back(columns.text(0));
  return names;
}

/// The rows of `other` into `main`.
void take_rows(Database& database) {
  const std::vector<std::string> theirs = columns_of(database, "other");
  const std::vector<std::string> before = columns_of(database, "main");
  const std::set<std::string> ours(before.begin(), before.end());
  for (const std::string& name : theirs) {
    if (!ours.contains(name)) database.execute("ALTER TABLE main.rows ADD COLUMN " + quoted_name(name));
  }
  database.execute(
      "CREATE TEMP TABLE taken AS SELECT key FROM other.rows AS theirs WHERE NOT EXISTS (SELECT 1 FROM "
      "main.rows AS ours WHERE ours.key = theirs.key AND ours.replications >= theirs.replications)");
  database.execute("INSERT INTO main.rows(" + name_list(theirs) + ") SELECT " + name_list(theirs) +
                   " FROM other.rows WHERE key IN (SELECT key FROM taken) ORDER BY point "
                   "ON CONFLICT(key) DO UPDATE SET " +
                   excluded_list(theirs));
  database.execute(
      "INSERT OR REPLACE INTO main.states SELECT ours.point, state.tally FROM taken JOIN main.rows AS ours USING (key) "
      "JOIN other.rows AS theirs USING (key) JOIN other.states AS state ON state.point = theirs.point");
  // They are of fewer replications than the points have now; a sweep with --against-point makes them anew.
  database.execute(
      "DELETE FROM main.differences WHERE against IN (SELECT key FROM taken) OR "
      "point IN (SELECT point FROM main.rows WHERE key IN (SELECT key FROM taken))");
  database.execute("DROP TABLE taken");
}

void take_file(Database& database, const fs::path& file) {
  auto attach = database.prepare("ATTACH ? AS other");
  attach.bind(1, file.string()).run();
  {
    Transaction transaction(database);
    if (points_in(database) == 0) {  // what it says it is of is nothing
      database.execute("DELETE FROM main.sweep; INSERT INTO main.sweep SELECT * FROM other.sweep");
    }
    take_rows(database);
    transaction.commit();
  }
  database.execute("DETACH other");
}

template <class Action>
void with_reason(const fs::path& file, Action action) {
  try {
    action();
  } catch (const DatabaseError& error) {
    throw InvalidInput(Problem{{}, {}, "the file of a sweep", file.string() + ": " + error.what()});
  }
}

/// What the file's sweep is; nothing if it has no points.
std::map<std::string, std::string> sweep_of(const fs::path& file) {
  Database database = read_store(file);
  std::map<std::string, std::string> facts;
  with_reason(file, [&] {
    auto tables = database.prepare("SELECT count(*) FROM sqlite_master");
    tables.step();
    if (tables.integer(0) > 0 && points_in(database) > 0) facts = facts_of(database, "main");
  });
  return facts;
}

/// All of one sweep, that of the target if it has one. Those that have points.
std::vector<fs::path> check_files(const fs::path& target, const std::vector<fs::path>& files) {
  std::map<std::string, std::string> ours;
  std::vector<fs::path> filled;
  const auto check = [&](const fs::path& file) {
    auto theirs = sweep_of(file);
    if (theirs.empty()) return false;
    if (ours.empty()) {
      check_schema(file.string(), theirs);
      ours = std::move(theirs);
    } else {
      check_identity(file.string(), ours, theirs);
    }
    return true;
  };
  if (fs::exists(target)) check(target);
  for (const fs::path& file : files) {
    if (!fs::exists(file)) {
      throw InvalidInput(Problem{{}, {}, "the file of a sweep", file.string() + ": no such file"});
    }
    if (fs::exists(target) && fs::equivalent(target, file)) {
      throw InvalidInput(Problem{{}, {}, "files other than --out", file.string() + ", which is " + target.string()});
    }
    if (check(file)) filled.push_back(file);
  }
  return filled;
}

}  // namespace

Merged merge_sweeps(const fs::path& target, const std::vector<fs::path>& files) {
  const std::vector<fs::path> filled = check_files(target, files);
  Database database = open_store(target);
  for (const fs::path& file : filled) with_reason(file, [&] { take_file(database, file); });
  return {files.size(), static_cast<std::size_t>(points_in(database))};
}

}  // namespace vecusim
