// Where the sources are, which only the build knows.
#include "source_dir.hpp"

std::filesystem::path source_dir() { return VECUSIM_SOURCE_DIR; }
