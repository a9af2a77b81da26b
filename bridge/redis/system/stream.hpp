// Bytes out of and into a connected socket, without waiting.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace toolwire::redis {

/// What came of it: bytes, or why there are none.
struct Moved {
  std::size_t count = 0;
  bool must_wait = false;  ///< There was no room, or nothing to read.
  int error = 0;           ///< An errno.
};

/// Sends what there is room for; a peer that is gone is an error and no signal.
Moved send_some(int socket, std::string_view bytes);

/// 0 bytes: the peer has closed the connection.
Moved receive_some(int socket, std::span<char> into);

}  // namespace toolwire::redis
