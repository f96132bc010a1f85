// The golden traces: every decision of Xen 4.14.6 that was recorded, line by line.
#include "golden_files.hpp"

using vecusim::test::check_golden;
using vecusim::test::check_golden_on_arm;

TEST_CASE("null makes every recorded decision") { check_golden("null_", 13); }

TEST_CASE("ARINC653 makes every recorded decision") { check_golden("ar_", 19); }

TEST_CASE("RTDS makes every recorded decision") {
  check_golden("rt_", 47);
  check_golden("rtds-", 6);
}

TEST_CASE("RTDS decides the same on the topology that Arm describes") { check_golden_on_arm("rt_", 40); }
