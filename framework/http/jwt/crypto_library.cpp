#include "jwt/crypto_library.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <toolwire/system/shared_library.hpp>

namespace toolwire::http::jwt {
namespace {

#ifdef __APPLE__
constexpr std::array names{"libcrypto.3.dylib"};
#else
constexpr std::array names{"libcrypto.so.3"};
#endif

CryptoLibrary functions_of(const system::SharedLibrary& library) {
  CryptoLibrary made{};
  library.find(made.BN_bin2bn, "BN_bin2bn");
  library.find(made.BN_free, "BN_free");
  library.find(made.CRYPTO_free, "CRYPTO_free");
  library.find(made.ECDSA_SIG_free, "ECDSA_SIG_free");
  library.find(made.ECDSA_SIG_new, "ECDSA_SIG_new");
  library.find(made.ECDSA_SIG_set0, "ECDSA_SIG_set0");
  library.find(made.ERR_clear_error, "ERR_clear_error");
  library.find(made.EVP_DigestVerify, "EVP_DigestVerify");
  library.find(made.EVP_DigestVerifyInit_ex, "EVP_DigestVerifyInit_ex");
  library.find(made.EVP_MD_CTX_free, "EVP_MD_CTX_free");
  library.find(made.EVP_MD_CTX_new, "EVP_MD_CTX_new");
  library.find(made.EVP_PKEY_CTX_free, "EVP_PKEY_CTX_free");
  library.find(made.EVP_PKEY_CTX_new_from_name, "EVP_PKEY_CTX_new_from_name");
  library.find(made.EVP_PKEY_CTX_set_rsa_padding, "EVP_PKEY_CTX_set_rsa_padding");
  library.find(made.EVP_PKEY_CTX_set_rsa_pss_saltlen, "EVP_PKEY_CTX_set_rsa_pss_saltlen");
  library.find(made.EVP_PKEY_free, "EVP_PKEY_free");
  library.find(made.EVP_PKEY_fromdata, "EVP_PKEY_fromdata");
  library.find(made.EVP_PKEY_fromdata_init, "EVP_PKEY_fromdata_init");
  library.find(made.EVP_PKEY_new_raw_public_key_ex, "EVP_PKEY_new_raw_public_key_ex");
  library.find(made.OSSL_PARAM_BLD_free, "OSSL_PARAM_BLD_free");
  library.find(made.OSSL_PARAM_BLD_new, "OSSL_PARAM_BLD_new");
  library.find(made.OSSL_PARAM_BLD_push_BN, "OSSL_PARAM_BLD_push_BN");
  library.find(made.OSSL_PARAM_BLD_push_octet_string, "OSSL_PARAM_BLD_push_octet_string");
  library.find(made.OSSL_PARAM_BLD_push_utf8_string, "OSSL_PARAM_BLD_push_utf8_string");
  library.find(made.OSSL_PARAM_BLD_to_param, "OSSL_PARAM_BLD_to_param");
  library.find(made.OSSL_PARAM_free, "OSSL_PARAM_free");
  library.find(made.i2d_ECDSA_SIG, "i2d_ECDSA_SIG");
  return made;
}

CryptoLibrary load() try {
  return functions_of(system::SharedLibrary(names));
} catch (const std::runtime_error& error) {
  throw std::runtime_error("signed tokens need OpenSSL 3 (on Debian: apt-get install libssl3): " +
                           std::string(error.what()));
}

}  // namespace

const CryptoLibrary& crypto() {
  static const CryptoLibrary loaded = load();
  return loaded;
}

}  // namespace toolwire::http::jwt
