// Certificates as a test wants them, right or wrong, and an authority that makes them.
#pragma once

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace toolwire_test {

/// Texts in PEM.
struct Certified {
  std::string certificate = {};
  std::string key = {};
};

struct Wanted {
  std::string common_name = "a server for tests";
  std::string names = "DNS:localhost,IP:127.0.0.1";  ///< Alternative ones; empty: none.
  std::string usage = {};                            ///< As OpenSSL writes extendedKeyUsage; empty: any.
  long begins = -3'600;                              ///< Seconds from now.
  long ends = 86'400;
  bool is_authority = false;
};

/// Signs with a key of its own; throws where OpenSSL cannot.
class Authority {
 public:
  explicit Authority(const std::string& name = "an authority for tests")
      : key_(EVP_EC_gen("P-256")),
        own_(made({.common_name = name, .names = "", .is_authority = true}, key_.get(), nullptr)) {}

  std::string certificate() const { return text_of(own_.get()); }
  Certified issue(const Wanted& wanted = {}) const {
    const Key key(EVP_EC_gen("P-256"));
    return {text_of(made(wanted, key.get(), own_.get()).get()), text_of(key.get())};
  }
  /// One between this and what it issues, whose certificate goes with those.
  Authority intermediate() const {
    Authority other("one between");
    other.own_ = made({.common_name = "one between", .names = "", .is_authority = true}, other.key_.get(), own_.get());
    return other;
  }
  /// Signed by itself.
  static Certified self_signed(const Wanted& wanted = {}) {
    const Authority alone;
    return {text_of(alone.made(wanted, alone.key_.get(), nullptr).get()), text_of(alone.key_.get())};
  }
  static std::string encrypted(const std::string& key, const std::string& password) {
    const Bio in(BIO_new_mem_buf(key.data(), static_cast<int>(key.size())));
    const Key read(PEM_read_bio_PrivateKey(in.get(), nullptr, nullptr, nullptr));
    const Bio out(BIO_new(BIO_s_mem()));
    const auto* const secret = reinterpret_cast<const unsigned char*>(password.data());
    expect(PEM_write_bio_PrivateKey(out.get(), read.get(), EVP_aes_128_cbc(), secret, static_cast<int>(password.size()),
                                    nullptr, nullptr) == 1);
    return text_in(out.get());
  }

 private:
  struct Free {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(X509* certificate) const { X509_free(certificate); }
    void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
    void operator()(BIO* bio) const { BIO_free(bio); }
  };
  using Key = std::unique_ptr<EVP_PKEY, Free>;
  using Certificate = std::unique_ptr<X509, Free>;
  using Bio = std::unique_ptr<BIO, Free>;

  static void expect(bool is_done) {
    if (!is_done) throw std::runtime_error("OpenSSL cannot make a certificate");
  }
  static std::string text_in(BIO* bio) {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(bio, &bytes);
    return {bytes, static_cast<std::size_t>(size)};
  }
  static std::string text_of(X509* certificate) {
    const Bio bio(BIO_new(BIO_s_mem()));
    expect(PEM_write_bio_X509(bio.get(), certificate) == 1);
    return text_in(bio.get());
  }
  static std::string text_of(EVP_PKEY* key) {
    const Bio bio(BIO_new(BIO_s_mem()));
    expect(PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
    return text_in(bio.get());
  }
  static void add(X509* to, int what, const std::string& value) {
    if (value.empty()) return;
    const std::unique_ptr<X509_EXTENSION, Free> extension(X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str()));
    expect(extension != nullptr && X509_add_ext(to, extension.get(), -1) == 1);
  }

  /// `issuer`: null for one that signs itself.
  Certificate made(const Wanted& wanted, EVP_PKEY* key, X509* issuer) const {
    static long number = 0;
    Certificate one(X509_new());
    expect(X509_set_version(one.get(), X509_VERSION_3) == 1 &&
           ASN1_INTEGER_set(X509_get_serialNumber(one.get()), ++number) == 1);
    X509_gmtime_adj(X509_getm_notBefore(one.get()), wanted.begins);
    X509_gmtime_adj(X509_getm_notAfter(one.get()), wanted.ends);
    const auto* const name = reinterpret_cast<const unsigned char*>(wanted.common_name.c_str());
    expect(X509_NAME_add_entry_by_txt(X509_get_subject_name(one.get()), "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1);
    expect(X509_set_issuer_name(one.get(), X509_get_subject_name(issuer == nullptr ? one.get() : issuer)) == 1);
    expect(X509_set_pubkey(one.get(), key) == 1);
    add(one.get(), NID_basic_constraints, wanted.is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
    add(one.get(), NID_subject_alt_name, wanted.names);
    add(one.get(), NID_ext_key_usage, wanted.usage);
    expect(X509_sign(one.get(), key_.get(), EVP_sha256()) > 0);
    return one;
  }

  Key key_;
  Certificate own_;
};

/// Whom a test trusts.
inline const Authority& trusted() {
  static const Authority one;
  return one;
}

/// What a client of it shows.
inline const Certified& replica() {
  static const Certified own = trusted().issue({.common_name = "a replica", .names = "", .usage = "clientAuth"});
  return own;
}

}  // namespace toolwire_test
