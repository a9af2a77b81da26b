// The way to a server: where it listens, and what keeps those between from reading along.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <toolwire/tls.hpp>

#include "streams/system/endpoint.hpp"
#include "streams/system/stream.hpp"
#include "streams/tls_context.hpp"

namespace toolwire::streams {

struct Way {
  Endpoint endpoint;
  std::optional<TlsContext> tls;
  Reach reach;

  /// Over a connected socket that does not block.
  [[nodiscard]] std::unique_ptr<Stream> stream(int socket) const;
};

/// `is_tunnelled`: something else encrypts the way to another machine. Throws std::invalid_argument for what cannot be
/// right, and for another machine with neither of the two: names, values and passwords are not for those between.
Way way_to(const std::string& address, const std::optional<Tls>& tls, bool is_tunnelled);

}  // namespace toolwire::streams
