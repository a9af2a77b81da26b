#include "system/secret_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <toolwire/system/private_file.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::size_t longest_line = 4'096;
constexpr std::size_t longest_text = 65'536;

/// Empty if it is no such file.
std::string private_text(const std::string& path, std::size_t longest) {
  const system::PrivateFile file(path, system::PrivateFile::Access::read);
  return file.is_open() ? file.read_all(longest).value_or("") : "";
}

[[noreturn]] void refuse_secret(const std::string& path, const std::string& member, const std::string& what) {
  throw std::invalid_argument('"' + member +
                              "\": expected a file of yours that nobody else can read or write (chmod 600), with " +
                              what + ": " + path);
}

}  // namespace

std::string first_line_of(const std::string& path, const std::string& member, const std::string& what) {
  if (path.empty()) return {};
  std::string text = private_text(path, longest_line);
  text.erase(std::min(text.find_first_of("\r\n"), text.size()));
  if (text.empty()) refuse_secret(path, member, what + " in its first line");
  return text;
}

std::string secret_of(const std::string& path, const std::string& member, const std::string& what) {
  if (path.empty()) return {};
  std::string text = private_text(path, longest_text);
  if (text.empty()) refuse_secret(path, member, what);
  return text;
}

}  // namespace toolwire::bridge
