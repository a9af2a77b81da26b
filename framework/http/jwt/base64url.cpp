#include "jwt/base64url.hpp"

#include <sodium.h>

namespace toolwire::http::jwt {

std::optional<std::string> from_base64url(std::string_view text) {
  if (text.empty()) return std::string();
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  std::size_t size = 0;
  const char* end = nullptr;
  const int failed = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                                       text.size(), nullptr, &size, &end, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  if (failed != 0 || end != text.data() + text.size()) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

}  // namespace toolwire::http::jwt
