#include "transport/socket.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace toolwire::http {
namespace {

bool is_for_later(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

Socket::~Socket() { ::shutdown(socket_.get(), SHUT_RDWR); }

std::optional<std::size_t> Socket::receive(std::span<char> into) const {
  const ssize_t count = ::recv(socket_.get(), into.data(), into.size(), MSG_DONTWAIT);
  if (count >= 0) return static_cast<std::size_t>(count);
  return is_for_later(errno) ? std::nullopt : std::optional<std::size_t>(0);
}

std::optional<std::size_t> Socket::send(std::string_view bytes) const {
  const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count >= 0) return static_cast<std::size_t>(count);
  return is_for_later(errno) ? std::optional<std::size_t>(0) : std::nullopt;
}

void Socket::end_output() const { ::shutdown(socket_.get(), SHUT_WR); }

}  // namespace toolwire::http
