#include "transport/listening_socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "toolwire/system/unix_address.hpp"
#include "transport/descriptor_transport.hpp"

namespace toolwire::transport {
namespace {

using system::FileDescriptor;
using system::UnixAddress;

constexpr std::chrono::seconds patience_with_others{2};

[[noreturn]] void fail(int error, const std::string& where, const std::string& why = "") {
  throw std::system_error(error, std::generic_category(),
                          "cannot listen on " + where + (why.empty() ? "" : ": " + why));
}

FileDescriptor new_socket(int family, const std::string& where) {
  FileDescriptor socket =
      system::beside_standard_streams(FileDescriptor{::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)});
  if (!socket.is_open()) fail(errno, where);
  return socket;
}

std::string named(const std::string& path) { return "the Unix socket \"" + path + "\""; }

class SocketTransport final : public DescriptorTransport {
 public:
  explicit SocketTransport(FileDescriptor socket)
      : DescriptorTransport{socket.get(), socket.get()}, socket_{std::move(socket)} {}
  SocketTransport(const SocketTransport&) = delete;
  SocketTransport& operator=(const SocketTransport&) = delete;
  ~SocketTransport() override { ::shutdown(socket_.get(), SHUT_RDWR); }

 private:
  FileDescriptor socket_;
};

/// Whoever can read a folder can lock it, other users, too, for as long as they like: nobody waits for them forever.
void lock_folder(const FileDescriptor& folder, const std::string& path) {
  const auto give_up = std::chrono::steady_clock::now() + patience_with_others;
  while (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) fail(errno, named(path));
    if (std::chrono::steady_clock::now() >= give_up)
      fail(EWOULDBLOCK, named(path), "another process has locked its folder; expected one that no other user can read");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// Locked against others who take or leave a place in it, and checked: whoever can write to it could put a socket of
/// their own in the place of ours.
FileDescriptor open_folder(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  FileDescriptor opened{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  struct stat about {};
  if (!opened.is_open() || ::fstat(opened.get(), &about) != 0) fail(errno, named(path));
  const bool is_ours = about.st_uid == ::geteuid() || about.st_uid == 0;
  const bool is_open_to_others = (about.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (about.st_mode & S_ISVTX) == 0;
  if (!is_ours || is_open_to_others)
    fail(EACCES, named(path), "other users may write to its folder; it has to be one of yours (chmod go-w)");
  lock_folder(opened, path);
  return opened;
}

bool somebody_listens(const sockaddr_un& address) {
  const FileDescriptor probe{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
         errno != ECONNREFUSED;
}

void bind_to(const FileDescriptor& socket, const sockaddr_un& address, const std::string& path) {
  const auto* const at = reinterpret_cast<const sockaddr*>(&address);
  if (::bind(socket.get(), at, sizeof address) == 0) return;
  struct stat about {};
  if (errno != EADDRINUSE || ::lstat(path.c_str(), &about) != 0) fail(errno, named(path));
  if (!S_ISSOCK(about.st_mode)) fail(EADDRINUSE, named(path), "there is a file of this name that is no socket");
  if (somebody_listens(address)) fail(EADDRINUSE, named(path), "another process listens on it");
  if (::unlink(path.c_str()) != 0 || ::bind(socket.get(), at, sizeof address) != 0) fail(errno, named(path));
}

class PathSocket final : public ListeningSocket {
 public:
  PathSocket(FileDescriptor socket, const std::string& path)
      : ListeningSocket{std::move(socket)}, path_{std::filesystem::absolute(path).string()} {
    ::lstat(path_.c_str(), &file_);
  }
  PathSocket(const PathSocket&) = delete;
  PathSocket& operator=(const PathSocket&) = delete;
  ~PathSocket() override {
    struct stat now {};
    try {
      const FileDescriptor folder = open_folder(path_);
      if (::lstat(path_.c_str(), &now) == 0 && now.st_dev == file_.st_dev && now.st_ino == file_.st_ino)
        ::unlink(path_.c_str());
    } catch (const std::system_error&) {  // the folder is gone, or another's to lock: the next one to listen takes it
      return;
    }
  }

 private:
  const std::string path_;
  struct stat file_ {};
};

/// Those that are accepted inherit it.
void send_small_pieces_at_once(int listening) {
  const int yes = 1;
  ::setsockopt(listening, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

std::pair<sockaddr_storage, socklen_t> internet_address(const std::string& text, std::uint16_t port,
                                                        const std::string& where) {
  sockaddr_storage address{};
  auto& four = reinterpret_cast<sockaddr_in&>(address);
  auto& six = reinterpret_cast<sockaddr_in6&>(address);
  if (::inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    return {address, sizeof four};
  }
  if (::inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) != 1)
    fail(EINVAL, where, "expected an address of IPv4 or IPv6 in numbers");
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  return {address, sizeof six};
}

sockaddr_storage own_address(int socket) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) own.ss_family = AF_UNSPEC;
  return own;
}

bool has_run_out(int error) { return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM; }

std::optional<ListeningSocket::Credentials> credentials_of(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (own_address(socket).ss_family != AF_UNIX) return std::nullopt;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return ListeningSocket::Credentials{peer.uid, peer.pid, peer.uid == ::geteuid()};
}

}  // namespace

std::unique_ptr<ListeningSocket> ListeningSocket::at_path(const std::string& path) {
  const UnixAddress address{path};
  if (address.error != 0) fail(address.error, named(path));
  FileDescriptor socket = new_socket(AF_UNIX, named(path));
  ::fchmod(socket.get(), S_IRUSR | S_IWUSR);  // what the file will have, from its first moment
  const FileDescriptor folder = open_folder(path);
  bind_to(socket, address.value, path);
  if (::listen(socket.get(), SOMAXCONN) != 0) fail(errno, named(path));
  return std::make_unique<PathSocket>(std::move(socket), path);
}

std::unique_ptr<ListeningSocket> ListeningSocket::at_descriptor(int descriptor, Kind kind) {
  const std::string where = "descriptor " + std::to_string(descriptor);
  int family = 0, type = 0, listens = 0;
  socklen_t size = sizeof(int);
  if (::getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0 ||
      ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
      ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0)
    fail(errno, where);
  const bool is_tcp = family == AF_INET || family == AF_INET6;
  if (listens == 0 || type != SOCK_STREAM || !(family == AF_UNIX || (is_tcp && kind == Kind::unix_domain_or_tcp))) {
    fail(EINVAL, where,
         kind == Kind::unix_domain ? "expected a Unix socket that listens"
                                   : "expected a TCP or Unix socket that listens");
  }
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0 || ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0)
    fail(errno, where);
  if (is_tcp) send_small_pieces_at_once(descriptor);
  return std::make_unique<ListeningSocket>(FileDescriptor{descriptor});
}

std::unique_ptr<ListeningSocket> ListeningSocket::at_port(std::uint16_t port, const std::string& address) {
  const std::string where = "port " + std::to_string(port) + " of " + address;
  const auto [at, size] = internet_address(address, port, where);
  FileDescriptor socket = new_socket(at.ss_family, where);
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  send_small_pieces_at_once(socket.get());
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), size) != 0 || ::listen(socket.get(), SOMAXCONN) != 0)
    fail(errno, where);
  return std::make_unique<ListeningSocket>(std::move(socket));
}

std::uint16_t ListeningSocket::port() const {
  const sockaddr_storage own = own_address(socket_.get());
  if (own.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(own).sin_port);
  return own.ss_family == AF_INET6 ? ntohs(reinterpret_cast<const sockaddr_in6&>(own).sin6_port) : std::uint16_t{0};
}

bool ListeningSocket::is_local() const {
  const sockaddr_storage own = own_address(socket_.get());
  if (own.ss_family == AF_INET)
    return ntohl(reinterpret_cast<const sockaddr_in&>(own).sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  if (own.ss_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(own).sin6_addr) != 0;
  return own.ss_family == AF_UNIX;
}

system::FileDescriptor ListeningSocket::duplicate() const {
  return FileDescriptor{::fcntl(socket_.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
}

bool ListeningSocket::wait() const {
  std::array<pollfd, 2> waiting{{{socket_.get(), POLLIN, 0}, {wake_.descriptor(), POLLIN, 0}}};
  while (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
  }
  if ((waiting[1].revents & POLLIN) == 0) return true;
  wake_.clear();
  return false;
}

std::optional<ListeningSocket::Connected> ListeningSocket::accept() const {
  FileDescriptor socket{::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC)};
  if (!socket.is_open()) {
    if (has_run_out(errno)) throw std::system_error(errno, std::generic_category(), "accept");
    return std::nullopt;  // also whoever has left again
  }
  const auto credentials = credentials_of(socket.get());
  return Connected{std::move(socket), credentials};
}

std::unique_ptr<Transport> socket_transport(FileDescriptor socket) {
  return std::make_unique<SocketTransport>(std::move(socket));
}

}  // namespace toolwire::transport
