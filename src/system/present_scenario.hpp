// PresentScenario: a scenario without the domains that do not exist under its hypervisor.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "system/scenario.hpp"

namespace vecusim {

class PresentScenario {
  /// Empty where all domains exist, as in nearly every point of a sweep: a scenario's costs take long to be copied.
  std::unique_ptr<const Scenario> reduced_;

 public:
  /// `whole` must outlive it.
  explicit PresentScenario(const Scenario& whole);

  /// Its domains are those that exist.
  const Scenario& scenario;

  /// The pointer into the document for one into `scenario`, whose domains may have other places.
  std::string in_document(const std::string& pointer) const;
  /// Whether the scenario has a domain of that name, be it under another hypervisor.
  bool known(std::string_view domain) const;

 private:
  std::vector<std::string> names_;   // of all domains
  std::vector<std::size_t> places_;  // in the document, of those that exist
};

}  // namespace vecusim
