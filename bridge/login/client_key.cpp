#include "login/client_key.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <stdexcept>

#include <toolwire/json.hpp>
#include <toolwire/system/private_file.hpp>

#include "login/codes.hpp"
#include "login/discovery.hpp"
#include "login/signing_library.hpp"
#include "login/tokens.hpp"

namespace toolwire::bridge::login {
namespace {

constexpr std::size_t longest_key_file = 65'536;  // bytes
constexpr int least_rsa_bits = 2048;              // RFC 7518 §3.3
constexpr std::int64_t life_of_assertion = 60;    // seconds
constexpr std::size_t bytes_of_id = 24;

struct SigningAlgorithm {
  std::string_view name;
  const char* type;    // of the key, in OpenSSL's words
  const char* group;   // the same of a curve; null: none
  const char* digest;  // null: it has its own
  int coordinate;      // bytes of a coordinate of the curve; 0: its signatures are not two numbers
  bool is_pss;
};

// clang-format off: one a line
constexpr std::array known_algorithms{
    SigningAlgorithm{"RS256", "RSA", nullptr, "SHA256", 0, false},
    SigningAlgorithm{"PS256", "RSA", nullptr, "SHA256", 0, true},
    SigningAlgorithm{"ES256", "EC", "prime256v1", "SHA256", 32, false},
    SigningAlgorithm{"ES384", "EC", "secp384r1", "SHA384", 48, false},
    SigningAlgorithm{"EdDSA", "ED25519", nullptr, nullptr, 0, false},
};
// clang-format on

constexpr auto names_of_algorithms = [] {
  std::array<std::string_view, known_algorithms.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = known_algorithms[i].name;
  return names;
}();

const SigningAlgorithm* algorithm_named(std::string_view name) {
  const auto* const found = std::ranges::find(known_algorithms, name, &SigningAlgorithm::name);
  return found == known_algorithms.end() ? nullptr : found;
}

/// What OpenSSL has made, with the function that frees it.
template <class T, auto free>
struct FreedBySigning {
  void operator()(T* made) const { (signing().*free)(made); }
};
using KeyText = std::unique_ptr<BIO, FreedBySigning<BIO, &SigningLibrary::BIO_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, FreedBySigning<EVP_PKEY, &SigningLibrary::EVP_PKEY_free>>;
using SigningContext = std::unique_ptr<EVP_MD_CTX, FreedBySigning<EVP_MD_CTX, &SigningLibrary::EVP_MD_CTX_free>>;
using TwoNumbers = std::unique_ptr<ECDSA_SIG, FreedBySigning<ECDSA_SIG, &SigningLibrary::ECDSA_SIG_free>>;

/// No failure that is done with is to be read by others on this thread, as an error of theirs.
struct SigningErrorsForgotten {
  SigningErrorsForgotten() = default;
  SigningErrorsForgotten(const SigningErrorsForgotten&) = delete;
  SigningErrorsForgotten& operator=(const SigningErrorsForgotten&) = delete;
  ~SigningErrorsForgotten() { signing().ERR_clear_error(); }
};

/// Nobody is asked for a passphrase.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writes*/, void* /*data*/) { return -1; }

PrivateKey key_in(const std::string& pem) {
  const KeyText text(signing().BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (!text) throw std::bad_alloc();
  return PrivateKey(signing().PEM_read_bio_PrivateKey(text.get(), nullptr, no_passphrase, nullptr));
}

bool is_on_curve(const EVP_PKEY* key, const char* group) {
  std::array<char, 64> name{};
  std::size_t size = 0;
  return signing().EVP_PKEY_get_group_name(key, name.data(), name.size(), &size) == 1 &&
         std::string_view(name.data(), size) == group;
}

bool fits(const EVP_PKEY* key, const SigningAlgorithm& algorithm) {
  if (signing().EVP_PKEY_is_a(key, algorithm.type) != 1) return false;
  if (algorithm.group != nullptr) return is_on_curve(key, algorithm.group);
  return std::string_view(algorithm.type) != "RSA" || signing().EVP_PKEY_get_bits(key) >= least_rsa_bits;
}

struct ReadKey {
  const SigningAlgorithm* algorithm = nullptr;
  PrivateKey key = {};
  std::string wrong = {};  // in words that follow "expected"; then there is no key
};

ReadKey read_key(const ClientKey& key) {
  ReadKey made{.algorithm = algorithm_named(key.algorithm)};
  if (made.algorithm == nullptr) return {.wrong = "an algorithm that is known"};
  const system::PrivateFile file(key.file, system::PrivateFile::Access::read);
  const auto pem = file.is_open() ? file.read_all(longest_key_file) : std::nullopt;
  if (!pem)
    return {.wrong = "a file of yours that nobody else can read or write (chmod 600), with a private key: " + key.file};
  const SigningErrorsForgotten forgotten;
  made.key = key_in(*pem);
  if (!made.key) return {.wrong = "a private key in PEM, without a passphrase: " + key.file};
  if (!fits(made.key.get(), *made.algorithm))
    return {.wrong = "a key for " + key.algorithm + " (RSA has 2048 bits or more): " + key.file};
  return made;
}

/// OpenSSL has the two numbers in DER, a token one behind the other (RFC 7518 §3.4). Empty if they are none.
std::string without_der(const std::string& der, int coordinate) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  const TwoNumbers numbers(signing().d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (!numbers) return {};
  const BIGNUM* first = nullptr;
  const BIGNUM* second = nullptr;
  signing().ECDSA_SIG_get0(numbers.get(), &first, &second);
  const auto size = static_cast<std::size_t>(coordinate);
  std::string both(2 * size, '\0');
  auto* const bytes = reinterpret_cast<unsigned char*>(both.data());
  const bool fit = signing().BN_bn2binpad(first, bytes, coordinate) == coordinate &&
                   signing().BN_bn2binpad(second, bytes + size, coordinate) == coordinate;
  return fit ? both : std::string();
}

bool is_ready(EVP_PKEY_CTX* context, const SigningAlgorithm& algorithm) {
  return !algorithm.is_pss || (signing().EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
                               signing().EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1);
}

/// Empty if it cannot be signed.
std::string signature_of(std::string_view text, const ReadKey& key) {
  const SigningErrorsForgotten forgotten;
  const SigningContext context(signing().EVP_MD_CTX_new());
  EVP_PKEY_CTX* of_key = nullptr;  // belongs to the context
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  if (!context ||
      signing().EVP_DigestSignInit_ex(context.get(), &of_key, key.algorithm->digest, nullptr, nullptr, key.key.get(),
                                      nullptr) != 1 ||
      !is_ready(of_key, *key.algorithm) ||
      signing().EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) != 1)
    return {};
  std::string made(size, '\0');
  if (signing().EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(made.data()), &size, bytes,
                               text.size()) != 1)
    return {};
  made.resize(size);
  return key.algorithm->coordinate > 0 ? without_der(made, key.algorithm->coordinate) : made;
}

ReadKey key_or_why_not(const ClientKey& key) {
  try {
    return read_key(key);
  } catch (const std::runtime_error& error) {  // the library is missing
    return {.wrong = error.what()};
  }
}

}  // namespace

std::span<const std::string_view> signing_algorithms() { return names_of_algorithms; }

std::string wrong_key(const ClientKey& key) { return key_or_why_not(key).wrong; }

std::string client_assertion(const ClientKey& key, const std::string& client_id, const std::string& issuer) {
  const ReadKey read = key_or_why_not(key);
  if (!read.wrong.empty()) throw LoginError("the client cannot sign who it is: expected " + read.wrong);
  JsonObject head{{"alg", key.algorithm}, {"typ", "JWT"}};
  if (!key.id.empty()) head["kid"] = key.id;
  const std::int64_t now = seconds_now();
  const JsonObject claims{{"iss", client_id}, {"sub", client_id},
                          {"aud", issuer},    {"jti", random_code(bytes_of_id)},
                          {"iat", now},       {"exp", now + life_of_assertion}};
  const std::string text = base64url(to_json_text(head)) + "." + base64url(to_json_text(claims));
  const std::string signature = signature_of(text, read);
  if (signature.empty()) throw LoginError("the client cannot sign who it is with " + key.file);
  return text + "." + base64url(signature);
}

}  // namespace toolwire::bridge::login
