#include "manifest/file_text.hpp"

#include <cerrno>
#include <system_error>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/system/file_text.hpp>

namespace toolwire::bridge {

std::optional<std::string> text_of_file(const std::string& path) try {
  return system::beginning_of_file(path, max_manifest + 1);
} catch (const std::system_error& error) {
  errno = error.code().value();
  return std::nullopt;
}

}  // namespace toolwire::bridge
