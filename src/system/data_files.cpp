// Finding the project's data beside the program.
#include "system/data_files.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <link.h>

#include <openssl/evp.h>

namespace vecusim {

namespace fs = std::filesystem;

namespace {

/// The file that holds this code: the program, or a module that another program has loaded.
fs::path own_file() {
  Dl_info symbol;
  void* found = nullptr;
  const auto* const here = reinterpret_cast<const void*>(&own_file);
  if (::dladdr1(here, &symbol, &found, RTLD_DL_LINKMAP) != 0) {
    const auto* const module = static_cast<const link_map*>(found);
    if (module->l_name != nullptr && *module->l_name != '\0') return fs::absolute(module->l_name);
  }
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

}  // namespace

fs::path data_root() {
  std::error_code error;
  const auto holds_data = [&](const fs::path& folder) {
    return fs::is_directory(folder / "scenarios", error) && fs::is_directory(folder / "validation" / "costs", error);
  };
  for (fs::path folder = own_file().parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (holds_data(folder)) return folder;
    if (holds_data(folder / "share" / "vecusim")) return folder / "share" / "vecusim";
    if (folder == folder.root_path()) break;
  }
  return {};
}

std::vector<std::string> data_names(std::string_view folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(data_root() / folder, error)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<fs::path> data_file(std::string_view folder, std::string_view name) {
  if (name.empty() || name.find('/') != std::string_view::npos) return std::nullopt;
  std::error_code error;
  fs::path path = data_root() / folder / (std::string(name) + ".json");
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  return path;
}

std::optional<std::string> file_content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string sha256(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace vecusim
