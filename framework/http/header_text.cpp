#include <toolwire/http/detail/header_text.hpp>

#include <algorithm>

#include "text/ascii.hpp"

namespace toolwire::header_text {
namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

}  // namespace

bool has_control(std::string_view text) { return std::any_of(text.begin(), text.end(), is_control); }

bool is_token(std::string_view text) { return text::is_token(text); }

std::string lower(std::string_view text) { return text::ascii_lower(text); }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string one_line(std::string_view value) {
  std::string copy(value);
  std::replace_if(copy.begin(), copy.end(), is_control, ' ');
  return copy;
}

}  // namespace toolwire::header_text
