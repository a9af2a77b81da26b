#include "types/random_id.hpp"

#include <sodium.h>

#include <array>
#include <stdexcept>

namespace toolwire::types {

std::string random_id() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot find a source of randomness");
  std::array<unsigned char, 16> bytes{};
  std::array<char, bytes.size() * 2 + 1> text{};
  randombytes_buf(bytes.data(), bytes.size());
  return sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
}

}  // namespace toolwire::types
