// The fields of a domain.
#include "hypervisors/domain_config.hpp"

namespace vecusim {

void DomainConfig::fields(FieldVisitor& visit) {
  visit.text({"name", "how results name it; without a hypervisor it is \"linux\"", true}, name);
  visit.object({"os", "its operating system"}, os);
  visit.list({"tasks", "what runs on it"}, tasks);
}

}  // namespace vecusim
