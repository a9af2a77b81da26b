// Somebody who speaks TLS where a server is expected and does what a test says, with OpenSSL in its hands.
#pragma once

#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <csignal>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <toolwire/system/file_descriptor.hpp>
#include <utility>

#include "certificates.hpp"
#include "listening_socket.hpp"

namespace toolwire_test {

/// On a port of this machine, one connection, on a thread of its own that waits as it likes.
class TlsPeer {
 public:
  struct Rules {
    int newest = TLS1_3_VERSION;
    std::string ciphers = {};    ///< Of TLS 1.2 and before; empty: OpenSSL's.
    std::string client_ca = {};  ///< Whose certificates clients have to show; empty: none.
    int most_buffered = 0;       ///< Bytes that wait in the system to be read; 0: the system's choice.
  };
  /// After a handshake.
  using Act = std::function<void(SSL*)>;

  TlsPeer(const Certified& own, Act act) : TlsPeer(own, Rules(), std::move(act)) {}
  TlsPeer(const Certified& own, const Rules& rules, Act act)
      : context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
    SSL_CTX_set_max_proto_version(context_.get(), rules.newest);
    SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
    if (!rules.ciphers.empty()) SSL_CTX_set_cipher_list(context_.get(), rules.ciphers.c_str());
    use(own, context_.get());
    if (!rules.client_ca.empty()) ask_for_certificates_of(rules.client_ca);
    if (rules.most_buffered > 0)
      ::setsockopt(listener_.descriptor(), SOL_SOCKET, SO_RCVBUF, &rules.most_buffered, sizeof rules.most_buffered);
    thread_ = std::thread([this, act = std::move(act)] { serve(act); });
  }
  TlsPeer(const TlsPeer&) = delete;
  TlsPeer& operator=(const TlsPeer&) = delete;
  ~TlsPeer() {
    ::shutdown(listener_.descriptor(), SHUT_RDWR);
    thread_.join();
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(listener_.port()); }

  /// The server's side over a connected socket, for who takes both sides' turns.
  static std::unique_ptr<SSL, decltype(&SSL_free)> session_over(int socket, const Certified& own) {
    const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
    use(own, context.get());
    std::unique_ptr<SSL, decltype(&SSL_free)> session(SSL_new(context.get()), SSL_free);
    SSL_set_fd(session.get(), socket);
    SSL_set_accept_state(session.get());
    return session;
  }
  /// What came at once; empty at the end.
  static std::string some(SSL* session) {
    std::string bytes(std::size_t{16} << 10, '\0');
    const int count = SSL_read(session, bytes.data(), static_cast<int>(bytes.size()));
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
  static void say(SSL* session, const std::string& text) {
    SSL_write(session, text.data(), static_cast<int>(text.size()));
  }

 private:
  void ask_for_certificates_of(const std::string& authority) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new_mem_buf(authority.data(), -1), BIO_free);
    X509* const read = PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), read);
    X509_free(read);
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }

  static void use(const Certified& own, SSL_CTX* context) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> certificate(BIO_new_mem_buf(own.certificate.data(), -1), BIO_free);
    const std::unique_ptr<BIO, decltype(&BIO_free)> key(BIO_new_mem_buf(own.key.data(), -1), BIO_free);
    X509* const read = PEM_read_bio_X509(certificate.get(), nullptr, nullptr, nullptr);
    EVP_PKEY* const read_key = PEM_read_bio_PrivateKey(key.get(), nullptr, nullptr, nullptr);
    const bool is_used = SSL_CTX_use_certificate(context, read) == 1 && SSL_CTX_use_PrivateKey(context, read_key) == 1;
    X509_free(read);
    EVP_PKEY_free(read_key);
    if (!is_used) throw std::runtime_error("a certificate that cannot be used");
  }

  void serve(const Act& act) const {
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);  // of this thread, that clients show their own
    const toolwire::system::FileDescriptor client(::accept4(listener_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.is_open()) return;
    const std::unique_ptr<SSL, decltype(&SSL_free)> session(SSL_new(context_.get()), SSL_free);
    SSL_set_fd(session.get(), client.get());
    if (SSL_accept(session.get()) == 1) act(session.get());
    ERR_clear_error();
    // Closed with something unread, it would be reset, and what was said last could be lost.
    ::shutdown(client.get(), SHUT_WR);
    std::array<char, 4'096> rest{};
    while (::recv(client.get(), rest.data(), rest.size(), 0) > 0) continue;
  }

  ListeningSocket listener_;
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  std::thread thread_;
};

}  // namespace toolwire_test
