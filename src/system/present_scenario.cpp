// Which domains there are, and where the others would be.
#include "system/present_scenario.hpp"

#include <algorithm>
#include <charconv>

namespace vecusim {

namespace {

constexpr std::string_view kDomains = "/domains/";

std::unique_ptr<const Scenario> reduced(const Scenario& whole) {
  const bool all = std::all_of(whole.domains.begin(), whole.domains.end(), [&](const DomainConfig& domain) {
    return domain.exists_under(whole.hypervisor.model.name());
  });
  if (all) return nullptr;
  auto present = std::make_unique<Scenario>(whole);
  present->domains = whole.present_domains();
  return present;
}

}  // namespace

PresentScenario::PresentScenario(const Scenario& whole)
    : reduced_(reduced(whole)), scenario(reduced_ ? *reduced_ : whole) {
  for (std::size_t i = 0; i < whole.domains.size(); ++i) {
    names_.push_back(whole.domains[i].name);
    if (whole.domains[i].exists_under(whole.hypervisor.model.name())) places_.push_back(i);
  }
}

std::string PresentScenario::in_document(const std::string& pointer) const {
  if (!pointer.starts_with(kDomains)) return pointer;
  const char* const begin = pointer.data() + kDomains.size();
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(begin, pointer.data() + pointer.size(), index);
  if (error != std::errc{} || index >= places_.size()) return pointer;
  return std::string(kDomains) + std::to_string(places_[index]) + std::string(end, pointer.data() + pointer.size());
}

bool PresentScenario::known(std::string_view domain) const {
  return std::find(names_.begin(), names_.end(), domain) != names_.end();
}

}  // namespace vecusim
