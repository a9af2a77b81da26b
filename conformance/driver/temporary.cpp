#include "driver/temporary.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace toolwire::conformance {
namespace {

std::string pattern(std::string_view prefix) {
  return (std::filesystem::temp_directory_path() / (std::string(prefix) + "XXXXXX")).string();
}

}  // namespace

std::optional<std::string> temporary_file(std::string_view content) {
  std::string path = pattern("toolwire-conformance-");
  const int file = ::mkstemp(path.data());
  if (file < 0) return std::nullopt;
  const bool written = ::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  ::close(file);
  if (written) return path;
  std::filesystem::remove(path);
  return std::nullopt;
}

std::optional<std::string> temporary_folder(std::string_view prefix) {
  std::string path = pattern(prefix);
  return ::mkdtemp(path.data()) == nullptr ? std::nullopt : std::optional(std::move(path));
}

}  // namespace toolwire::conformance
