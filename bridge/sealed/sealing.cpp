#include "sealed/sealing.hpp"

#include <sodium.h>

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace toolwire::bridge {
namespace {

constexpr std::size_t min_key = 16;
constexpr std::size_t id_size = 6;
constexpr std::size_t nonce_size = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_size = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr std::size_t expiry_size = 8;

const unsigned char* bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

std::array<unsigned char, 32> hash(std::string_view text, const std::array<unsigned char, 32>* key) {
  std::array<unsigned char, 32> result{};
  crypto_generichash(result.data(), result.size(), bytes(text), text.size(), key != nullptr ? key->data() : nullptr,
                     key != nullptr ? key->size() : 0);
  return result;
}

std::string hexadecimal(const std::array<unsigned char, 32>& hash) {
  std::string text(2 * hash.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  text.pop_back();  // the terminating NUL
  return text;
}

/// So many milliseconds as eight bytes.
std::string text_of(Sealing::Time time) {
  auto count = static_cast<std::uint64_t>(time.time_since_epoch().count());
  std::string text(expiry_size, '\0');
  for (char& byte : text) {
    byte = static_cast<char>(count & 0xFFU);
    count >>= 8U;
  }
  return text;
}

Sealing::Time time_in(std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t i = expiry_size; i-- > 0;) count = count << 8U | static_cast<unsigned char>(text[i]);
  return Sealing::Time(std::chrono::milliseconds(static_cast<std::int64_t>(count)));
}

std::string plain_in(std::string_view name, std::string_view sealed, const std::array<unsigned char, 32>& key) {
  const std::string_view nonce = sealed.substr(id_size, nonce_size);
  const std::string_view rest = sealed.substr(id_size + nonce_size);
  std::string plain(rest.size() - tag_size, '\0');
  const int forged = crypto_aead_xchacha20poly1305_ietf_decrypt(
      bytes(plain), nullptr, nullptr, bytes(rest), rest.size(), bytes(name), name.size(), bytes(nonce), key.data());
  return forged == 0 ? plain : std::string();
}

}  // namespace

Sealing::Sealing(std::string_view place, std::string_view key, std::string_view second_key, std::string prefix)
    : prefix_(std::move(prefix)) {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot find a source of randomness");
  keys_.push_back(key_of(place, key));
  if (!second_key.empty()) keys_.push_back(key_of(place, second_key));
}

Sealing::Key Sealing::key_of(std::string_view place, std::string_view text) {
  if (text.size() < min_key)
    throw std::invalid_argument("a key that seals what others keep or carry needs at least 16 bytes");
  const Secret secret = hash(text, nullptr);
  const auto secret_for = [&](std::string_view use) {
    return hash(std::string("toolwire ").append(place).append(": ").append(use), &secret);
  };
  const Secret id = secret_for("id");
  return {{id.begin(), id.begin() + id_size}, secret_for("names"), secret_for("values")};
}

std::vector<std::string> Sealing::names(std::string_view kind, std::string_view what) const {
  const std::string whole = std::string(kind).append(1, '\0').append(what);
  std::vector<std::string> names;
  for (const Key& key : keys_)
    names.push_back(std::string(prefix_).append(kind).append(":").append(hexadecimal(hash(whole, &key.of_names))));
  return names;
}

std::string Sealing::seal(std::string_view name, std::string_view value, Time expires) const {
  const std::string plain = text_of(expires).append(value);
  std::string sealed = keys_.front().id;
  sealed.resize(id_size + nonce_size + plain.size() + tag_size);
  unsigned char* const nonce = bytes(sealed) + id_size;
  randombytes_buf(nonce, nonce_size);
  crypto_aead_xchacha20poly1305_ietf_encrypt(nonce + nonce_size, nullptr, bytes(std::string_view(plain)), plain.size(),
                                             bytes(name), name.size(), nullptr, nonce, keys_.front().of_values.data());
  return sealed;
}

const Sealing::Key* Sealing::key_in(std::string_view sealed) const {
  for (const Key& key : keys_) {
    if (sealed.starts_with(key.id)) return &key;
  }
  return nullptr;
}

Sealing::Opened Sealing::open(std::string_view name, std::string_view sealed, Time now) const {
  if (sealed.size() < id_size + nonce_size + expiry_size + tag_size) return {.refusal = Refusal::altered};
  const Key* const key = key_in(sealed);
  if (key == nullptr) return {.refusal = Refusal::unknown_key};
  std::string plain = plain_in(name, sealed, key->of_values);
  if (plain.empty()) return {.refusal = Refusal::altered};
  if (time_in(plain) <= now) return {.refusal = Refusal::expired};
  plain.erase(0, expiry_size);
  return {.value = std::move(plain)};
}

}  // namespace toolwire::bridge
