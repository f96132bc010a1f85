// Sweeps: points of a grid, computed here or by whoever is given their trials.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/limits.hpp"
#include "analysis/sweep.hpp"
#include "analysis/sweep_remote.hpp"
#include "analysis/sweep_rows.hpp"
#include "analysis/sweep_store.hpp"
#include "python-bindings/bindings.hpp"

namespace vecusim::bindings {

namespace {

using Texts = std::vector<std::string>;
using Shard = std::pair<std::size_t, std::size_t>;

/// What the caller has said of the points.
struct PointTexts {
  Texts vary;
  Texts zip;
  std::optional<std::size_t> sample;
};

std::vector<Dimension> dimensions_of(const PointTexts& texts, std::uint64_t seed) {
  require_within("sample", texts.sample, 2, kMostPoints);
  Problems problems;
  std::vector<Span> spans;
  std::vector<Dimension> dimensions;
  std::vector<json::Variation> together;
  for (const std::string& text : texts.vary) {
    if (texts.sample) {
      if (const auto span = parse_span(text, problems, "vary")) spans.push_back(*span);
    } else if (auto variation = json::parse_variation(text, problems, "vary")) {
      dimensions.push_back(alone(*std::move(variation)));
    }
  }
  for (const std::string& text : texts.zip) {
    if (auto variation = json::parse_variation(text, problems, "zip")) together.push_back(*std::move(variation));
  }
  if (texts.vary.empty() && texts.zip.empty()) problems.add({{}, "", "something to vary", "none"});
  problems.throw_if_errors();
  if (texts.sample) return {latin_hypercube(spans, *texts.sample, seed)};
  if (!together.empty()) dimensions.push_back(zipped(std::move(together)));
  return dimensions;
}

std::string text_of(SweepRows& rows) {
  std::string text;
  Pieces pieces([&](std::string_view piece) { text += piece; });
  rows.finish(pieces);
  pieces.flush();
  return text;
}

class SweepCore {
 public:
  SweepCore(const LoadedScenario& loaded, const PointTexts& texts, const std::optional<Shard>& shard,
            std::optional<std::uint64_t> seed, std::optional<std::uint64_t> reps, const std::optional<std::string>& out,
            bool resume)
      : sweep_(plan_sweep(loaded, dimensions_of(texts, seed.value_or(loaded.scenario.run.seed)))),
        options_(options_of(seed, reps, {})) {
    if (shard) {
      require_within("shard", shard->second, 1, kMostPoints);
      require_within("shard", shard->first, 1, shard->second);
      keep_shard(sweep_.points, shard->first, shard->second);
    }
    if (out) store_.emplace(*out, sweep_, options_, resume);
  }

  void run(unsigned jobs, const py::object& progress) {
    watch(progress, jobs, [this](const Parallel& parallel) {
      RunOptions options = options_;
      options.parallel = parallel;
      run_sweep(sweep_, options, memory(), [this](const SweepRow& row) { add(row); });
    });
  }

  /// `runner(count, chunk, take)`: chunk(first, n) gives what a worker is to be told of so many trials from `first` on,
  /// take(answer) what it has answered, in the order of the chunks.
  void run_elsewhere(const py::function& runner) {
    const auto trials_of = [&](std::size_t count, const auto& trial, const auto& reduce) {
      std::size_t next = 0;
      const auto chunk = [&](std::size_t first, std::size_t n) {
        std::vector<SweepTrial> trials;
        for (std::size_t i = first; i < first + n; ++i) trials.push_back(trial(i));
        return py::bytes(remote_chunk(trials));
      };
      const auto take = [&](const std::string& answer) {
        for (Tally& tally : remote_tallies(answer)) reduce(next++, std::move(tally));
      };
      runner(count, py::cpp_function(chunk), py::cpp_function(take));
    };
    run_sweep(
        sweep_, options_, memory(), [this](const SweepRow& row) { add(row); }, trials_of);
  }

  py::bytes base() const { return remote_base(sweep_.base, options_); }
  std::string json() { return text_of(json_); }
  std::string csv() { return text_of(csv_); }
  std::string text() { return text_of(table_); }

 private:
  SweepMemory* memory() { return store_ ? &*store_ : nullptr; }
  void add(const SweepRow& row) {
    json_.add(row, {});
    csv_.add(row, {});
    table_.add(row, {});
  }

  Sweep sweep_;
  RunOptions options_;
  std::optional<SweepStore> store_;
  SweepRows json_{sweep_, {.json = true}};
  SweepRows csv_{sweep_, {.csv = "-"}};
  SweepRows table_{sweep_, {}};
};

}  // namespace

void bind_sweeps(py::module_& module) {
  py::class_<SweepCore>(module, "Sweep")
      .def(py::init([](const LoadedScenario& loaded, const Texts& vary, const Texts& zip,
                       const std::optional<std::size_t>& sample, const std::optional<Shard>& shard,
                       std::optional<std::uint64_t> seed, std::optional<std::uint64_t> reps,
                       const std::optional<std::string>& out, bool resume) {
             return std::make_unique<SweepCore>(loaded, PointTexts{vary, zip, sample}, shard, seed, reps, out, resume);
           }),
           py::arg("scenario"), py::arg("vary"), py::arg("zip"), py::arg("sample"), py::arg("shard"), py::arg("seed"),
           py::arg("reps"), py::arg("out"), py::arg("resume"))
      .def("run", &SweepCore::run, py::arg("jobs"), py::arg("progress"))
      .def("run_elsewhere", &SweepCore::run_elsewhere, py::arg("runner"))
      .def("base", &SweepCore::base)
      .def("json", &SweepCore::json)
      .def("csv", &SweepCore::csv)
      .def("text", &SweepCore::text);
  py::class_<RemoteTrials>(module, "RemoteTrials")
      .def(py::init([](const std::string& base) { return std::make_unique<RemoteTrials>(base); }), py::arg("base"))
      .def(
          "run",
          [](RemoteTrials& trials, const std::string& chunk) {
            std::string answer;
            {
              const py::gil_scoped_release released;
              answer = trials.run(chunk, {});
            }
            return py::bytes(answer);
          },
          py::arg("chunk"));
}

}  // namespace vecusim::bindings
