// OpenSSL's functions, taken from the system's library when they are first needed: a program that checks no tokens
// starts without it, and gets its security updates from the system.
#pragma once

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

namespace toolwire::http::jwt {

/// The functions that are used, under OpenSSL's names.
struct CryptoLibrary {
  decltype(&::BN_bin2bn) BN_bin2bn;
  decltype(&::BN_free) BN_free;
  decltype(&::CRYPTO_free) CRYPTO_free;
  decltype(&::ECDSA_SIG_free) ECDSA_SIG_free;
  decltype(&::ECDSA_SIG_new) ECDSA_SIG_new;
  decltype(&::ECDSA_SIG_set0) ECDSA_SIG_set0;
  decltype(&::ERR_clear_error) ERR_clear_error;
  decltype(&::EVP_DigestVerify) EVP_DigestVerify;
  decltype(&::EVP_DigestVerifyInit_ex) EVP_DigestVerifyInit_ex;
  decltype(&::EVP_MD_CTX_free) EVP_MD_CTX_free;
  decltype(&::EVP_MD_CTX_new) EVP_MD_CTX_new;
  decltype(&::EVP_PKEY_CTX_free) EVP_PKEY_CTX_free;
  decltype(&::EVP_PKEY_CTX_new_from_name) EVP_PKEY_CTX_new_from_name;
  decltype(&::EVP_PKEY_CTX_set_rsa_padding) EVP_PKEY_CTX_set_rsa_padding;
  decltype(&::EVP_PKEY_CTX_set_rsa_pss_saltlen) EVP_PKEY_CTX_set_rsa_pss_saltlen;
  decltype(&::EVP_PKEY_free) EVP_PKEY_free;
  decltype(&::EVP_PKEY_fromdata) EVP_PKEY_fromdata;
  decltype(&::EVP_PKEY_fromdata_init) EVP_PKEY_fromdata_init;
  decltype(&::EVP_PKEY_new_raw_public_key_ex) EVP_PKEY_new_raw_public_key_ex;
  decltype(&::OSSL_PARAM_BLD_free) OSSL_PARAM_BLD_free;
  decltype(&::OSSL_PARAM_BLD_new) OSSL_PARAM_BLD_new;
  decltype(&::OSSL_PARAM_BLD_push_BN) OSSL_PARAM_BLD_push_BN;
  decltype(&::OSSL_PARAM_BLD_push_octet_string) OSSL_PARAM_BLD_push_octet_string;
  decltype(&::OSSL_PARAM_BLD_push_utf8_string) OSSL_PARAM_BLD_push_utf8_string;
  decltype(&::OSSL_PARAM_BLD_to_param) OSSL_PARAM_BLD_to_param;
  decltype(&::OSSL_PARAM_free) OSSL_PARAM_free;
  decltype(&::i2d_ECDSA_SIG) i2d_ECDSA_SIG;
};

/// OpenSSL's libcrypto, loaded by whoever calls first. Throws std::runtime_error that says what to install if the
/// system has none.
const CryptoLibrary& crypto();

}  // namespace toolwire::http::jwt
