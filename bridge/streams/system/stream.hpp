// Bytes out of and into a connected socket, without waiting: as they are, or as what stands between makes of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace toolwire::streams {

/// What came of an attempt: bytes, something to wait for, or an end.
struct Moved {
  std::size_t count = 0;
  std::uint32_t waits_for = 0;  ///< Bits of system::ready; the attempt is to be repeated when one of them is there.
  std::string error = {};       ///< Why nothing more is moved.
  bool is_refusal = false;      ///< The two sides do not accept each other, which another connection will not change.
};

/// One connection; the socket is its owner's, and open until `end`. Not thread-safe. After an error only `end` is
/// called.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  /// Until it waits for nothing; before all else.
  virtual Moved begin() = 0;
  /// What is not taken is given again, with more behind it or not.
  virtual Moved send(std::string_view bytes) = 0;
  /// With room for `most_at_once` it keeps nothing back: what has not been read makes the socket readable.
  virtual Moved receive(std::span<char> into) = 0;
  /// Tells the other side, if there is room for that.
  virtual void end() = 0;

  static constexpr std::size_t most_at_once = std::size_t{16} << 10;  // a whole record of TLS
};

/// Sends what there is room for; a peer that is gone is an error and no signal.
Moved send_some(int socket, std::string_view bytes);
/// That the peer has closed the connection is an error.
Moved receive_some(int socket, std::span<char> into);

/// Bytes as they are.
class PlainStream final : public Stream {
 public:
  explicit PlainStream(int socket) : socket_(socket) {}
  Moved begin() override { return {}; }
  Moved send(std::string_view bytes) override { return send_some(socket_, bytes); }
  Moved receive(std::span<char> into) override { return receive_some(socket_, into); }
  void end() override {}

 private:
  const int socket_;
};

}  // namespace toolwire::streams
