// An authorization server as far as its tokens go: makes keys, publishes them as JWKS, and signs what it is told, right
// or wrong.
#pragma once

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <sodium.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>
#include <utility>
#include <vector>

namespace toolwire_test {

inline std::string base64url(std::string_view bytes) {
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  text.pop_back();
  return text;
}

class SigningKey {
 public:
  static SigningKey rsa(unsigned bits = 2048) { return SigningKey(EVP_RSA_gen(bits), "RSA", ""); }
  static SigningKey elliptic(const char* curve = "P-256") { return SigningKey(EVP_EC_gen(curve), "EC", curve); }
  static SigningKey ed25519() { return SigningKey(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), "OKP", "Ed25519"); }

  /// As RFC 7518 has it, ECDSA as two numbers; `der`: as OpenSSL has it. `salt`: bytes, of PSS.
  std::string sign(const std::string& algorithm, std::string_view text, bool der = false,
                   int salt = RSA_PSS_SALTLEN_DIGEST) const {
    const bool has_digest = algorithm != "EdDSA";
    const std::string digest = "SHA" + algorithm.substr(2);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_PKEY_CTX* of_key = nullptr;
    expect(EVP_DigestSignInit_ex(context.get(), &of_key, has_digest ? digest.c_str() : nullptr, nullptr, nullptr,
                                 key_.get(), nullptr) == 1);
    if (algorithm.starts_with("PS")) {
      expect(EVP_PKEY_CTX_set_rsa_padding(of_key, RSA_PKCS1_PSS_PADDING) == 1);
      expect(EVP_PKEY_CTX_set_rsa_pss_saltlen(of_key, salt) == 1);
    }
    std::string signature(1024, '\0');
    std::size_t size = signature.size();
    expect(EVP_DigestSign(context.get(), bytes(signature), &size, reinterpret_cast<const unsigned char*>(text.data()),
                          text.size()) == 1);
    signature.resize(size);
    return type_ == "EC" && !der ? raw_of(signature) : signature;
  }

  /// Its public half (RFC 7517).
  toolwire::JsonObject jwk(const std::string& id) const {
    toolwire::JsonObject made{{"kty", type_}, {"kid", id}, {"use", "sig"}};
    if (type_ == "RSA") {
      made["n"] = base64url(number(OSSL_PKEY_PARAM_RSA_N));
      made["e"] = base64url(number(OSSL_PKEY_PARAM_RSA_E));
    } else {
      made["crv"] = curve_;
      made["x"] = base64url(type_ == "EC" ? number(OSSL_PKEY_PARAM_EC_PUB_X, coordinate()) : raw_public());
      if (type_ == "EC") made["y"] = base64url(number(OSSL_PKEY_PARAM_EC_PUB_Y, coordinate()));
    }
    return made;
  }

 private:
  SigningKey(EVP_PKEY* key, std::string type, std::string curve)
      : key_(key, EVP_PKEY_free), type_(std::move(type)), curve_(std::move(curve)) {
    expect(key != nullptr);
  }
  static void expect(bool holds) {
    if (!holds) throw std::runtime_error("OpenSSL does not do what the test needs");
  }
  static unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
  int coordinate() const { return (EVP_PKEY_get_bits(key_.get()) + 7) / 8; }

  static std::string text_of(const BIGNUM* number, int size = 0) {
    std::string text(static_cast<std::size_t>(size > 0 ? size : BN_num_bytes(number)), '\0');
    expect(BN_bn2binpad(number, bytes(text), static_cast<int>(text.size())) >= 0);
    return text;
  }
  std::string number(const char* name, int size = 0) const {
    BIGNUM* found = nullptr;
    expect(EVP_PKEY_get_bn_param(key_.get(), name, &found) == 1);
    std::string text = text_of(found, size);
    BN_free(found);
    return text;
  }
  std::string raw_public() const {
    std::string text(32, '\0');
    std::size_t size = text.size();
    expect(EVP_PKEY_get_raw_public_key(key_.get(), bytes(text), &size) == 1);
    return text;
  }
  std::string raw_of(const std::string& der) const {
    const auto* from = reinterpret_cast<const unsigned char*>(der.data());
    ECDSA_SIG* const pair = d2i_ECDSA_SIG(nullptr, &from, static_cast<long>(der.size()));
    expect(pair != nullptr);
    std::string raw = text_of(ECDSA_SIG_get0_r(pair), coordinate()) + text_of(ECDSA_SIG_get0_s(pair), coordinate());
    ECDSA_SIG_free(pair);
    return raw;
  }

  std::shared_ptr<EVP_PKEY> key_;
  std::string type_;
  std::string curve_;
};

inline std::string jwks_of(std::vector<toolwire::JsonObject> keys) {
  toolwire::JsonArray list;
  for (toolwire::JsonObject& key : keys) list.emplace_back(std::move(key));
  return toolwire::to_json_text(toolwire::JsonObject{{"keys", std::move(list)}});
}

inline std::int64_t seconds_from_now(std::int64_t seconds) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count() + seconds;
}

/// Header and claims as texts, so that a test can write what no writer of JSON would.
inline std::string signed_token(const SigningKey& key, const std::string& algorithm, const std::string& header,
                                const std::string& claims) {
  const std::string text = base64url(header) + "." + base64url(claims);
  return text + "." + base64url(key.sign(algorithm, text));
}

/// One issuer with one key, and the tokens that it would give.
struct JwtIssuer {
  std::string url = "https://login.example.com";
  std::string resource = "https://mcp.example.com/mcp";
  std::string algorithm = "ES256";
  SigningKey key = SigningKey::elliptic();

  std::string jwks() const { return jwks_of({key.jwk("first")}); }
  std::string header() const { return R"({"alg":")" + algorithm + R"(","typ":"at+jwt","kid":"first"})"; }
  toolwire::JsonObject claims(const std::string& subject = "ann") const {
    return {{"iss", url},        {"sub", subject},       {"aud", resource},        {"exp", seconds_from_now(600)},
            {"client_id", "c1"}, {"jti", "unique-text"}, {"scope", "tools extra"}, {"iat", seconds_from_now(-1)}};
  }
  std::string token(const toolwire::JsonObject& claims) const {
    return token(header(), toolwire::to_json_text(claims));
  }
  std::string token(const std::string& header, const std::string& claims) const {
    return signed_token(key, algorithm, header, claims);
  }
  std::string token_of(const std::string& subject) const { return token(claims(subject)); }
};

}  // namespace toolwire_test
