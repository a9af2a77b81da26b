#include "http_test_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

namespace toolwire_test {
namespace {

constexpr std::chrono::seconds patience{30};

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

std::size_t content_length(const std::string& head) {
  const std::size_t at = head.find("Content-Length: ");
  std::size_t length = 0;
  if (at != std::string::npos) std::from_chars(head.data() + at + 16, head.data() + head.size(), length);
  return length;
}

/// The length of the first request, once it has arrived completely.
std::optional<std::size_t> whole_request(const std::string& input) {
  const std::size_t end = input.find("\r\n\r\n");
  if (end == std::string::npos) return std::nullopt;
  const std::size_t length = end + 4 + content_length(input.substr(0, end));
  return input.size() >= length ? std::optional(length) : std::nullopt;
}

}  // namespace

HttpAnswer HttpAnswer::of(int status, const std::string& body, const std::string& headers) {
  return {.bytes = "HTTP/1.1 " + std::to_string(status) + " Status\r\n" + headers +
                   "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body};
}

HttpTestServer::HttpTestServer(Handler handler)
    : handler_(std::move(handler)),
      listener_(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket")),
      wake_(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  checked(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size), "bind");
  checked(::listen(listener_, SOMAXCONN), "listen");
  checked(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

HttpTestServer::~HttpTestServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake();
  thread_.join();
  for (const auto& [socket, connection] : connections_) ::close(socket);
  ::close(listener_);
  ::close(wake_);
}

std::vector<std::string> HttpTestServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

bool HttpTestServer::wait_for_requests(std::size_t count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return requests_.size() >= count; });
}

bool HttpTestServer::wait_until_idle() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return open_ == 0; });
}

void HttpTestServer::release() {
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
  }
  wake();
}

void HttpTestServer::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);
}

void HttpTestServer::run() {
  while (auto waiting = what_to_wait_for()) {
    ::poll(waiting->data(), waiting->size(), -1);
    std::uint64_t count = 0;
    if (waiting->at(1).revents != 0) [[maybe_unused]]
      const auto taken = ::read(wake_, &count, sizeof count);
    if (waiting->front().revents != 0) accept_all();
    for (std::size_t i = 2; i < waiting->size(); ++i) serve((*waiting)[i]);
    const std::lock_guard lock(mutex_);
    open_ = connections_.size();
    changed_.notify_all();
  }
}

/// The listener, the wake-up and every connection; nothing once the server is to end.
std::optional<std::vector<pollfd>> HttpTestServer::what_to_wait_for() {
  std::vector<pollfd> waiting{{listener_, POLLIN, 0}, {wake_, POLLIN, 0}};
  const std::lock_guard lock(mutex_);
  if (stopping_) return std::nullopt;
  for (auto& [socket, connection] : connections_) {
    if (released_) connection.held = false;
    const bool writes = connection.answering && !connection.held;
    waiting.push_back({socket, static_cast<short>(writes ? POLLOUT : POLLIN), 0});
  }
  return waiting;
}

void HttpTestServer::serve(const pollfd& ready) {
  if (ready.revents == 0) return;
  Connection& connection = connections_.at(ready.fd);
  const bool stays = (ready.revents & POLLOUT) != 0 ? write(ready.fd, connection) : read(ready.fd, connection);
  if (stays) return;
  ::close(ready.fd);
  connections_.erase(ready.fd);
}

void HttpTestServer::accept_all() {
  while (true) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    connections_.emplace(socket, Connection{});
  }
}

bool HttpTestServer::read(int socket, Connection& connection) {
  std::array<char, 65536> bytes{};
  const ssize_t count = ::recv(socket, bytes.data(), bytes.size(), 0);
  if (count <= 0) return count < 0 && errno == EAGAIN;
  connection.input.append(bytes.data(), static_cast<std::size_t>(count));
  if (const auto length = connection.answering ? std::nullopt : whole_request(connection.input))
    take_request(connection, *length);
  return true;
}

void HttpTestServer::take_request(Connection& connection, std::size_t length) {
  std::string request = connection.input.substr(0, length);
  connection.input.erase(0, length);
  connection.answer = handler_(request);
  connection.output = connection.answer.bytes;
  connection.answering = true;
  const std::lock_guard lock(mutex_);
  connection.held = connection.answer.held && !released_;
  requests_.push_back(std::move(request));
}

bool HttpTestServer::write(int socket, Connection& connection) {
  if (connection.output.empty()) connection.output = connection.answer.repeated;
  const ssize_t count = ::send(socket, connection.output.data(), connection.output.size(), MSG_NOSIGNAL);
  if (count < 0) return errno == EAGAIN;
  connection.output.erase(0, static_cast<std::size_t>(count));
  if (!connection.output.empty() || !connection.answer.repeated.empty()) return true;
  connection.answering = false;
  return connection.answer.keep;
}

}  // namespace toolwire_test
