#include "url_text.hpp"

#include "types/base64.hpp"

namespace toolwire::hosts {

std::string percent_encoded(std::string_view bytes) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char byte : bytes) {
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_' || byte == '~';
    const auto value = static_cast<unsigned char>(byte);
    if (is_plain)
      out += byte;
    else
      (out += '%').append({digits[value >> 4U], digits[value & 15U]});
  }
  return out;
}

std::string base64(std::string_view bytes) { return types::base64(bytes); }

}  // namespace toolwire::hosts
