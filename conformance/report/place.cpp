#include "report/place.hpp"

#include <filesystem>
#include <system_error>

namespace toolwire::conformance {

std::string place_of(const Target& target) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const auto& command = target.launch.command;
  for (auto word = command.rbegin(); word != command.rend(); ++word) {
    const fs::path file = (here / target.launch.directory / *word).lexically_normal();
    const fs::path place = file.lexically_relative(here);
    if (!place.empty() && *place.begin() != ".." && fs::is_regular_file(file, error)) return place.generic_string();
  }
  for (const char* manifest : {"package.json", "pyproject.toml", "go.mod", "Cargo.toml"}) {
    if (fs::is_regular_file(here / manifest, error)) return manifest;
  }
  return ".";
}

}  // namespace toolwire::conformance
