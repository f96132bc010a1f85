// Writing a run's files.
#include "app/folder.hpp"

#include <cerrno>
#include <string>
#include <system_error>
#include <unistd.h>

#include "analysis/report_text.hpp"
#include "analysis/result.hpp"
#include "app/bench_recorder.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"
#include "system/replication.hpp"

namespace vecusim {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 16;

/// The replication is run once more, for nobody keeps the samples of an experiment of any size.
void write_samples(const fs::path& file, const LoadedScenario& loaded, const Scenario& scenario,
                   std::size_t interrupt) {
  OutputFile out(file);
  std::string block = "# predicted by vecusim " + std::string(tool_version()) + ", not measured: " + loaded.name +
                      ", seed " + std::to_string(scenario.run.seed) + ", replication 0, " +
                      scenario.interrupts[interrupt].name + "\n";
  const auto write = [&](std::string_view text) {
    block += text;
    if (block.size() < kBlock) return;
    out.write(block);
    block.clear();
  };
  QuantileTables tables;
  Replication replication(scenario, tables, scenario.run.seed, 0);
  BenchRecorder recorder(static_cast<InterruptId>(interrupt), kStart + scenario.run.warmup, write);
  replication.attach(recorder);
  replication.run();
  recorder.finish();
  out.write(block);
  out.commit();
}

}  // namespace

void require_writable(const fs::path& folder) {
  std::error_code ignored;
  fs::path existing = fs::absolute(folder);
  while (!fs::exists(existing, ignored) && existing.has_relative_path()) existing = existing.parent_path();
  if (!fs::is_directory(existing, ignored)) throw OutputError(existing.string() + ": is no folder");
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    throw OutputError(existing.string() + ": " + std::generic_category().message(errno));
  }
}

void write_folder(const fs::path& folder, const LoadedScenario& loaded, const RunOptions& options,
                  const Result& result) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw OutputError(folder.string() + ": " + error.message());
  write_file(folder / "result.json", json::pretty(to_json(result)));
  write_file(folder / "result.txt", to_text(result, false));
  const Scenario scenario = with_options(loaded.scenario, options);
  for (std::size_t i = 0; i < scenario.interrupts.size(); ++i) {
    write_samples(folder / ("samples-" + scenario.interrupts[i].name + ".csv"), loaded, scenario, i);
  }
}

}  // namespace vecusim
