#include "manifest/version.hpp"

#include <fmt/format.h>

#include "manifest/findings.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::string_view known_major = "1";
constexpr std::size_t max_part_digits = 9;

bool is_number(std::string_view part) {
  return !part.empty() && part.size() <= max_part_digits &&
         part.find_first_not_of("0123456789") == std::string_view::npos && (part == "0" || part.front() != '0');
}

/// One to three numbers with points between them.
bool is_version(std::string_view version) {
  for (int parts = 1; parts <= 3; ++parts) {
    const std::size_t point = version.find('.');
    if (!is_number(version.substr(0, point))) return false;
    if (point == std::string_view::npos) return true;
    version.remove_prefix(point + 1);
  }
  return false;
}

}  // namespace

std::optional<std::string> problem_of_version(std::string_view version) {
  if (!is_version(version)) return fmt::format("expected a version like \"1.0\", found {}", in_quotes(version));
  const std::string_view major = version.substr(0, version.find('.'));
  if (major == known_major) return {};
  return fmt::format("version {} of the protocol is not known; expected 1, 1.x or 1.x.y", in_quotes(version));
}

}  // namespace toolwire::bridge
