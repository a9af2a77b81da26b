// Lines over two descriptors, as fast as a client can be: the measuring side must not be the bottleneck. It handles
// lines only: no JSON, MCP or processes.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "bench/clock.hpp"

namespace toolwire::bench {

/// The server closed its output, or died, before the expected line came.
struct ServerGone : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Buffered lines in, bytes out. Owns neither descriptor. One thread.
class Connection {
 public:
  /// `to_server` must be non-blocking, `from_server` blocking.
  Connection(int to_server, int from_server);

  /// Sends all bytes. While the pipe is full it stores what the server writes, so that the two sides cannot deadlock.
  /// Throws ServerGone.
  void send(std::string_view bytes);

  /// The next line without its end; valid until the next call of a member. Throws ServerGone.
  std::string_view line();
  /// The same when a whole line has arrived already; never waits.
  std::optional<std::string_view> buffered_line();
  /// The same, waiting until `limit` at the latest. Throws ServerGone.
  std::optional<std::string_view> line_before(Time limit);

 private:
  void receive();
  bool wait_until_writable();

  int to_server_;
  int from_server_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;    // first byte of the next line
  std::size_t scanned_ = 0;  // no line end lies between begin_ and here
  std::size_t end_ = 0;
};

}  // namespace toolwire::bench
