// OpenSSL's libcrypto as a static program has it: in itself. See README.md of the folder above.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <array>

#include "system/linked_library.hpp"

namespace toolwire::system {
namespace {

template <class Function>
LinkedFunction linked(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

const std::array functions{linked("BN_bin2bn", &::BN_bin2bn),
                           linked("BN_free", &::BN_free),
                           linked("CRYPTO_free", &::CRYPTO_free),
                           linked("ECDSA_SIG_free", &::ECDSA_SIG_free),
                           linked("ECDSA_SIG_new", &::ECDSA_SIG_new),
                           linked("ECDSA_SIG_set0", &::ECDSA_SIG_set0),
                           linked("ERR_clear_error", &::ERR_clear_error),
                           linked("EVP_DigestVerify", &::EVP_DigestVerify),
                           linked("EVP_DigestVerifyInit_ex", &::EVP_DigestVerifyInit_ex),
                           linked("EVP_MD_CTX_free", &::EVP_MD_CTX_free),
                           linked("EVP_MD_CTX_new", &::EVP_MD_CTX_new),
                           linked("EVP_PKEY_CTX_free", &::EVP_PKEY_CTX_free),
                           linked("EVP_PKEY_CTX_new_from_name", &::EVP_PKEY_CTX_new_from_name),
                           linked("EVP_PKEY_CTX_set_rsa_padding", &::EVP_PKEY_CTX_set_rsa_padding),
                           linked("EVP_PKEY_CTX_set_rsa_pss_saltlen", &::EVP_PKEY_CTX_set_rsa_pss_saltlen),
                           linked("EVP_PKEY_free", &::EVP_PKEY_free),
                           linked("EVP_PKEY_fromdata", &::EVP_PKEY_fromdata),
                           linked("EVP_PKEY_fromdata_init", &::EVP_PKEY_fromdata_init),
                           linked("EVP_PKEY_new_raw_public_key_ex", &::EVP_PKEY_new_raw_public_key_ex),
                           linked("OSSL_PARAM_BLD_free", &::OSSL_PARAM_BLD_free),
                           linked("OSSL_PARAM_BLD_new", &::OSSL_PARAM_BLD_new),
                           linked("OSSL_PARAM_BLD_push_BN", &::OSSL_PARAM_BLD_push_BN),
                           linked("OSSL_PARAM_BLD_push_octet_string", &::OSSL_PARAM_BLD_push_octet_string),
                           linked("OSSL_PARAM_BLD_push_utf8_string", &::OSSL_PARAM_BLD_push_utf8_string),
                           linked("OSSL_PARAM_BLD_to_param", &::OSSL_PARAM_BLD_to_param),
                           linked("OSSL_PARAM_free", &::OSSL_PARAM_free),
                           linked("i2d_ECDSA_SIG", &::i2d_ECDSA_SIG)};

const LinkedLibrary library{"libcrypto.so.3", functions};

[[maybe_unused]] const bool is_added = [] {
  // The system's configuration may ask for modules of another OpenSSL, which a static program must not load.
  ::OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  add_linked_library(library);
  return true;
}();

}  // namespace
}  // namespace toolwire::system
