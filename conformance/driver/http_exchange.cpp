#include "driver/http_exchange.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#ifdef __GLIBC__
#include <nss.h>
#endif
#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "driver/interruption.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view scheme = "http://";

}  // namespace

HttpUrl read_http_url(std::string_view text) {
  if (text.starts_with("https://"))
    throw std::invalid_argument(
        "https:// is not spoken here; put a proxy that ends TLS between, and give its http:// URL and --header 'Host: "
        "HOST'");
  if (!text.starts_with(scheme)) throw std::invalid_argument("expected http://HOST[:PORT]/PATH");
  text.remove_prefix(scheme.size());
  text = text.substr(0, text.find('#'));
  const std::size_t slash = std::min(text.find_first_of("/?"), text.size());
  HttpUrl url;
  url.authority = text.substr(0, slash);
  url.target = text.substr(slash);
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  std::string_view host = url.authority;
  const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  const std::size_t colon = bracket != std::string_view::npos ? host.find(':', bracket) : std::string_view::npos;
  url.port = colon != std::string_view::npos ? host.substr(colon + 1) : "80";
  host = host.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  url.host = host;
  const bool is_number = !url.port.empty() && url.port.find_first_not_of("0123456789") == std::string::npos;
  if (url.host.empty() || !is_number || url.host.find_first_of(" @\r\n\t") != std::string::npos ||
      url.target.find_first_of(" \r\n\t") != std::string::npos)
    throw std::invalid_argument("expected http://HOST[:PORT]/PATH, without user, password and spaces");
  return url;
}

namespace {

// The program is linked statically: the C library must not load modules of another one to find a host.
void find_hosts_without_modules() {
#ifdef __GLIBC__
  static_cast<void>(::__nss_configure_lookup("hosts", "files dns"));
#endif
}

bool accepts(const HttpAddress& address) {
  const int socket = ::socket(address.family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval longest{.tv_sec = 1, .tv_usec = 0};  // where nobody answers, the system would wait for minutes
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
  const bool accepted = ::connect(socket, reinterpret_cast<const sockaddr*>(&address.address), address.size) == 0;
  ::close(socket);
  return accepted;
}

}  // namespace

std::vector<HttpAddress> addresses_of(const HttpUrl& url) {
  find_hosts_without_modules();
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(url.host.c_str(), url.port.c_str(), &wanted, &found);
  if (error != 0) throw std::invalid_argument(url.host + ": " + ::gai_strerror(error));
  std::vector<HttpAddress> all;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    HttpAddress& address = all.emplace_back(HttpAddress{.family = one->ai_family, .size = one->ai_addrlen});
    std::memcpy(&address.address, one->ai_addr, one->ai_addrlen);
  }
  ::freeaddrinfo(found);
  return all;
}

std::optional<std::size_t> first_open(const std::vector<HttpAddress>& addresses) {
  const auto found = std::ranges::find_if(addresses, accepts);
  return found == addresses.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - addresses.begin()));
}

void HttpRequest::set(std::string_view name, std::string value) {
  remove(name);
  headers.emplace_back(name, std::move(value));
}

void HttpRequest::remove(std::string_view name) {
  std::erase_if(headers, [&](const auto& it) { return is_same_header(it.first, name); });
}

std::string bytes_of(const HttpUrl& url, const HttpRequest& request) {
  std::string bytes = request.method + " " + (request.target.empty() ? url.target : request.target) + " HTTP/1.1\r\n";
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(request.headers, [&](const auto& it) { return is_same_header(it.first, name); });
  };
  if (!has("host")) bytes += "Host: " + url.authority + "\r\n";
  for (const auto& [name, value] : request.headers) bytes.append(name).append(": ").append(value).append("\r\n");
  if (!has("connection")) bytes += "Connection: close\r\n";
  const bool may_have_body = request.method != "GET" && request.method != "DELETE";
  if ((may_have_body || !request.body.empty()) && !has("content-length"))
    bytes += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  return bytes + "\r\n" + request.body;
}

HttpExchange::HttpExchange(const HttpAddress& address, std::string bytes, std::string_view shown, Recording& recording)
    : socket_(::socket(address.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
      outgoing_(std::move(bytes)),
      recording_(recording) {
  if (socket_ < 0) unreachable_ = std::strerror(errno);
  recording_.add(Direction::to_server, shown);
  if (socket_ < 0) return;
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address.address), address.size) != 0 &&
      errno != EINPROGRESS) {
    unreachable_ = std::strerror(errno);
    close();
  }
}

HttpExchange::~HttpExchange() { close(); }

void HttpExchange::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

short HttpExchange::wanted_events() const {
  return static_cast<short>(sent_ < outgoing_.size() || !connected_ ? POLLIN | POLLOUT : POLLIN);
}

void HttpExchange::move() {
  if (socket_ < 0) return;
  if (!connected_) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
      unreachable_ = std::strerror(error);
      return close();
    }
    sockaddr_storage peer{};
    socklen_t peer_size = sizeof peer;
    if (::getpeername(socket_, reinterpret_cast<sockaddr*>(&peer), &peer_size) != 0) return;  // not yet
    connected_ = true;
  }
  send_some();
  receive_some();
}

void HttpExchange::send_some() {
  while (sent_ < outgoing_.size()) {
    const ssize_t count = ::send(socket_, outgoing_.data() + sent_, outgoing_.size() - sent_, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) {  // it reads no more; its reply may still come
      sent_ = outgoing_.size();
      return;
    }
    sent_ += static_cast<std::size_t>(count);
  }
}

void HttpExchange::receive_some() {
  while (socket_ >= 0) {
    char buffer[64 << 10];
    const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      reader_.end();
      return close();
    }
    const std::string_view bytes(buffer, static_cast<std::size_t>(count));
    received_ += bytes.size();
    recording_.add(Direction::from_server, bytes);
    reader_.add(bytes);
    if (reader_.is_done()) return close();
  }
}

bool move_exchanges(const std::vector<HttpExchange*>& exchanges, std::chrono::milliseconds time,
                    const std::function<bool()>& done) {
  constexpr std::chrono::milliseconds look_every{100};
  const auto until = Clock::now() + time;
  while (!done()) {
    if (run_end() != RunEnd::none) throw RunEnded{};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    std::vector<pollfd> waiting;
    waiting.reserve(exchanges.size());
    for (const HttpExchange* it : exchanges) waiting.push_back({it->descriptor(), it->wanted_events(), 0});
    if (std::ranges::all_of(waiting, [](const pollfd& it) { return it.fd < 0; })) return done();
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(std::min(left, look_every).count()) + 1) < 0) continue;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents != 0) exchanges[i]->move();
    }
  }
  return true;
}

}  // namespace toolwire::conformance
