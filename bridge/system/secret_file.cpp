#include "system/secret_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <toolwire/system/private_file.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::size_t longest = 4'096;

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

}  // namespace toolwire::bridge
