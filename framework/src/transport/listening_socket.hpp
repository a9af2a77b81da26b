// Where peers connect: a Unix domain socket, or a port of the loopback interface. Independent of what they say.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/wake_event.hpp>
#include <toolwire/transport.hpp>

namespace toolwire::transport {

/// Used by one thread at a time; `interrupt` comes from any.
class ListeningSocket {
 public:
  /// Who has connected to a Unix domain socket.
  struct Credentials {
    unsigned user;
    int process;
    bool is_own_user;  // whom this process works for
  };
  struct Connected {
    std::unique_ptr<Transport> transport;
    std::optional<Credentials> credentials;
  };

  /// Only this user may connect, and nobody else could put another socket in its place. Takes the place of one that
  /// nobody listens on any more; the file goes with this. Throws std::system_error.
  static std::unique_ptr<ListeningSocket> at_path(const std::string& path);
  /// A Unix domain socket that listens already, whose file is another's. Throws std::system_error if it is none.
  static std::unique_ptr<ListeningSocket> at_descriptor(int descriptor);
  /// On 127.0.0.1; 0 takes a free port. Throws std::system_error.
  static std::unique_ptr<ListeningSocket> at_port(std::uint16_t port);

  explicit ListeningSocket(system::FileDescriptor socket) : socket_{std::move(socket)} {}
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;
  virtual ~ListeningSocket() = default;

  [[nodiscard]] int descriptor() const { return socket_.get(); }
  /// 0 for a path.
  [[nodiscard]] std::uint16_t port() const;

  /// Waits for somebody to connect. False after an `interrupt`, which may miss a wait that is about to begin.
  [[nodiscard]] bool wait() const;
  void interrupt() const { wake_.set(); }
  /// Nothing if nobody waits to be let in. Throws std::system_error if descriptors or memory have run out.
  [[nodiscard]] std::optional<Connected> accept() const;

 private:
  system::FileDescriptor socket_;
  system::WakeEvent wake_;
};

}  // namespace toolwire::transport
