// A port of this machine that somebody of this process is to connect to. Independent of what is said there.
#pragma once

#include <cstdint>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::streams {

/// Listens on 127.0.0.1 until it is closed. One thread.
class LocalPort {
 public:
  /// Throws std::system_error.
  LocalPort();

  [[nodiscard]] bool is_open() const { return socket_.is_open(); }
  [[nodiscard]] int descriptor() const { return socket_.get(); }  // readable while somebody waits to be let in
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// A socket that does not block; closed if nobody is there.
  [[nodiscard]] system::FileDescriptor accept() const;
  void close() { socket_.reset(); }

 private:
  system::FileDescriptor socket_;
  std::uint16_t port_ = 0;
};

}  // namespace toolwire::streams
