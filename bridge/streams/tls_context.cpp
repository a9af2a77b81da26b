#include "streams/tls_context.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include <toolwire/system/network_address.hpp>

#include "streams/tls_stream.hpp"

namespace toolwire::streams {
namespace {

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
struct FreeKey {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Bio = std::unique_ptr<BIO, FreeBio>;
using Certificate = std::unique_ptr<X509, FreeCertificate>;
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("TLS: " + what); }

void need(bool is_done) {
  if (!is_done) throw std::runtime_error("TLS: OpenSSL refuses: " + openssl_reason());
}

/// Nobody is asked for a password, which OpenSSL would do at the terminal.
int no_password(char*, int, int, void*) { return -1; }

Bio reader_of(const std::string& text) {
  Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  need(bio != nullptr);
  return bio;
}

/// Null behind the last one. Throws for one that is spoilt.
Certificate next_certificate(BIO* text, const std::string& member) {
  ERR_clear_error();
  Certificate found(PEM_read_bio_X509(text, nullptr, no_password, nullptr));
  const bool is_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (!found && !is_end) refuse('"' + member + "\": expected certificates (PEM), found one that cannot be read");
  ERR_clear_error();
  return found;
}

[[noreturn]] void refuse_nothing(const std::string& member) {
  refuse('"' + member + "\": expected certificates (PEM, \"-----BEGIN CERTIFICATE-----\"), found none");
}

void trust(SSL_CTX* context, const std::string& ca) {
  if (ca.empty()) return need(SSL_CTX_set_default_verify_paths(context) == 1);
  const Bio text = reader_of(ca);
  X509_STORE* const trusted = SSL_CTX_get_cert_store(context);
  std::size_t count = 0;
  for (; const Certificate one = next_certificate(text.get(), "ca"); ++count)
    need(X509_STORE_add_cert(trusted, one.get()) == 1);
  if (count == 0) refuse_nothing("ca");
}

void present(SSL_CTX* context, const Tls& tls) {
  if (tls.certificate.empty() != tls.key.empty())
    refuse("expected both \"certificate\" and its \"key\", or neither of them");
  if (tls.certificate.empty()) return;
  const Bio text = reader_of(tls.certificate);
  const Certificate own = next_certificate(text.get(), "certificate");
  if (!own) refuse_nothing("certificate");
  if (SSL_CTX_use_certificate(context, own.get()) != 1) refuse("\"certificate\" cannot be used: " + openssl_reason());
  while (const Certificate between = next_certificate(text.get(), "certificate"))
    need(SSL_CTX_add1_chain_cert(context, between.get()) == 1);
  const Key key(PEM_read_bio_PrivateKey(reader_of(tls.key).get(), nullptr, no_password, nullptr));
  if (!key) refuse("\"key\": expected a private key (PEM) that is not encrypted");
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) refuse("\"key\": expected the one of \"certificate\"");
}

bool is_of_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

/// Without the dot that may end a name.
std::string checked_name(std::string name) {
  if (system::parse_address(name)) return name;
  if (name.ends_with('.')) name.pop_back();
  if (name.empty() || !std::ranges::all_of(name, is_of_a_name))
    refuse("\"server_name\": expected a name or an address, found \"" + name + '"');
  return name;
}

/// Only alternative names count, never the common name (RFC 9525 §2).
void expect(SSL_CTX* context, const std::string& name) {
  X509_VERIFY_PARAM* const rules = SSL_CTX_get0_param(context);
  X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  if (system::parse_address(name)) return need(X509_VERIFY_PARAM_set1_ip_asc(rules, name.c_str()) == 1);
  need(X509_VERIFY_PARAM_set1_host(rules, name.data(), name.size()) == 1);
}

}  // namespace

void TlsContext::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

TlsContext::TlsContext(const Tls& tls, const std::string& host) : context_(SSL_CTX_new(TLS_client_method())) {
  SSL_CTX* const context = context_.get();
  need(context != nullptr);
  const std::string name = checked_name(tls.server_name.empty() ? host : tls.server_name);
  if (!system::parse_address(name)) name_ = name;
  need(SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  // What is left of a text is given again from wherever it is by then.
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  expect(context, name);
  trust(context, tls.ca);
  present(context, tls);
}

std::unique_ptr<Stream> TlsContext::stream(int socket) const {
  return std::make_unique<TlsStream>(context_.get(), name_, socket);
}

}  // namespace toolwire::streams
