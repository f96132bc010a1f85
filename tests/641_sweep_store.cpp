// A sweep's file: what is in it, what of it is used again, and what is refused.
#include <filesystem>

#include "analysis/bytes.hpp"
#include "analysis/sweep_csv.hpp"
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
  run_sweep(sweep, options, memory, [&](const SweepRow& row) { result.push_back(json_line(row)); });
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
  {
    SweepStore store(path, sweep, replications(1), false);
    lines(sweep, replications(1), &store);
  }
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
