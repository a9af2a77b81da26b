#include "library/nkey.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace toolwire::nats {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";  // RFC 4648 §6
constexpr unsigned seed_mark = 18U << 3U;                                 // "S"
constexpr unsigned user_mark = 20U << 3U;                                 // "U"
constexpr std::size_t key_size = crypto_sign_SEEDBYTES;
constexpr std::size_t sum_size = 2;
constexpr std::size_t seed_letters = 58;

[[noreturn]] void refuse() {
  throw std::invalid_argument("expected the seed of a NATS user, 58 letters and digits that begin with SU");
}

Bytes bytes_in(std::string_view text) {
  Bytes bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char letter : text) {
    const std::size_t value = letters.find(letter);
    if (value == std::string_view::npos) refuse();
    bits = bits << 5U | static_cast<std::uint32_t>(value);
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<unsigned char>(bits >> count & 0xFFU));
  }
  return bytes;
}

std::string text_of(const Bytes& bytes) {
  std::string text;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const unsigned char byte : bytes) {
    bits = bits << 8U | byte;
    for (count += 8; count >= 5; count -= 5) text += letters[bits >> (count - 5) & 31U];
  }
  if (count > 0) text += letters[bits << (5 - count) & 31U];
  return text;
}

/// CRC-16/XMODEM: the polynomial 0x1021, from 0.
std::uint16_t sum_of(const unsigned char* bytes, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum ^= std::uint32_t{bytes[i]} << 8U;
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 0x8000U) != 0 ? sum << 1U ^ 0x1021U : sum << 1U;
  }
  return static_cast<std::uint16_t>(sum & 0xFFFFU);
}

/// The two marks stand in the first two bytes: five bits of the first, then eight of the kind.
bool is_seed_of_a_user(const Bytes& bytes) {
  if (bytes.size() != 2 + key_size + sum_size) return false;
  const unsigned kind = (bytes[0] & 7U) << 5U | (bytes[1] & 248U) >> 3U;
  const std::uint16_t sum = sum_of(bytes.data(), bytes.size() - sum_size);
  const unsigned stated = bytes[bytes.size() - 2] | static_cast<unsigned>(bytes[bytes.size() - 1]) << 8U;
  return (bytes[0] & 248U) == seed_mark && kind == user_mark && sum == stated;
}

void add_sum(Bytes& bytes) {
  const std::uint16_t sum = sum_of(bytes.data(), bytes.size());
  bytes.push_back(static_cast<unsigned char>(sum & 0xFFU));
  bytes.push_back(static_cast<unsigned char>(sum >> 8U));
}

}  // namespace

std::string public_key_of(std::string_view seed) {
  if (seed.size() != seed_letters) refuse();
  Bytes bytes = bytes_in(seed);
  if (!is_seed_of_a_user(bytes)) refuse();
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> open{};
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret{};
  crypto_sign_seed_keypair(open.data(), secret.data(), bytes.data() + 2);
  sodium_memzero(secret.data(), secret.size());
  sodium_memzero(bytes.data(), bytes.size());
  Bytes named{static_cast<unsigned char>(user_mark)};
  named.insert(named.end(), open.begin(), open.end());
  add_sum(named);
  return text_of(named);
}

std::string new_seed() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot find a source of randomness");
  Bytes bytes(2 + key_size);
  randombytes_buf(bytes.data(), bytes.size());
  bytes[0] = static_cast<unsigned char>(seed_mark | user_mark >> 5U);
  bytes[1] = static_cast<unsigned char>((user_mark & 31U) << 3U);
  add_sum(bytes);
  return text_of(bytes);
}

}  // namespace toolwire::nats
