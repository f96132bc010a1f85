// A recorded xentrace as the verbs take it: its file, and the frequency of its counter.
#pragma once

#include <optional>
#include <string>

#include "analysis/read_xentrace.hpp"
#include "app/commands.hpp"
#include "system/json_node.hpp"

namespace vecusim {

struct RecordedTrace {
  std::string name;
  Xentrace records;
  double counter_hz;
};

/// Empty if the file is none, or cannot be read; then whoever takes it for something else says so. --counter-hz is
/// asked for where the trace does not tell its counter's frequency. Tells what of the file is damaged.
std::optional<RecordedTrace> open_recorded(const Session& session, const std::string& file);

/// The scenario in which the trace's vCPUs do again what they did.
json::Node scenario_of(const RecordedTrace& trace);

}  // namespace vecusim
