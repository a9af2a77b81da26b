#include "streams/tls_stream.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <stdexcept>

#include <toolwire/system/ready_set.hpp>

namespace toolwire::streams {
namespace {

using Carrier = TlsStream::Carrier;

/// 1 if something was moved, as OpenSSL has it; `again` says to it that the call is to be repeated.
int told(BIO* bio, Moved&& moved, std::size_t* count, int again) {
  BIO_clear_retry_flags(bio);
  *count = moved.count;
  if (moved.waits_for != 0) BIO_set_flags(bio, again | BIO_FLAGS_SHOULD_RETRY);
  if (!moved.error.empty()) static_cast<Carrier*>(BIO_get_data(bio))->error = std::move(moved.error);
  return moved.count > 0 ? 1 : 0;
}

int write_to_socket(BIO* bio, const char* bytes, std::size_t size, std::size_t* count) {
  const int socket = static_cast<Carrier*>(BIO_get_data(bio))->socket;
  return told(bio, send_some(socket, {bytes, size}), count, BIO_FLAGS_WRITE);
}

int read_from_socket(BIO* bio, char* into, std::size_t size, std::size_t* count) {
  const int socket = static_cast<Carrier*>(BIO_get_data(bio))->socket;
  return told(bio, receive_some(socket, {into, size}), count, BIO_FLAGS_READ);
}

long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

/// OpenSSL's own for sockets raises SIGPIPE. Never freed, as connections may outlive what is static.
const BIO_METHOD* socket_method() {
  static const BIO_METHOD* const made = [] {
    BIO_METHOD* const method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    if (method == nullptr) throw std::runtime_error("OpenSSL: out of memory");
    BIO_meth_set_write_ex(method, write_to_socket);
    BIO_meth_set_read_ex(method, read_from_socket);
    BIO_meth_set_ctrl(method, control);
    return method;
  }();
  return made;
}

/// Those that say what is wrong in words that help nobody.
std::string in_words(unsigned long error) {
  if (ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_WRONG_VERSION_NUMBER)
    return "it does not speak TLS";
  const char* const reason = ERR_reason_error_string(error);
  return reason == nullptr ? "unknown" : std::string("TLS: ") + reason;
}

}  // namespace

std::string openssl_reason() {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  std::string text = reason == nullptr ? "unknown" : reason;
  ERR_clear_error();
  return text;
}

void TlsStream::Free::operator()(ssl_st* session) const { SSL_free(session); }

TlsStream::TlsStream(ssl_ctx_st* context, const std::string& name, int socket)
    : carrier_{socket}, session_(SSL_new(context)) {
  BIO* const bio = session_ ? BIO_new(socket_method()) : nullptr;
  if (bio == nullptr) throw std::runtime_error("OpenSSL: out of memory");
  BIO_set_data(bio, &carrier_);
  BIO_set_init(bio, 1);
  SSL_set_bio(session_.get(), bio, bio);
  SSL_set_connect_state(session_.get());
  if (!name.empty() && SSL_set_tlsext_host_name(session_.get(), name.c_str()) != 1)
    throw std::runtime_error("OpenSSL: " + openssl_reason());
}

Moved TlsStream::begin() {
  ERR_clear_error();
  const int result = SSL_do_handshake(session_.get());
  if (result != 1) return not_moved(result);
  can_end_ = true;
  return {};
}

Moved TlsStream::send(std::string_view bytes) {
  ERR_clear_error();
  Moved moved;
  const int result = SSL_write_ex(session_.get(), bytes.data(), bytes.size(), &moved.count);
  return result == 1 ? moved : not_moved(result);
}

Moved TlsStream::receive(std::span<char> into) {
  ERR_clear_error();
  Moved moved;
  const int result = SSL_read_ex(session_.get(), into.data(), into.size(), &moved.count);
  return result == 1 ? moved : not_moved(result);
}

/// Does not wait for the other side's word.
void TlsStream::end() {
  if (!can_end_) return;
  ERR_clear_error();
  SSL_shutdown(session_.get());
  ERR_clear_error();
}

Moved TlsStream::not_moved(int result) {
  switch (SSL_get_error(session_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return {.waits_for = system::ready::to_read};
    case SSL_ERROR_WANT_WRITE:
      return {.waits_for = system::ready::to_write};
    case SSL_ERROR_ZERO_RETURN:
      return {.error = "it has closed the connection"};
    default:
      can_end_ = false;
      return failure();
  }
}

Moved TlsStream::failure() const {
  const long verified = SSL_get_verify_result(session_.get());
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  if (verified != X509_V_OK)
    return {.error = std::string("its certificate is refused: ") + X509_verify_cert_error_string(verified),
            .is_refusal = true};
  if (!carrier_.error.empty()) return {.error = carrier_.error};
  return {.error = in_words(error), .is_refusal = true};
}

}  // namespace toolwire::streams
