// The hypervisors there are: what each is called, how it is configured, and how it is built.
#pragma once

#include <memory>
#include <span>

#include "engine/fields.hpp"

namespace vecusim {

struct HypervisorEntry {
  Option option;
  std::unique_ptr<Config> (*config)();
};

/// One line each in catalogue.cpp.
std::span<const HypervisorEntry> hypervisors();

}  // namespace vecusim
