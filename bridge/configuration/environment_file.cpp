#include "configuration/environment_file.hpp"

#include <algorithm>
#include <stdexcept>

namespace toolwire::bridge {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// What others read as a comment is none where it could be part of the value.
std::string_view value_in(std::string_view written) {
  if (written.empty() || (written.front() != '"' && written.front() != '\'')) {
    if (written.find(" #") != std::string_view::npos || written.find("\t#") != std::string_view::npos)
      throw std::invalid_argument("expected quotes around a value with a # behind a space");
    return written;
  }
  const std::size_t end = written.find(written.front(), 1);
  if (end == std::string_view::npos) throw std::invalid_argument("expected the closing quote in the same line");
  const std::string_view behind = trimmed(written.substr(end + 1));
  if (!behind.empty() && behind.front() != '#')
    throw std::invalid_argument("expected nothing but a comment behind the closing quote");
  return written.substr(1, end - 1);
}

}  // namespace

std::map<std::string, std::string> environment_from(std::string_view text) {
  std::map<std::string, std::string> variables;
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("export ")) line = trimmed(line.substr(7));
    const std::size_t equals = line.find('=');
    const std::string_view name = trimmed(line.substr(0, equals));
    try {
      if (equals == std::string_view::npos || name.empty() || name.find_first_of(" \t") != std::string_view::npos ||
          line.find('\0') != std::string_view::npos)
        throw std::invalid_argument("expected NAME=value");
      variables.insert_or_assign(std::string(name), std::string(value_in(trimmed(line.substr(equals + 1)))));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("line " + std::to_string(number) + ": " + error.what());
    }
  }
  return variables;
}

}  // namespace toolwire::bridge
