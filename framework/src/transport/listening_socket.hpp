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
    system::FileDescriptor socket;
    std::optional<Credentials> credentials;
  };

  /// Only this user may connect, and nobody else could put another socket in its place. Takes the place of one that
  /// nobody listens on any more; the file goes with this. Throws std::system_error, also if another process has the
  /// folder locked (flock) for longer than 2 s.
  static std::unique_ptr<ListeningSocket> at_path(const std::string& path);
  enum class Kind { unix_domain, unix_domain_or_tcp };
  /// A socket that listens already; the file of a Unix domain socket is another's. Throws std::system_error if it is
  /// none, and leaves it open then.
  static std::unique_ptr<ListeningSocket> at_descriptor(int descriptor, Kind kind = Kind::unix_domain);
  /// On a numeric address of this machine, of IPv4 or IPv6; 0 takes a free port. Throws std::system_error.
  static std::unique_ptr<ListeningSocket> at_port(std::uint16_t port, const std::string& address = "127.0.0.1");

  explicit ListeningSocket(system::FileDescriptor socket) : socket_{std::move(socket)} {}
  ListeningSocket(const ListeningSocket&) = delete;
  ListeningSocket& operator=(const ListeningSocket&) = delete;
  virtual ~ListeningSocket() = default;

  [[nodiscard]] int descriptor() const { return socket_.get(); }
  /// The same socket under another number, for a second one who waits for it; not open where there is none.
  [[nodiscard]] system::FileDescriptor duplicate() const;
  /// 0 for a path.
  [[nodiscard]] std::uint16_t port() const;
  /// Whether processes of this machine alone can connect.
  [[nodiscard]] bool is_local() const;

  /// Waits for somebody to connect. False after an `interrupt`, which may miss a wait that is about to begin.
  [[nodiscard]] bool wait() const;
  void interrupt() const { wake_.set(); }
  /// Nothing if nobody waits to be let in. Throws std::system_error if descriptors or memory have run out.
  [[nodiscard]] std::optional<Connected> accept() const;

 private:
  system::FileDescriptor socket_;
  system::WakeEvent wake_;
};

/// A connection as a transport. A tool that was forked meanwhile may keep a copy of the socket; the peer is told of the
/// end all the same.
std::unique_ptr<Transport> socket_transport(system::FileDescriptor socket);

}  // namespace toolwire::transport
