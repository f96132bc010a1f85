// What the verbs that simulate have in common: their scenario, and the options of an experiment.
#pragma once

#include <string>

#include "analysis/experiment.hpp"
#include "app/commands.hpp"
#include "app/progress.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// The texts of --set. Throws UsageError if one is no `PTR=VALUE`; whether the scenario has such a place is its
/// reader's question.
Settings settings_of(const Arguments& arguments);

/// Loads what the user calls SCENARIO, with --set, and tells the warnings.
LoadedScenario load(const Session& session, const std::string& what);

/// --seed, --reps and --jobs; the experiment stops when the user interrupts.
RunOptions run_options(const Session& session, Progress& progress);

/// --plot: whether pictures of characters are drawn; without it on a terminal only.
bool wants_plots(const Arguments& arguments);
/// The option itself.
OptionText plot_option();

}  // namespace vecusim
