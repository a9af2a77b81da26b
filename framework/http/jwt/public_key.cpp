#include "jwt/public_key.hpp"

#include <new>
#include <string>

namespace toolwire::http::jwt {
namespace {

constexpr std::size_t min_modulus = 2048 / 8;  // bytes, RFC 7518 §3.3
constexpr std::size_t max_modulus = 8192 / 8;  // longer ones take longer than a stranger's token may
constexpr std::size_t max_exponent = 4;

/// What OpenSSL has made, with the function that frees it.
template <class T, auto free>
struct Freed {
  void operator()(T* made) const { (crypto().*free)(made); }
};
template <class T, auto free>
using Owned = std::unique_ptr<T, Freed<T, free>>;

using Number = Owned<BIGNUM, &CryptoLibrary::BN_free>;
using Builder = Owned<OSSL_PARAM_BLD, &CryptoLibrary::OSSL_PARAM_BLD_free>;
using Parameters = Owned<OSSL_PARAM, &CryptoLibrary::OSSL_PARAM_free>;
using KeyContext = Owned<EVP_PKEY_CTX, &CryptoLibrary::EVP_PKEY_CTX_free>;
using DigestContext = Owned<EVP_MD_CTX, &CryptoLibrary::EVP_MD_CTX_free>;
using Signature = Owned<ECDSA_SIG, &CryptoLibrary::ECDSA_SIG_free>;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

template <class Pointer>
Pointer owned(typename Pointer::element_type* made) {
  if (made == nullptr) throw std::bad_alloc();
  return Pointer(made);
}

Number number_of(std::string_view bytes) {
  return owned<Number>(crypto().BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

/// No failure that is done with is to be read by others on this thread, as an error of theirs.
struct ErrorsForgotten {
  ErrorsForgotten() = default;
  ErrorsForgotten(const ErrorsForgotten&) = delete;
  ErrorsForgotten& operator=(const ErrorsForgotten&) = delete;
  ~ErrorsForgotten() { crypto().ERR_clear_error(); }
};

/// A token has the two numbers one behind the other (RFC 7518 §3.4), OpenSSL wants them in DER. Empty: it cannot be
/// one.
std::string der_of(std::string_view signature, std::size_t coordinate) {
  if (signature.size() != 2 * coordinate) return {};
  auto numbers = owned<Signature>(crypto().ECDSA_SIG_new());
  Number first = number_of(signature.substr(0, coordinate));
  Number second = number_of(signature.substr(coordinate));
  if (crypto().ECDSA_SIG_set0(numbers.get(), first.get(), second.get()) != 1) return {};
  static_cast<void>(first.release());
  static_cast<void>(second.release());
  unsigned char* text = nullptr;
  const int size = crypto().i2d_ECDSA_SIG(numbers.get(), &text);
  if (size <= 0) return {};
  std::string der(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  crypto().CRYPTO_free(text, "", 0);
  return der;
}

/// PSS as RFC 7518 §3.5 has it: both digests are the same, and the salt is as long as they are.
bool is_ready_for(const Algorithm& algorithm, EVP_PKEY_CTX* context) {
  if (algorithm.scheme == Scheme::rsa_pkcs1)
    return crypto().EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1;
  if (algorithm.scheme != Scheme::rsa_pss) return true;
  return crypto().EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
         crypto().EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1;
}

}  // namespace

std::optional<PublicKey> PublicKey::made(const char* type, OSSL_PARAM_BLD* parts) {
  const auto parameters = owned<Parameters>(crypto().OSSL_PARAM_BLD_to_param(parts));
  const auto context = owned<KeyContext>(crypto().EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (crypto().EVP_PKEY_fromdata_init(context.get()) != 1 ||
      crypto().EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
    return std::nullopt;
  return PublicKey(key);
}

std::optional<PublicKey> PublicKey::rsa(std::string_view modulus, std::string_view exponent) {
  while (modulus.starts_with('\0')) modulus.remove_prefix(1);
  while (exponent.starts_with('\0')) exponent.remove_prefix(1);
  const bool has_fitting_sizes = modulus.size() >= min_modulus && modulus.size() <= max_modulus && !exponent.empty() &&
                                 exponent.size() <= max_exponent;
  const auto is_odd = [](std::string_view number) { return (static_cast<unsigned char>(number.back()) & 1U) != 0; };
  const bool has_top_bit = has_fitting_sizes && (modulus.size() > min_modulus || (modulus.front() & 0x80) != 0);
  if (!has_top_bit || !is_odd(exponent) || !is_odd(modulus) || exponent == "\x01") return std::nullopt;
  const ErrorsForgotten forgotten;
  const auto parts = owned<Builder>(crypto().OSSL_PARAM_BLD_new());
  const Number n = number_of(modulus);
  const Number e = number_of(exponent);
  if (crypto().OSSL_PARAM_BLD_push_BN(parts.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      crypto().OSSL_PARAM_BLD_push_BN(parts.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1)
    throw std::bad_alloc();
  return made("RSA", parts.get());
}

std::optional<PublicKey> PublicKey::elliptic(const Algorithm& algorithm, std::string_view x, std::string_view y) {
  if (x.size() != algorithm.coordinate || y.size() != algorithm.coordinate) return std::nullopt;
  const ErrorsForgotten forgotten;
  const auto parts = owned<Builder>(crypto().OSSL_PARAM_BLD_new());
  const std::string point = std::string(1, '\x04').append(x).append(y);  // uncompressed, SEC 1 §2.3.3
  if (crypto().OSSL_PARAM_BLD_push_utf8_string(parts.get(), OSSL_PKEY_PARAM_GROUP_NAME, algorithm.group, 0) != 1 ||
      crypto().OSSL_PARAM_BLD_push_octet_string(parts.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) != 1)
    throw std::bad_alloc();
  return made("EC", parts.get());
}

std::optional<PublicKey> PublicKey::ed25519(std::string_view bytes) {
  const ErrorsForgotten forgotten;
  EVP_PKEY* const key =
      crypto().EVP_PKEY_new_raw_public_key_ex(nullptr, "ED25519", nullptr, bytes_of(bytes), bytes.size());
  return key == nullptr ? std::nullopt : std::optional(PublicKey(key));
}

bool PublicKey::verifies(const Algorithm& algorithm, std::string_view text, std::string_view signature) const {
  const ErrorsForgotten forgotten;
  const std::string der = algorithm.scheme == Scheme::ecdsa ? der_of(signature, algorithm.coordinate) : std::string();
  const std::string_view given = algorithm.scheme == Scheme::ecdsa ? std::string_view(der) : signature;
  if (given.empty()) return false;
  const auto context = owned<DigestContext>(crypto().EVP_MD_CTX_new());
  EVP_PKEY_CTX* of_key = nullptr;  // belongs to the context
  return crypto().EVP_DigestVerifyInit_ex(context.get(), &of_key, algorithm.digest, nullptr, nullptr, key_.get(),
                                          nullptr) == 1 &&
         is_ready_for(algorithm, of_key) &&
         crypto().EVP_DigestVerify(context.get(), bytes_of(given), given.size(), bytes_of(text), text.size()) == 1;
}

}  // namespace toolwire::http::jwt
