#include "cluster/secrets.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <toolwire/system/private_file.hpp>

namespace toolwire::bridge::cluster {
namespace {

constexpr std::size_t longest = 4'096;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? "" : value;
}

}  // namespace

std::string first_line_of(const std::string& path, const std::string& member, const std::string& what) {
  if (path.empty()) return {};
  const system::PrivateFile file(path, system::PrivateFile::Access::read);
  std::string text = file.is_open() ? file.read_all(longest).value_or("") : "";
  text.erase(std::min(text.find_first_of("\r\n"), text.size()));
  if (text.empty())
    throw std::invalid_argument('"' + member +
                                "\": expected a file of yours that nobody else can read or write (chmod 600), with " +
                                what + " in its first line: " + path);
  return text;
}

StateKeys state_keys() {
  StateKeys keys{variable("TOOLWIRE_STATE_KEY"), variable("TOOLWIRE_SECOND_STATE_KEY")};
  if (keys.key.empty())
    throw std::invalid_argument(
        "TOOLWIRE_STATE_KEY is not set: expected a secret of at least 16 bytes, the same for all replicas and workers");
  return keys;
}

}  // namespace toolwire::bridge::cluster
