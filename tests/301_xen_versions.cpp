// Which behaviour belongs to which Xen version (specification of the Xen schedulers, section 6).
#include <algorithm>
#include <stdexcept>
#include <string>

#include "catch.hpp"
#include "schedulers/version.hpp"

namespace vecusim {
namespace {

bool warns(const XenVersion& version, std::string_view policy) {
  return std::any_of(version.warnings.begin(), version.warnings.end(),
                     [&](const VersionWarning& warning) { return warning.policy == policy; });
}

TEST_CASE("a point release has what came until then and nothing later") {
  CHECK_FALSE(resolve_version("4.14.2").behaviour.credit2_skips_unrunnable);
  CHECK(resolve_version("4.14.3").behaviour.credit2_skips_unrunnable);
  CHECK(resolve_version("4.14.6").behaviour.credit2_updates_kept_unit);
  CHECK_FALSE(resolve_version("4.15.0").behaviour.credit2_skips_unaffordable);
  CHECK(resolve_version("4.15.1").behaviour.credit2_skips_unaffordable);
  CHECK(resolve_version("4.16.0").behaviour.credit2_skips_unaffordable);
}

TEST_CASE("the slice minds the preempted unit from 4.19.3, 4.20.2 and 4.21.0 on") {
  for (const char* const without : {"4.14.6", "4.18.5", "4.18", "4.19.2", "4.20.1"}) {
    CHECK_FALSE(resolve_version(without).behaviour.credit2_slice_minds_preempted);
  }
  for (const char* const with : {"4.19.3", "4.20.2", "4.21.0", "4.19", "4.20", "4.22"}) {
    CHECK(resolve_version(with).behaviour.credit2_slice_minds_preempted);
  }
}

TEST_CASE("a short version is its branch with every change listed for it") {
  const XenVersion branch = resolve_version("4.16");
  CHECK(branch.behaviour.credit2_all_ignores_siblings);
  CHECK(branch.behaviour.rtds_unrunnable_leaves_replenishment);
  CHECK_FALSE(branch.behaviour.rtds_searches_on);
  CHECK(branch.warnings.empty());
}

TEST_CASE("a change known only from the head of a branch is absent from its point releases, with a warning") {
  const XenVersion release = resolve_version("4.16.5");
  CHECK_FALSE(release.behaviour.credit2_all_ignores_siblings);
  CHECK_FALSE(release.behaviour.rtds_unrunnable_leaves_replenishment);
  CHECK(warns(release, "credit2"));
  CHECK(warns(release, "rtds"));
  CHECK_FALSE(warns(release, "credit"));
  CHECK(warns(resolve_version("4.20.1"), "arinc653"));
  CHECK_FALSE(warns(resolve_version("4.19.3"), "arinc653"));
  CHECK(resolve_version(kDefaultXenVersion).warnings.empty());
}

TEST_CASE("the newest branch has every change") {
  const XenBehaviour newest = resolve_version("4.22.0").behaviour;
  CHECK(newest.credit2_all_ignores_siblings);
  CHECK(newest.rtds_unrunnable_leaves_replenishment);
  CHECK(newest.rtds_searches_on);
  CHECK(newest.rtds_checks_domain_parameters);
  CHECK(newest.rtds_extratime_revives);
  CHECK(newest.credit_limits_balancing);
  CHECK(newest.credit_keeps_yield);
  CHECK(newest.arinc653_fixed_grid);
}

TEST_CASE("what is no version of Xen from 4.14 to 4.22 is refused, saying what is expected") {
  for (const char* const wrong :
       {"", "4", "4.", "4.13", "4.23", "5.14", "4.14.", "4.14.6.1", "4.14-rc1", "4.-14", "4.14.x", "xen"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(resolve_version(wrong), Catch::Contains("4.14 to 4.22"));
  }
}

}  // namespace
}  // namespace vecusim
