// What a user wants of a trace: which file, format, window and rows; and writing it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/experiment.hpp"
#include "analysis/trace_format.hpp"
#include "app/commands.hpp"
#include "app/destination.hpp"

namespace vecusim {

/// How the options of a verb are called.
struct TraceOptionNames {
  std::string_view window;
  std::string_view only;
};

/// Of which part of a run.
struct TraceRequest {
  /// Of the first replication; empty: around the slowest answer of all replications.
  std::optional<TimelineWindow> window = TimelineWindow{};
  /// Rows or domains; empty: all.
  std::vector<std::string> only = {};
};

/// Throws UsageError if the options make no sense by themselves.
TraceRequest trace_request(const Arguments& arguments, const TraceOptionNames& names);
/// Throws UsageError if the scenario has no row or domain that is asked for.
void check_rows(const TraceRequest& request, const Scenario& scenario, const TraceOptionNames& names);

/// Simulates what is asked for once more and writes it; tells what of it is not there.
void write_trace_of(const Session& session, const LoadedScenario& loaded, const RunOptions& options,
                    const TraceRequest& request, const TraceOptionNames& names, const TraceFormat& format,
                    Destination& to);

}  // namespace vecusim
