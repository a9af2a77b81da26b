// OpenSSL's functions that sign, taken from the system's library when a client first does: a bridge whose clients sign
// nothing starts without it.
#pragma once

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

namespace toolwire::bridge::login {

/// The functions that are used, under OpenSSL's names.
struct SigningLibrary {
  decltype(&::BIO_free) BIO_free;
  decltype(&::BIO_new_mem_buf) BIO_new_mem_buf;
  decltype(&::BN_bn2binpad) BN_bn2binpad;
  decltype(&::ECDSA_SIG_free) ECDSA_SIG_free;
  decltype(&::ECDSA_SIG_get0) ECDSA_SIG_get0;
  decltype(&::ERR_clear_error) ERR_clear_error;
  decltype(&::EVP_DigestSign) EVP_DigestSign;
  decltype(&::EVP_DigestSignInit_ex) EVP_DigestSignInit_ex;
  decltype(&::EVP_MD_CTX_free) EVP_MD_CTX_free;
  decltype(&::EVP_MD_CTX_new) EVP_MD_CTX_new;
  decltype(&::EVP_PKEY_CTX_set_rsa_padding) EVP_PKEY_CTX_set_rsa_padding;
  decltype(&::EVP_PKEY_CTX_set_rsa_pss_saltlen) EVP_PKEY_CTX_set_rsa_pss_saltlen;
  decltype(&::EVP_PKEY_free) EVP_PKEY_free;
  decltype(&::EVP_PKEY_get_bits) EVP_PKEY_get_bits;
  decltype(&::EVP_PKEY_get_group_name) EVP_PKEY_get_group_name;
  decltype(&::EVP_PKEY_is_a) EVP_PKEY_is_a;
  decltype(&::PEM_read_bio_PrivateKey) PEM_read_bio_PrivateKey;
  decltype(&::d2i_ECDSA_SIG) d2i_ECDSA_SIG;
};

/// OpenSSL's libcrypto, loaded by whoever calls first. Throws std::runtime_error that says what to install if the
/// system has none.
const SigningLibrary& signing();

}  // namespace toolwire::bridge::login
