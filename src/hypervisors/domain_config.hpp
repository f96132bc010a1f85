// What a scenario says of a domain: its operating system and its tasks.
#pragma once

#include <string>
#include <vector>

#include "engine/fields.hpp"
#include "models/linux_config.hpp"

namespace vecusim {

struct DomainConfig {
  std::string name;
  OsConfig os;
  std::vector<TaskConfig> tasks;

  void fields(FieldVisitor& visit);
};

}  // namespace vecusim
