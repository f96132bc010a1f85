// The one place that names Catch2's header: tests keep to what its versions 2 and 3 share.
#pragma once

#include <catch2/catch.hpp>
