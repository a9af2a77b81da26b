// A client's side of TLS over a socket that does not block. Independent of whom the server has to be.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "streams/system/stream.hpp"

struct ssl_ctx_st;
struct ssl_st;

namespace toolwire::streams {

/// OpenSSL's last word on this thread, which is forgotten then.
std::string openssl_reason();

/// Either direction may wait for the other: a read for room to write, a write for bytes to read.
class TlsStream final : public Stream {
 public:
  /// `name`: that the server is asked for; empty: none. Throws std::runtime_error where OpenSSL has no memory.
  TlsStream(ssl_ctx_st* context, const std::string& name, int socket);

  Moved begin() override;
  Moved send(std::string_view bytes) override;
  Moved receive(std::span<char> into) override;
  void end() override;

  /// What OpenSSL reads from and writes to.
  struct Carrier {
    int socket;
    std::string error = {};  // its end
  };

 private:
  struct Free {
    void operator()(ssl_st* session) const;
  };

  /// Of a call of OpenSSL that moved nothing.
  Moved not_moved(int result);
  [[nodiscard]] Moved failure() const;

  Carrier carrier_;
  bool can_end_ = false;
  std::unique_ptr<ssl_st, Free> session_;
};

}  // namespace toolwire::streams
