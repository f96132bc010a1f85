// A running board as xl shows it, and domains' configurations, as a scenario.
#pragma once

#include <string>
#include <vector>

#include "analysis/read_xl.hpp"
#include "analysis/read_xl_cfg.hpp"
#include "system/json_node.hpp"

namespace vecusim {

struct XlScenario {
  /// `vecusim/scenario/1`.
  json::Node document;
  /// What it could not be told, and what was put in its place; one sentence each.
  std::vector<std::string> unknown;
};

/// Domains are those that run, dom0 first, and those that are configured alone; a configuration tells of a running one
/// what xl does not show.
XlScenario make_scenario(const std::vector<XlReading>& outputs, const std::vector<XlConfig>& configs);

}  // namespace vecusim
