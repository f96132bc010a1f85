// Tables, columns as they come, and one transaction for each point.
#include "analysis/sweep_store.hpp"

#include <utility>

#include "analysis/bytes.hpp"
#include "analysis/sweep_identity.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"

namespace vecusim {
namespace {

/// SQLite refuses tables of more than 2000 columns; what does not fit is in `details`.
constexpr std::size_t kMostColumns = 1900;

constexpr std::string_view kTables =
    "CREATE TABLE sweep(name TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE rows(point INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, replications INTEGER NOT NULL, "
    "details TEXT NOT NULL);"
    "CREATE TABLE states(point INTEGER PRIMARY KEY REFERENCES rows, tally BLOB NOT NULL);"
    "CREATE TABLE differences(against TEXT NOT NULL, point INTEGER NOT NULL REFERENCES rows, path TEXT NOT NULL, "
    "change REAL NOT NULL, lo REAL, hi REAL, PRIMARY KEY(against, point, path)) WITHOUT ROWID;"
    "CREATE INDEX differences_of_point ON differences(point);"
    "CREATE VIEW details AS SELECT point, json_each.key AS path, json_each.value AS value "
    "FROM rows, json_each(rows.details);";

bool is_detail(std::string_view path) { return path.find(".stages.") != std::string_view::npos; }

void bind(Statement& statement, int position, const json::Node& value) {
  if (value.kind == json::Kind::null) {
    statement.bind_null(position);
  } else if (value.kind == json::Kind::boolean) {
    statement.bind(position, std::int64_t{value.truth ? 1 : 0});
  } else if (!value.is_number()) {
    statement.bind(position, value.kind == json::Kind::string ? value.text : json::compact(value));
  } else if (const auto whole = value.kind == json::Kind::integer ? value.as_int64() : std::nullopt) {
    statement.bind(position, *whole);
  } else {
    statement.bind(position, value.as_double());
  }
}

/// Throws InvalidInput if the database has tables, but not a store's: nothing of it may be touched.
void require_store(Database& database, const std::filesystem::path& path) {
  std::string others;
  std::size_t ours = 0;
  auto tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
  while (tables.step()) {
    const std::string name(tables.text(0));
    ours += name == "sweep" || name == "rows" || name == "states" ? 1 : 0;
    others += (others.empty() ? "" : ", ") + name;
  }
  if (others.empty() || ours == 3) return;
  throw InvalidInput(
      Problem{{}, {}, "a new file, or one with a sweep", path.string() + ", a database with other tables: " + others});
}

bool is_empty(Database& database) {
  auto tables = database.prepare("SELECT count(*) FROM sqlite_master");
  tables.step();
  return tables.integer(0) == 0;
}

/// What SQLite would call "unable to open database file".
void require_place(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const char* reason = std::filesystem::is_directory(path, ignored)      ? ", a folder"
                       : !std::filesystem::is_directory(folder, ignored) ? ", in a folder that does not exist"
                                                                         : nullptr;
  if (reason != nullptr) {
    throw InvalidInput(Problem{{}, {}, "a new file, or one with a sweep", path.string() + reason});
  }
}

}  // namespace

std::map<std::string, std::string> facts_of(Database& database, const std::string& schema) {
  std::map<std::string, std::string> facts;
  auto rows = database.prepare("SELECT name, value FROM " + schema + ".sweep");
  while (rows.step()) {
    std::string name(rows.text(0));
    facts.emplace(std::move(name), rows.text(1));
  }
  return facts;
}

std::int64_t points_in(Database& database) {
  auto rows = database.prepare("SELECT count(*) FROM rows");
  rows.step();
  return rows.integer(0);
}

Database read_store(const std::filesystem::path& path) {
  require_place(path);
  try {
    Database database(path);
    require_store(database, path);
    return database;
  } catch (const DatabaseError& error) {
    throw InvalidInput(Problem{{}, {}, "an SQLite file with a sweep", path.string() + ": " + error.what()});
  }
}

Database open_store(const std::filesystem::path& path) {
  Database database = read_store(path);
  try {
    database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
    Transaction transaction(database);
    if (is_empty(database)) database.execute(std::string(kTables));
    transaction.commit();
    return database;
  } catch (const DatabaseError& error) {
    throw InvalidInput(Problem{{}, {}, "an SQLite file with a sweep", path.string() + ": " + error.what()});
  }
}

SweepStore::SweepStore(const std::filesystem::path& path, const Sweep& sweep, const RunOptions& options, bool resume)
    : path_(path), facts_(identity_of(sweep, options)), database_(open_store(path)) {
  try {
    Transaction transaction(database_);
    const std::int64_t points = points_in(database_);
    recognize(points);
    if (!resume && points > 0) {
      throw InvalidInput(Problem{
          {},
          {},
          "--out with a new file, or with --resume",
          path.string() + ", which has a sweep of " + std::to_string(points) + (points == 1 ? " point" : " points")});
    }
    version_.emplace(database_.prepare("PRAGMA schema_version"));
    count_.emplace(database_.prepare("SELECT replications FROM rows WHERE key = ?"));
    write_state_.emplace(database_.prepare("INSERT OR REPLACE INTO states SELECT point, ? FROM rows WHERE key = ?"));
    forget_.emplace(database_.prepare(
        "DELETE FROM differences WHERE against = ?1 OR point = (SELECT point FROM rows WHERE key = ?1)"));
    learn_columns();
    for (const std::string& pointer : sweep.pointers) {
      if (!columns_.contains(pointer)) add_column(pointer);
    }
    transaction.commit();
  } catch (const DatabaseError& error) {
    throw InvalidInput(Problem{{}, {}, "an SQLite file with a sweep", path.string() + ": " + error.what()});
  }
}

// A file without points is whose sweep it is to be: nothing in it is of another.
void SweepStore::recognize(std::int64_t points) {
  if (points > 0) {
    check_identity(path_.string(), facts_, facts_of(database_, "main"));
    return;
  }
  database_.execute("DELETE FROM sweep");
  auto fact = database_.prepare("INSERT INTO sweep VALUES (?, ?)");
  for (const auto& [name, value] : facts_) fact.bind(1, name).bind(2, value).run();
}

void SweepStore::learn_columns() {
  columns_.clear();
  names_.clear();
  auto columns = database_.prepare("SELECT name FROM pragma_table_info('rows') WHERE name <> 'point'");
  while (columns.step()) {
    names_.emplace_back(columns.text(0));
    columns_.emplace(names_.back(), static_cast<int>(names_.size()));
  }
  columns_version_ = version_->one().value();
  slots_.clear();
  write_.reset();
}

void SweepStore::add_column(const std::string& name) {
  database_.execute("ALTER TABLE rows ADD COLUMN " + quoted_name(name));
  learn_columns();
}

// Another process may have added columns.
void SweepStore::refresh_columns() {
  if (version_->one() != columns_version_) learn_columns();
}

std::uint64_t SweepStore::replications(const SweepPoint& point) { return replications(key_of(point)); }

std::uint64_t SweepStore::replications(const std::string& key) {
  return static_cast<std::uint64_t>(count_->bind(1, key).one().value_or(0));
}

Tally SweepStore::tally(const SweepPoint& point) {
  auto found = database_.prepare("SELECT tally FROM states JOIN rows USING (point) WHERE key = ?");
  found.bind(1, key_of(point));
  Tally tally;
  try {
    if (!found.step()) throw DamagedBytes();
    ByteReader bytes(found.text(0));
    bytes(tally);
    bytes.finish();
  } catch (const DamagedBytes& damaged) {
    throw InvalidInput(Problem{{}, {}, "the state of " + key_of(point) + " in " + path_.string(), damaged.what()});
  }
  return tally;
}

void SweepStore::keep(const SweepRow& row, Tally& tally) {
  try {
    Transaction transaction(database_);
    if (!anchored_) check_identity(path_.string(), facts_, facts_of(database_, "main"));
    // Another process may have come further with it.
    const std::string key = key_of(row.point);
    const std::uint64_t known = replications(key);
    if (known < tally.replications) {
      write_row(row, key);
      ByteWriter bytes;
      bytes(tally);
      write_state_->bind_bytes(1, bytes.text()).bind(2, key).run();
      if (known > 0) forget_->bind(1, key).run();  // its differences are of fewer replications than it has now
    }
    transaction.commit();
    anchored_ = true;
  } catch (const DatabaseError& error) {
    throw OutputError(path_.string() + ": " + error.what());
  }
}

void SweepStore::keep_differences(const SweepPoint& point, const SweepPoint& base,
                                  const std::vector<PairedDifference>& differences) {
  try {
    Transaction transaction(database_);
    auto keep =
        database_.prepare("INSERT OR REPLACE INTO differences SELECT ?, point, ?, ?, ?, ? FROM rows WHERE key = ?");
    const std::string against = key_of(base);
    const std::string key = key_of(point);
    for (const PairedDifference& difference : differences) {
      const auto& interval = difference.interval95;
      keep.bind(1, against).bind(2, difference.path).bind(3, difference.change).bind(6, key);
      if (interval) {
        keep.bind(4, interval->lo).bind(5, interval->hi);
      } else {
        keep.bind_null(4).bind_null(5);
      }
      keep.run();
    }
    transaction.commit();
  } catch (const DatabaseError& error) {
    throw OutputError(path_.string() + ": " + error.what());
  }
}

Statement& SweepStore::write_statement() {
  if (write_) return *write_;
  std::string places;
  for (std::size_t i = 0; i < names_.size(); ++i) places += i == 0 ? "?" : ", ?";
  write_.emplace(database_.prepare("INSERT INTO rows(" + name_list(names_) + ") VALUES (" + places +
                                   ") ON CONFLICT(key) DO UPDATE SET " + excluded_list(names_)));
  return *write_;
}

const SweepStore::Slot& SweepStore::slot(std::size_t index, const std::string& path) {
  if (index >= slots_.size()) slots_.resize(index + 1);
  Slot& known = slots_[index];
  if (known.path == path) return known;
  const auto column = is_detail(path) ? columns_.end() : columns_.find(path);
  known = {path, column == columns_.end() ? 0 : column->second, json::quoted(path) + ": "};
  return known;
}

void SweepStore::write_row(const SweepRow& row, const std::string& key) {
  refresh_columns();
  const std::vector<Column>& numbers = row.columns();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string& path = numbers[i].path;
    if (i < slots_.size() && slots_[i].path == path) continue;
    if (!is_detail(path) && !columns_.contains(path) && names_.size() < kMostColumns) add_column(path);
  }
  Statement& write = write_statement().clear();
  details_.clear();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Slot& to = slot(i, numbers[i].path);
    if (to.position > 0) {
      bind(write, to.position, numbers[i].value);
    } else {
      details_ += details_.empty() ? "{" : ", ";
      details_ += to.name;
      details_ += numbers[i].value.is_number() ? numbers[i].value.text : json::compact(numbers[i].value);
    }
  }
  details_ += details_.empty() ? "{}" : "}";
  for (const auto& [pointer, value] : row.point.values) bind(write, columns_.at(pointer), value);
  write.bind(columns_.at("key"), key);
  write.bind(columns_.at("replications"), static_cast<std::int64_t>(row.result.replications));
  write.bind(columns_.at("details"), details_);
  write.run();
}

}  // namespace vecusim
