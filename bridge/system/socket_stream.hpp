// The bytes of one accepted connection, with one deadline for each whole direction: a client that sends or takes a byte
// now and then holds a thread no longer. Independent of HTTP.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>

namespace toolwire::bridge {

/// Owns the socket. One thread.
class SocketStream {
 public:
  using Clock = std::chrono::steady_clock;

  explicit SocketStream(int socket) : socket_(socket) {}
  /// Ends the sending side and reads on for a moment: closing with unread bytes would reset the connection and lose the
  /// answer.
  ~SocketStream();
  SocketStream(const SocketStream&) = delete;
  SocketStream& operator=(const SocketStream&) = delete;

  int descriptor() const { return socket_; }
  void read_until(Clock::time_point deadline) { read_deadline_ = deadline; }
  /// The time for writing begins with the first byte of the answer.
  void write_within(std::chrono::milliseconds time) { write_time_ = time; }

  bool wait_readable() const;
  bool wait_writable() const;
  /// As read(2) and write(2): -1 also when time is over.
  ssize_t read(char* bytes, std::size_t count);
  ssize_t write(const char* bytes, std::size_t count);

 private:
  bool wait(short events, Clock::time_point deadline) const;

  const int socket_;
  Clock::time_point read_deadline_ = Clock::time_point::max();
  Clock::time_point write_deadline_ = Clock::time_point::max();
  std::chrono::milliseconds write_time_ = std::chrono::milliseconds::max();
};

/// Waits until a descriptor is readable or the peer of a socket has hung up. Throws std::system_error.
enum class FirstOf { event, hang_up };
FirstOf wait_for_event_or_hang_up(int event, int socket);

}  // namespace toolwire::bridge
