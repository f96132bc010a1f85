// The few calls of SQLite that are needed.
#include "analysis/sweep_database.hpp"

#include <utility>

#include <sqlite3.h>

namespace vecusim {
namespace {

constexpr int kPatienceMs = 60'000;

[[noreturn]] void fail(sqlite3* database) { throw DatabaseError(sqlite3_errmsg(database)); }

}  // namespace

// ---- Statement ----

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int status = sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  check(status);
}

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::check(int status) const {
  if (status != SQLITE_OK) fail(database_);
}

Statement& Statement::bind(int position, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), position, value));
  return *this;
}

Statement& Statement::bind(int position, double value) {
  check(sqlite3_bind_double(statement_.get(), position, value));
  return *this;
}

Statement& Statement::bind(int position, std::string_view text) {
  check(sqlite3_bind_text64(statement_.get(), position, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_bytes(int position, std::string_view bytes) {
  check(sqlite3_bind_blob64(statement_.get(), position, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind_null(int position) {
  check(sqlite3_bind_null(statement_.get(), position));
  return *this;
}

bool Statement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  sqlite3_reset(statement_.get());
  if (status != SQLITE_DONE) fail(database_);
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

std::optional<std::int64_t> Statement::one() {
  if (!step()) return std::nullopt;
  const std::int64_t value = integer(0);
  sqlite3_reset(statement_.get());
  return value;
}

Statement& Statement::clear() {
  sqlite3_clear_bindings(statement_.get());
  return *this;
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::optional<double> Statement::real(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return std::nullopt;
  return sqlite3_column_double(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return {static_cast<const char*>(bytes), size};
}

// ---- Database ----

Database::Database(const std::filesystem::path& path) {
  sqlite3* database = nullptr;
  const int status = sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  database_.reset(database);
  if (status != SQLITE_OK) fail(database);
  sqlite3_busy_timeout(database, kPatienceMs);
}

void Database::Closer::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(database_.get());
}

void Database::begin() {
  if (!begin_) begin_.emplace(prepare("BEGIN IMMEDIATE"));
  begin_->run();
}

void Database::commit() {
  if (!commit_) commit_.emplace(prepare("COMMIT"));
  commit_->run();
}

// ---- Transaction ----

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  try {
    database_->execute("ROLLBACK");
  } catch (const DatabaseError&) {  // it has been rolled back already
  }
}

void Transaction::commit() { std::exchange(database_, nullptr)->commit(); }

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string name_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    if (!list.empty()) list += ", ";
    list += quoted_name(name);
  }
  return list;
}

std::string excluded_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    const std::string quoted = quoted_name(name);
    if (!list.empty()) list += ", ";
    list += quoted;
    list += " = excluded.";
    list += quoted;
  }
  return list;
}

}  // namespace vecusim
