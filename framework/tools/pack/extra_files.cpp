#include "extra_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <toolwire/system/file_text.hpp>
#include <toolwire/text.hpp>

#include "deflate.hpp"
#include "install/request.hpp"

namespace toolwire::pack {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> taken{"manifest.json", "package.json", "server", "bin", "node_modules"};
constexpr std::size_t most_name_bytes = 90;  // of the 100 that a tar has, package/ in front

void require_good_name(const std::string& name, const std::vector<PackedFile>& before) {
  const auto refuse = [&](const std::string& expected) {
    throw install::Misuse("--file: expected " + expected + ", found \"" + std::string(text::head(name, 100)) + "\"");
  };
  if (name.empty() || name == "." || name == ".." || name.size() > most_name_bytes || !text::is_valid(name) ||
      text::visible(name) != name)
    refuse("a file whose name has at most 90 bytes and no hidden characters");
  if (std::ranges::find(taken, std::string_view(name)) != taken.end()) refuse("another name than those in packages");
  if (std::ranges::find(before, name, &PackedFile::name) != before.end()) refuse("each name once");
}

}  // namespace

std::vector<PackedFile> extra_files_from(const std::vector<std::string>& paths, const std::string& folder) {
  std::vector<PackedFile> files;
  for (const std::string& path : paths) {
    PackedFile file{.name = fs::path(path).filename().string()};
    require_good_name(file.name, files);
    file.content = system::text_of_file((fs::path(folder) / path).string(), most_bytes);
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace toolwire::pack
