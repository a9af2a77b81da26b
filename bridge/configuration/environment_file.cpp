#include "configuration/environment_file.hpp"

#include <algorithm>
#include <stdexcept>

namespace toolwire::bridge {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view unquoted(std::string_view value) {
  const bool quoted =
      value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

std::map<std::string, std::string> environment_from(std::string_view text) {
  std::map<std::string, std::string> variables;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("export ")) line = trimmed(line.substr(7));
    const std::size_t equals = line.find('=');
    const std::string_view name = trimmed(line.substr(0, equals));
    if (equals == std::string_view::npos || name.empty())
      throw std::invalid_argument("line " + std::to_string(number) + ": expected NAME=value");
    variables.insert_or_assign(std::string(name), std::string(unquoted(trimmed(line.substr(equals + 1)))));
  }
  return variables;
}

}  // namespace toolwire::bridge
