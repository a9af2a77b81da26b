#include "client.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace toolwire::bench {
namespace {

std::string request_text(std::uint16_t port, const std::string& method, const std::string& fields,
                         const std::string& params) {
  const std::string body = R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
                           R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                           R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
  return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
         "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
         "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " +
         method + "\r\n" + fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// One after the other.
class Calls {
 public:
  using Clock = std::chrono::steady_clock;

  Calls(std::uint16_t port, const std::string& text) : socket_(connected_to(port)), text_(text) { send(); }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  ~Calls() { ::close(socket_); }

  int socket() const { return socket_; }
  /// Reads what is there. Returns the microseconds of a call that this was the rest of; then the next one is sent.
  std::optional<double> go_on() {
    std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the system
    const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (count <= 0) throw std::runtime_error("a server has closed a connection");
    heard_.append(bytes.data(), static_cast<std::size_t>(count));
    if (!is_whole()) return std::nullopt;
    const std::chrono::duration<double, std::micro> took = Clock::now() - began_;
    send();
    return took.count();
  }

 private:
  /// A call that takes long is answered by a stream.
  bool is_whole() {
    if (expected_ == 0) expected_ = size_of_answer();
    return expected_ == chunked ? heard_.ends_with("\r\n0\r\n\r\n") : expected_ != 0 && heard_.size() >= expected_;
  }
  /// 0: its head is not there yet.
  std::size_t size_of_answer() const {
    const std::size_t head = heard_.find("\r\n\r\n");
    if (head == std::string::npos) return 0;
    constexpr std::string_view name = "Content-Length: ";
    const std::size_t length = heard_.find(name);
    if (!heard_.starts_with("HTTP/1.1 200")) throw std::runtime_error(heard_.substr(0, 1000));
    if (length < head) return head + 4 + std::stoul(heard_.substr(length + name.size(), 20));
    if (heard_.find("Transfer-Encoding: chunked") < head) return chunked;
    throw std::runtime_error(heard_.substr(0, 1000));
  }

  void send() {
    heard_.clear();
    expected_ = 0;
    began_ = Clock::now();
    send_text(socket_, text_);
  }

  static constexpr std::size_t chunked = std::string::npos;

  const int socket_;
  const std::string& text_;
  std::string heard_;
  std::size_t expected_ = 0;
  Clock::time_point began_;
};

}  // namespace

std::string call_text(std::uint16_t port, std::size_t bytes) {
  return request_text(port, "tools/call", "Mcp-Name: echo\r\n",
                      R"("name":"echo","arguments":{"text":")" + std::string(bytes, 'x') + R"("})");
}

std::string work_text(std::uint16_t port, std::size_t call, std::int64_t microseconds) {
  return request_text(port, "tools/call", "Mcp-Name: work\r\n",
                      R"("name":"work","arguments":{"call":)" + std::to_string(call) + R"(,"microseconds":)" +
                          std::to_string(microseconds) + "}");
}

std::string listen_text(std::uint16_t port) {
  return request_text(port, "subscriptions/listen", "", R"("notifications":{"toolsListChanged":true})");
}

std::string begun_text(std::uint16_t port) {
  const std::string whole = listen_text(port);
  return whole.substr(0, whole.find("Accept: "));
}

int connected_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("cannot connect");
  return socket;
}

void send_text(int socket, const std::string& text) {
  if (::send(socket, text.data(), text.size(), MSG_NOSIGNAL) < 0) throw std::runtime_error("cannot send");
}

void ask(int socket, const std::string& text) {
  std::array<char, 4096> bytes{};
  send_text(socket, text);
  if (::recv(socket, bytes.data(), bytes.size(), 0) <= 0 || std::string_view(bytes.data(), 12) != "HTTP/1.1 200")
    throw std::runtime_error("a request is not answered");
}

std::vector<double> calls_within(std::chrono::milliseconds time, std::uint16_t port, const std::string& call,
                                 unsigned connections) {
  std::vector<std::unique_ptr<Calls>> calls;
  std::vector<pollfd> ready;
  for (unsigned i = 0; i < connections; ++i) {
    calls.push_back(std::make_unique<Calls>(port, call));
    ready.push_back({.fd = calls.back()->socket(), .events = POLLIN, .revents = 0});
  }
  std::vector<double> took;
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
    ::poll(ready.data(), ready.size(), 1000);
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if ((ready[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      if (const auto one = calls[i]->go_on()) took.push_back(*one);
    }
  }
  return took;
}

}  // namespace toolwire::bench
