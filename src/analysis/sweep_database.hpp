// Database and Statement: as much of SQLite as a sweep's store needs, with errors as exceptions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace vecusim {

/// What SQLite refused, and its reason.
class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A prepared statement; positions of values and columns count from 1 and from 0, as in SQLite.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);

  Statement& bind(int position, std::int64_t value);
  Statement& bind(int position, double value);
  Statement& bind(int position, std::string_view text);
  Statement& bind_bytes(int position, std::string_view bytes);
  Statement& bind_null(int position);

  /// True if there is a row. After the last one it can be bound and stepped anew.
  bool step();
  /// step() to the end.
  void run();
  /// The first row's first column, if there is a row; nothing is left open.
  std::optional<std::int64_t> one();
  /// All values are null again.
  Statement& clear();
  std::int64_t integer(int column) const;
  /// Empty if it is no number.
  std::optional<double> real(int column) const;
  /// Text or bytes; valid until the next step.
  std::string_view text(int column) const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  void check(int status) const;

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

class Database {
 public:
  /// Opens a file, or makes an empty one. Whoever finds it locked by another process waits for up to a minute.
  explicit Database(const std::filesystem::path& path);

  void execute(const std::string& sql);
  Statement prepare(std::string_view sql) { return {database_.get(), sql}; }
  /// For Transaction: nobody else writes until commit().
  void begin();
  void commit();

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Closer> database_;
  std::optional<Statement> begin_;  // prepared when first needed
  std::optional<Statement> commit_;
};

/// Everything that is done in its lifetime is there after commit(), or nothing of it is. Nobody else writes meanwhile.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(&database) { database.begin(); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database* database_;  // null: committed
};

/// A name between double quotes, as SQL wants it.
std::string quoted_name(std::string_view name);
/// `"a", "b"`
std::string name_list(const std::vector<std::string>& names);
/// `"a" = excluded."a", "b" = excluded."b"`: what an upsert takes over.
std::string excluded_list(const std::vector<std::string>& names);

}  // namespace vecusim
