// One connection to a client: bytes in both directions, without waiting. Independent of what they say.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::http {

/// Read by one thread and written by one thread at a time.
class Socket {
 public:
  explicit Socket(system::FileDescriptor socket) : socket_{std::move(socket)} {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  /// A tool that was forked meanwhile may keep a copy; the client is told of the end all the same.
  ~Socket();

  [[nodiscard]] int descriptor() const { return socket_.get(); }

  /// What is there: a number of bytes, 0 if the client sends no more or is gone, nothing if there is none yet.
  [[nodiscard]] std::optional<std::size_t> receive(std::span<char> into) const;
  /// How many of these are taken; nothing if the client takes no more.
  [[nodiscard]] std::optional<std::size_t> send(std::string_view bytes) const;
  /// The client is told that nothing more comes.
  void end_output() const;

 private:
  system::FileDescriptor socket_;
};

}  // namespace toolwire::http
