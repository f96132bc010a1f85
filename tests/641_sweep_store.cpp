// A sweep's file: what is in it, what of it is used again, and what is refused.
#include <filesystem>

#include "analysis/bytes.hpp"
#include "analysis/sweep_csv.hpp"
#include "analysis/sweep_merge.hpp"
#include "analysis/sweep_store.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

/// One of each kind.
struct Thing {
  std::uint64_t n = 0;
  double x = 0.0;
  Duration t{};
  Wide w = 0;
  std::optional<std::string> s;
  std::vector<std::int64_t> list;
  template <class Bytes>
  void transfer(Bytes& bytes) {
    bytes(n), bytes(x), bytes(t), bytes(w), bytes(s), bytes(list);
  }
};

/// A folder that is gone afterwards.
struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() / ("vecusim-store-" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path;
};

Sweep sweep_of(const std::vector<std::string>& texts, Settings settings = {},
               const std::string& scenario = "pi4-native") {
  settings.insert(settings.begin(), "/interrupts/0/stimulus/count=20");
  Problems problems;
  std::vector<Dimension> dimensions;
  for (const std::string& text : texts) dimensions.push_back(alone(json::parse_variation(text, problems).value()));
  return plan_sweep(load_scenario(scenario, settings), dimensions);
}

RunOptions replications(std::uint64_t n) { return {.replications = n, .parallel = {.threads = 2}}; }

std::vector<std::string> lines(const Sweep& sweep, const RunOptions& options, SweepMemory* memory) {
  std::vector<std::string> result;
  run_sweep(sweep, options, memory, [&](const SweepRow& row) { result.push_back(json_members(row)); });
  return result;
}

/// Counts what is computed anew.
class Counting final : public SweepMemory {
 public:
  explicit Counting(SweepStore& store) : store_(store) {}
  std::uint64_t replications(const SweepPoint& point) override { return store_.replications(point); }
  Tally tally(const SweepPoint& point) override {
    ++remembered;
    return store_.tally(point);
  }
  void keep(const SweepRow& row, Tally& tally) override {
    ++kept;
    store_.keep(row, tally);
  }
  int remembered = 0;
  int kept = 0;

 private:
  SweepStore& store_;
};

std::string refusal(const std::filesystem::path& path, const Sweep& sweep, const RunOptions& options, bool resume) {
  try {
    SweepStore store(path, sweep, options, resume);
  } catch (const InvalidInput& invalid) {
    return invalid.what();
  }
  return {};
}

std::string one(const std::filesystem::path& path, const std::string& sql) {
  Database database(path);
  Statement statement = database.prepare(sql);
  REQUIRE(statement.step());
  return std::string(statement.text(0));
}

/// A finished sweep of one replication.
void write(const std::filesystem::path& path, const Sweep& sweep) {
  SweepStore store(path, sweep, replications(1), false);
  lines(sweep, replications(1), &store);
}

}  // namespace

TEST_CASE("What bytes are made of comes back, and anything shorter or longer is damaged") {
  Thing thing{~0ULL, -1.5, Duration{-7}, static_cast<Wide>(3) << 100U, "text", {-1, 0, 1LL << 62U}};
  ByteWriter writer;
  writer(thing);
  const std::string text = writer.text();
  Thing back;
  ByteReader reader(text);
  reader(back);
  reader.finish();
  CHECK((back.n == thing.n && back.x == thing.x && back.t == thing.t && back.w == thing.w && back.s == thing.s &&
         back.list == thing.list));
  for (std::size_t size = 0; size < text.size(); ++size) {
    ByteReader cut(std::string_view(text).substr(0, size));
    Thing none;
    CHECK_THROWS_AS((cut(none), cut.finish()), DamagedBytes);
  }
  const std::string longer = text + "x";
  ByteReader rest(longer);
  rest(back);
  CHECK_THROWS_AS(rest.finish(), DamagedBytes);
}

TEST_CASE("A finished sweep is remembered: the same rows, nothing computed") {
  const Folder folder;
  const Sweep sweep = sweep_of({"/board/clock_mhz=600,1500"});
  const std::vector<std::string> alone = lines(sweep, replications(3), nullptr);
  {
    SweepStore store(folder.path / "r", sweep, replications(3), false);
    CHECK(lines(sweep, replications(3), &store) == alone);
  }
  SweepStore store(folder.path / "r", sweep, replications(3), true);
  Counting counting(store);
  CHECK(lines(sweep, replications(3), &counting) == alone);
  CHECK(counting.kept == 0);
  CHECK(counting.remembered == 2);
}

TEST_CASE("Further points and replications come to the rows of a sweep that had them from the start") {
  const Folder folder;
  const Sweep small = sweep_of({"/board/clock_mhz=600,1500"});
  {
    SweepStore store(folder.path / "r", small, replications(3), false);
    lines(small, replications(3), &store);
  }
  const Sweep large = sweep_of({"/board/clock_mhz=600,1000,1.5e3"});
  SweepStore store(folder.path / "r", large, replications(12), true);
  Counting counting(store);
  const std::vector<std::string> rows = lines(large, replications(12), &counting);
  CHECK(rows == lines(large, replications(12), nullptr));
  CHECK(counting.remembered == 2);
  CHECK(counting.kept == 3);
  // With fewer asked for than there are, all of them count.
  CHECK(lines(large, replications(5), &store) == rows);
}

TEST_CASE("Many samples are remembered as a histogram") {
  const Folder folder;
  const Sweep sweep = sweep_of({"/board/clock_mhz=600"}, {"/interrupts/0/stimulus/count=9000"});
  {
    SweepStore store(folder.path / "r", sweep, replications(2), false);
    lines(sweep, replications(2), &store);
  }
  SweepStore store(folder.path / "r", sweep, replications(3), true);
  CHECK(lines(sweep, replications(3), &store) == lines(sweep, replications(3), nullptr));
}

TEST_CASE("Plain SQL finds a row for each point, and the stages in a view") {
  const Folder folder;
  const Sweep sweep = sweep_of({"/board/clock_mhz=600,1500", "/hypervisor/model=native"});
  SweepStore store(folder.path / "r", sweep, replications(2), false);
  std::vector<double> means;
  run_sweep(sweep, replications(2), &store,
            [&](const SweepRow& row) { means.push_back(*row.result.latency[0].mean_us); });
  CHECK(one(folder.path / "r", "SELECT count(*) FROM rows") == "2");
  CHECK(
      std::stod(one(folder.path / "r", R"(SELECT "latency.edge.mean_us" FROM rows WHERE "/board/clock_mhz" = 1500)")) ==
      Approx(means[1]).epsilon(1e-9));
  CHECK(one(folder.path / "r", R"(SELECT typeof("/hypervisor/model") FROM rows)") == "text");
  CHECK(one(folder.path / "r",
            "SELECT sum(value) = (SELECT sum(\"latency.edge.sum_ps\") FROM rows) FROM details WHERE path LIKE "
            "'%service_ps' OR path LIKE '%waits_ps%'") == "1");
}

TEST_CASE("What is not the file's sweep is refused with the reason, and nothing is changed") {
  const Folder folder;
  const std::filesystem::path path = folder.path / "r";
  const Sweep sweep = sweep_of({"/board/clock_mhz=600,1500"});
  write(path, sweep);
  const auto holds = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  holds(refusal(path, sweep, replications(1), false), "a sweep of 2 points");
  holds(refusal(path, sweep_of({"/board/clock_mhz=600"}, {"/domains/0/os/preempt=rt"}), replications(1), true),
        "/domains/0/os/preempt: expected \"full\"");
  holds(refusal(path, sweep_of({"/costs/core.mmio/value=1"}), replications(1), true), "varied");
  holds(refusal(path, sweep, {.seed = 2}, true), "/run/seed: expected 1");
  Database(path).execute("UPDATE sweep SET value = '0.0.9' WHERE name = 'program'");
  holds(refusal(path, sweep, replications(1), true), "program 0.0.9");
  Database(path).execute("UPDATE sweep SET value = '[]' WHERE name = 'inputs'");
  holds(refusal(path, sweep, replications(1), true), "inputs");
  CHECK(one(path, "SELECT count(*) FROM rows") == "2");
}

TEST_CASE("Results of different hypervisors share a file, each with the columns that it has") {
  const Folder folder;
  const Sweep sweep =
      sweep_of({R"(/hypervisor/scheduler={"model":"credit2"},{"model":"rtds"})"}, {}, "pi4-xen-published");
  SweepStore store(folder.path / "r", sweep, replications(1), false);
  CHECK(lines(sweep, replications(1), &store) == lines(sweep, replications(1), nullptr));
  SweepStore again(folder.path / "r", sweep, replications(1), true);
  CHECK(lines(sweep, replications(1), &again) == lines(sweep, replications(1), nullptr));
}

TEST_CASE("Two stores on one file add to each other") {
  const Folder folder;
  const Sweep left = sweep_of({"/board/clock_mhz=600,1000"});
  const Sweep right = sweep_of({"/board/clock_mhz=1000,1500"});
  SweepStore first(folder.path / "r", left, replications(2), true);
  SweepStore second(folder.path / "r", right, replications(2), true);
  std::thread other([&] { lines(right, replications(2), &second); });
  lines(left, replications(2), &first);
  other.join();
  CHECK(one(folder.path / "r", "SELECT count(*) FROM rows") == "3");
  CHECK(one(folder.path / "r", "SELECT count(*) FROM states") == "3");
  CHECK(one(folder.path / "r", "PRAGMA integrity_check") == "ok");
}

namespace {

Sweep network_sweep() {
  Problems problems;
  const auto variation = json::parse_variation("/network/flows/0/rate_mbps=50,200", problems).value();
  return plan_sweep(load_scenario("vc3-rswitch2-rx", {"/run/warmup_ms=0", "/run/measure_ms=5"}), {alone(variation)});
}

/// A database of somebody else's, in SQLite's own mode.
std::string foreign(const std::filesystem::path& path) {
  Database(path).execute("CREATE TABLE music(title TEXT); INSERT INTO music VALUES ('Gymnopedie')");
  return one(path, "PRAGMA journal_mode");
}

}  // namespace

TEST_CASE("Network figures are remembered like all others") {
  const Folder folder;
  const Sweep sweep = network_sweep();
  const std::vector<std::string> whole = lines(sweep, replications(3), nullptr);
  write(folder.path / "r", sweep);
  SweepStore store(folder.path / "r", sweep, replications(3), true);
  CHECK(lines(sweep, replications(3), &store) == whole);
  SweepStore again(folder.path / "r", sweep, replications(3), true);
  CHECK(lines(sweep, replications(3), &again) == whole);
  CHECK(whole[0].find("\"network.udp.goodput_mbps\": ") != std::string::npos);
}

TEST_CASE("Replications that another process adds meanwhile are counted once") {
  const Folder folder;
  const Sweep sweep = sweep_of({"/board/clock_mhz=600,1000,1500"});
  const RunOptions options{.replications = 5, .parallel = {.threads = 1}};
  for (const std::uint64_t others : {3, 5, 8}) {
    INFO(others);
    const std::filesystem::path path = folder.path / std::to_string(others);
    SweepStore store(path, sweep, options, false);
    SweepStore other(path, sweep, replications(others), true);
    std::vector<std::string> rows;
    run_sweep(sweep, options, &store, [&](const SweepRow& row) {
      rows.push_back(json_members(row));
      // Between the first point and the others.
      if (rows.size() == 1) lines(sweep, replications(others), &other);
    });
    const std::vector<std::string> alone = lines(sweep, replications(5), nullptr);
    const std::vector<std::string> more = lines(sweep, replications(std::max<std::uint64_t>(5, others)), nullptr);
    CHECK(rows == std::vector<std::string>{alone[0], more[1], more[2]});
  }
}

TEST_CASE("A file in an earlier form is refused, and said to be one") {
  const Folder folder;
  const std::filesystem::path path = folder.path / "r";
  const Sweep sweep = sweep_of({"/board/clock_mhz=600"});
  write(path, sweep);
  Database(path).execute("UPDATE sweep SET value = 'vecusim/store/1' WHERE name = 'schema'");
  const std::string text = refusal(path, sweep, replications(1), true);
  CHECK_THAT(text, Catch::Contains("in the form vecusim/store/1"));
  CHECK_THAT(text, Catch::Contains("vecusim/store/2"));
  CHECK_THROWS_WITH(merge_sweeps(folder.path / "joint", {path}), Catch::Contains("in the form vecusim/store/1"));
}

TEST_CASE("A file without points is whose sweep it is to be") {
  const Folder folder;
  const std::filesystem::path path = folder.path / "r";
  { SweepStore store(path, sweep_of({"/costs/core.mmio/value=1"}), replications(1), false); }
  const Sweep sweep = sweep_of({"/board/clock_mhz=600"});
  SweepStore store(path, sweep, replications(1), false);
  SECTION("and it is written") {
    lines(sweep, replications(1), &store);
    CHECK(one(path, "SELECT count(*) FROM rows") == "1");
    CHECK(one(path, "SELECT value FROM sweep WHERE name = 'varied'") == "[\"/board/clock_mhz\"]");
  }
  SECTION("unless another one has taken it meanwhile") {
    SweepStore other(path, sweep_of({"/costs/core.mmio/value=1"}), replications(1), false);
    CHECK_THROWS_WITH(lines(sweep, replications(1), &store), Catch::Contains("varied"));
  }
}

TEST_CASE("Somebody else's database is refused and left as it is") {
  const Folder folder;
  const std::filesystem::path path = folder.path / "music.sqlite";
  CHECK(foreign(path) == "delete");
  const Sweep sweep = sweep_of({"/board/clock_mhz=600"});
  for (const bool resume : {false, true}) {
    CHECK_THAT(refusal(path, sweep, replications(1), resume), Catch::Contains("with other tables: music"));
  }
  CHECK_THROWS_WITH(merge_sweeps(path, {path}), Catch::Contains("with other tables: music"));
  CHECK_THROWS_WITH(merge_sweeps(folder.path / "r", {path}), Catch::Contains("with other tables: music"));
  CHECK(one(path, "PRAGMA journal_mode") == "delete");
  CHECK(one(path, "SELECT count(*) FROM sqlite_master") == "1");
  CHECK_THAT(refusal(folder.path, sweep, replications(1), false), Catch::Contains("a folder"));
  CHECK_THAT(refusal(folder.path / "none" / "r", sweep, replications(1), false),
             Catch::Contains("in a folder that does not exist"));
}

TEST_CASE("What differs is shown where short forms are alike") {
  const Folder folder;
  const std::filesystem::path path = folder.path / "r";
  const std::string start = "/title=a rather long title of which the end alone is another one than it was: ";
  {
    const Sweep sweep = sweep_of({"/board/clock_mhz=600"}, {start + "first"});
    SweepStore store(path, sweep, replications(1), false);
    lines(sweep, replications(1), &store);
  }
  const std::string text = refusal(path, sweep_of({"/board/clock_mhz=600"}, {start + "other"}), replications(1), true);
  CHECK_THAT(text, Catch::Contains("first"));
  CHECK_THAT(text, Catch::Contains("other"));
  Database(path).execute(R"(UPDATE sweep SET value = '[]' WHERE name = 'inputs')");
  CHECK_THAT(refusal(path, sweep_of({"/board/clock_mhz=600"}, {start + "first"}), replications(1), true),
             Catch::Contains("which that sweep did not read"));
  Database(path).execute(R"(UPDATE sweep SET value = '[{"name":"lost.json","sha256":"0"}]' WHERE name = 'inputs')");
  Sweep bare = sweep_of({"/board/clock_mhz=600"}, {start + "first"});
  bare.base.inputs.clear();
  CHECK_THAT(refusal(path, bare, replications(1), true), Catch::Contains("no lost.json, which that sweep read"));
}

TEST_CASE("A file is not merged into itself") {
  const Folder folder;
  const std::filesystem::path path = folder.path / "r";
  const Sweep sweep = sweep_of({"/board/clock_mhz=600"});
  write(path, sweep);
  std::filesystem::create_symlink(path, folder.path / "link");
  for (const char* name : {"r", "link"}) {
    CHECK_THROWS_WITH(merge_sweeps(path, {folder.path / name}), Catch::Contains("files other than --out"));
  }
  CHECK(one(path, "SELECT count(*) FROM rows") == "1");
}
