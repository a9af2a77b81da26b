// What all connections to one server have in common: whom it has to be, and who this client is. OpenSSL's.
#pragma once

#include <memory>
#include <string>

#include <toolwire/tls.hpp>

#include "streams/system/stream.hpp"

struct ssl_ctx_st;

namespace toolwire::streams {

/// Thread-safe.
class TlsContext {
 public:
  /// `host`: that is connected to, without brackets. Throws std::invalid_argument, saying what was expected, for texts
  /// that cannot be used.
  TlsContext(const Tls& tls, const std::string& host);

  /// Over a connected socket that does not block.
  [[nodiscard]] std::unique_ptr<Stream> stream(int socket) const;

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };

  std::string name_;  // that is asked for (RFC 6066 §3); empty for an address
  std::unique_ptr<ssl_ctx_st, Free> context_;
};

}  // namespace toolwire::streams
