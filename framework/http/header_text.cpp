#include <toolwire/http/detail/header_text.hpp>

#include <algorithm>

namespace toolwire::header_text {
namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

}  // namespace

bool has_control(std::string_view text) { return std::any_of(text.begin(), text.end(), is_control); }

bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";  // RFC 9110 §5.6.2
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
  });
}

std::string lower(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return copy;
}

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
