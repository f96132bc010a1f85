// Where the project's files are, for tests that read some of them.
#pragma once

#include <filesystem>

std::filesystem::path source_dir();
