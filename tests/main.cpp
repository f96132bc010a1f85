// Catch2's main and what the build knows, compiled once for all test programs.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "source_dir.hpp"

std::filesystem::path source_dir() { return VECUSIM_SOURCE_DIR; }
