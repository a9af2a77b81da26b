#include "activities/mcp/inherited_environment.hpp"

#include <algorithm>
#include <array>

#include "manifest/members.hpp"
#include "system/own_process.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::array<std::string_view, 14> usual{
    "HOME", "LOGNAME", "PATH",  "SHELL",   "TERM",    "USER",       "LANG",
    "LC_*", "TMPDIR",  "XDG_*", "*_PROXY", "*_proxy", "SSL_CERT_*", "NODE_EXTRA_CA_CERTS"};

/// A pattern has at most one star, at its beginning or its end.
bool fits(std::string_view name, std::string_view pattern) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
  return name == pattern;
}

bool is_passed_on(const InheritedEnvironment& inherited, std::string_view name) {
  using Extent = InheritedEnvironment::Extent;
  const auto fits_name = [&](std::string_view pattern) { return fits(name, pattern); };
  return inherited.extent == Extent::all || (inherited.extent == Extent::usual && is_usually_inherited(name)) ||
         std::ranges::any_of(inherited.named, fits_name);
}

}  // namespace

bool is_usually_inherited(std::string_view name) {
  return std::ranges::any_of(usual, [&](std::string_view pattern) { return fits(name, pattern); });
}

std::optional<std::string> wrong_inherited(std::string_view name) {
  const std::size_t star = name.find('*');
  const bool is_fine = !name.empty() &&
                       name.find_first_of(std::string_view("= \t\r\n$\0", 7)) == std::string_view::npos &&
                       (star == std::string_view::npos || star == name.size() - 1 ||
                        (star == 0 && name.find('*', 1) == std::string_view::npos));
  if (is_fine) return std::nullopt;
  return "expected the name of a variable, or PREFIX_* or *_SUFFIX for many, found " + in_quotes(name);
}

std::map<std::string, std::string> passed_on(const InheritedEnvironment& inherited,
                                             const std::vector<std::string_view>& own) {
  std::map<std::string, std::string> passed;
  for (const std::string_view entry : own) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || !is_passed_on(inherited, entry.substr(0, equals))) continue;
    passed.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return passed;
}

std::map<std::string, std::string> passed_on(const InheritedEnvironment& inherited) {
  return passed_on(inherited, own_environment());
}

}  // namespace toolwire::bridge::mcp
