// SweepStore: the points of a sweep in an SQLite file, each complete or not there, to be read with plain SQL and to be
// gone on with.
//
//   sweep(name, value)   what the file is of: schema, program, scenario, inputs, varied
//   rows                 one per point: each varied pointer, `replications`, and the numbers of the result document by
//                        their paths; those of stages are in `details`, a JSON object
//   details              a view of the same: point, path, value
//   differences          from a base point (`against`, its key): of a point's number at a path the change, and the
//   interval
//                        of the paired difference
//   states               what further replications of a point are merged with; for this program only
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/paired.hpp"
#include "analysis/sweep.hpp"
#include "analysis/sweep_database.hpp"

namespace vecusim {

/// A file with the tables of a store, or a new and empty one. Throws InvalidInput, and leaves the file as it is, if it
/// is something else.
Database read_store(const std::filesystem::path& path);
/// The same, and the tables are made if it is new.
Database open_store(const std::filesystem::path& path);
/// The table `sweep`; `schema`: "main", or as it was attached.
std::map<std::string, std::string> facts_of(Database& database, const std::string& schema);
std::int64_t points_in(Database& database);

class SweepStore final : public SweepMemory {
 public:
  /// `resume`: an existing file is gone on with; it must be this program's, of the same scenario (apart from the number
  /// of replications), inputs and varied pointers. Else there must be no such file, or one without points. Throws
  /// InvalidInput with the reasons, OutputError if the file cannot be used.
  SweepStore(const std::filesystem::path& path, const Sweep& sweep, const RunOptions& options, bool resume);

  // SweepMemory
  std::uint64_t replications(const SweepPoint& point) override;
  Tally tally(const SweepPoint& point) override;
  void keep(const SweepRow& row, Tally& tally) override;

  /// Instead of those that there are from this base. The point has been kept.
  void keep_differences(const SweepPoint& point, const SweepPoint& base,
                        const std::vector<PairedDifference>& differences);

 private:
  /// Where a number of the result goes.
  struct Slot {
    std::string path;
    /// The position of its value in write_; 0: into the details, behind `name`.
    int position;
    std::string name;
  };

  void recognize(std::int64_t points);
  void learn_columns();
  void refresh_columns();
  void add_column(const std::string& name);
  Statement& write_statement();
  /// `index`: the how manieth number of its row, as rows of one kind have the same in one order.
  const Slot& slot(std::size_t index, const std::string& path);
  void write_row(const SweepRow& row, const std::string& key);
  std::uint64_t replications(const std::string& key);

  std::filesystem::path path_;
  std::map<std::string, std::string> facts_;  // of this sweep: the table `sweep`
  Database database_;
  bool anchored_ = false;  // there is a point, so nobody makes the file that of another sweep
  // Of the table `rows` without `point`: each column's name, and the position of its value in write_.
  std::vector<std::string> names_;
  std::map<std::string, int, std::less<>> columns_;
  std::int64_t columns_version_ = 0;
  std::vector<Slot> slots_;
  std::string details_;
  std::optional<Statement> write_;
  // Prepared once the tables are there.
  std::optional<Statement> version_;
  std::optional<Statement> count_;
  std::optional<Statement> write_state_;
  std::optional<Statement> forget_;
};

}  // namespace vecusim
