// The folder that `run -o` fills.
#pragma once

#include <filesystem>

#include "analysis/experiment.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Throws OutputError if files could not be written to this folder, which need not be there yet. Writes nothing.
void require_writable(const std::filesystem::path& folder);

/// Writes result.json, result.txt, and for each interrupt samples-NAME.csv: the edges and answers of the first
/// replication in the form in which `validate --data` reads a bench. Each file is there complete or not at all.
void write_folder(const std::filesystem::path& folder, const LoadedScenario& loaded, const RunOptions& options,
                  const Result& result);

}  // namespace vecusim
