#include "activities/mcp/text_hash.hpp"

#include <sodium.h>

#include <vector>

namespace toolwire::bridge::mcp {

std::string text_hash(std::string_view text, std::size_t bytes) {
  std::vector<unsigned char> hash(bytes);
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                     nullptr, 0);
  std::string hex(2 * hash.size() + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  hex.pop_back();
  return hex;
}

}  // namespace toolwire::bridge::mcp
