#include "login/signing_library.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include <toolwire/system/shared_library.hpp>

namespace toolwire::bridge::login {
namespace {

#ifdef __APPLE__
constexpr std::array library_names{"libcrypto.3.dylib"};
#else
constexpr std::array library_names{"libcrypto.so.3"};
#endif

SigningLibrary signing_functions_of(const system::SharedLibrary& library) {
  SigningLibrary made{};
  library.find(made.BIO_free, "BIO_free");
  library.find(made.BIO_new_mem_buf, "BIO_new_mem_buf");
  library.find(made.BN_bn2binpad, "BN_bn2binpad");
  library.find(made.ECDSA_SIG_free, "ECDSA_SIG_free");
  library.find(made.ECDSA_SIG_get0, "ECDSA_SIG_get0");
  library.find(made.ERR_clear_error, "ERR_clear_error");
  library.find(made.EVP_DigestSign, "EVP_DigestSign");
  library.find(made.EVP_DigestSignInit_ex, "EVP_DigestSignInit_ex");
  library.find(made.EVP_MD_CTX_free, "EVP_MD_CTX_free");
  library.find(made.EVP_MD_CTX_new, "EVP_MD_CTX_new");
  library.find(made.EVP_PKEY_CTX_set_rsa_padding, "EVP_PKEY_CTX_set_rsa_padding");
  library.find(made.EVP_PKEY_CTX_set_rsa_pss_saltlen, "EVP_PKEY_CTX_set_rsa_pss_saltlen");
  library.find(made.EVP_PKEY_free, "EVP_PKEY_free");
  library.find(made.EVP_PKEY_get_bits, "EVP_PKEY_get_bits");
  library.find(made.EVP_PKEY_get_group_name, "EVP_PKEY_get_group_name");
  library.find(made.EVP_PKEY_is_a, "EVP_PKEY_is_a");
  library.find(made.PEM_read_bio_PrivateKey, "PEM_read_bio_PrivateKey");
  library.find(made.d2i_ECDSA_SIG, "d2i_ECDSA_SIG");
  return made;
}

SigningLibrary load_signing_library() try {
  return signing_functions_of(system::SharedLibrary(library_names));
} catch (const std::runtime_error& error) {
  throw std::runtime_error("OpenSSL 3, for clients that sign (on Debian: apt-get install libssl3): " +
                           std::string(error.what()));
}

}  // namespace

const SigningLibrary& signing() {
  static const SigningLibrary loaded = load_signing_library();
  return loaded;
}

}  // namespace toolwire::bridge::login
