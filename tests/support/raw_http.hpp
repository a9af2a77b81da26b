// A client of HTTP that says what it is told, byte for byte, right or wrong.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <toolwire/system/file_descriptor.hpp>

namespace toolwire_test {

struct RawAnswer {
  int status = 0;
  std::map<std::string, std::string> fields = {};  // names in lower case
  std::string body = {};                           // without its coding

  std::string field(const std::string& name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? std::string() : found->second;
  }
};

/// One connection to a port of 127.0.0.1. Waiting gives up after a time in which everything has long happened.
class RawHttp {
 public:
  /// `room`: for bytes that the client does not read, if it is to be small.
  explicit RawHttp(std::uint16_t port, int room = 0) {
    const timeval patience{.tv_sec = 30, .tv_usec = 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (room > 0) ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
  }
  explicit RawHttp(toolwire::system::FileDescriptor connected) : socket_(std::move(connected)) {}

  /// False if the server takes no more.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  /// The next answer; nothing if the connection ends before that is whole. Interim answers (1xx) are answers, too.
  std::optional<RawAnswer> answer(bool is_to_head = false) {
    const auto head = take_until("\r\n\r\n");
    if (!head) return std::nullopt;
    RawAnswer answer = parsed(*head);
    if (is_to_head || answer.status < 200 || answer.status == 204) return answer;
    const bool is_whole =
        answer.field("transfer-encoding") == "chunked" ? take_chunks(answer.body) : take_length(answer);
    return is_whole ? std::optional(answer) : std::nullopt;
  }
  /// All up to this text, and with it; nothing if it does not come.
  std::optional<std::string> take_until(std::string_view text) {
    std::size_t end = 0;
    for (std::size_t from = 0; (end = heard_.find(text, from)) == std::string::npos;) {
      from = heard_.size() - std::min(heard_.size(), text.size());
      if (!hear()) return std::nullopt;
    }
    return take(end + text.size());
  }
  /// The server has closed its end, with nothing more to say.
  bool is_over() { return heard_.empty() && !hear() && !gave_up_; }
  /// Nothing has come by now.
  bool is_silent() const {
    char byte = 0;
    return heard_.empty() && ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
  }

  void end_output() const { ::shutdown(socket_.get(), SHUT_WR); }
  void close() { socket_.reset(); }
  /// Without a good-bye, as from a machine that has lost its connection.
  void reset() {
    const linger none{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
    socket_.reset();
  }

 private:
  bool hear() {
    std::array<char, 16384> bytes{};
    const ssize_t count = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
    gave_up_ = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    if (count > 0) heard_.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }
  std::string take(std::size_t count) {
    std::string taken = heard_.substr(0, count);
    heard_.erase(0, count);
    return taken;
  }
  static RawAnswer parsed(std::string_view head) {
    RawAnswer answer;
    answer.status = std::stoi(std::string(head.substr(head.find(' ') + 1, 3)));
    for (std::size_t at = head.find("\r\n") + 2; at + 2 < head.size(); at = head.find("\r\n", at) + 2) {
      const std::string_view line = head.substr(at, head.find("\r\n", at) - at);
      const std::size_t colon = line.find(':');
      std::string name(line.substr(0, colon));
      for (char& one : name) one = one >= 'A' && one <= 'Z' ? static_cast<char>(one + 32) : one;
      answer.fields[name] = line.substr(colon + 2);
    }
    return answer;
  }
  bool take_length(RawAnswer& answer) {
    const std::string length = answer.field("content-length");
    const std::size_t count = length.empty() ? 0 : std::stoul(length);
    while (heard_.size() < count) {
      if (!hear()) return false;
    }
    answer.body = take(count);
    return true;
  }
  bool take_chunks(std::string& body) {
    while (const auto line = take_until("\r\n")) {
      const std::size_t count = std::stoul(*line, nullptr, 16);
      while (heard_.size() < count + 2) {
        if (!hear()) return false;
      }
      body += take(count);
      if (take(2) != "\r\n") return false;
      if (count == 0) return true;
    }
    return false;
  }

  toolwire::system::FileDescriptor socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::string heard_;
  bool gave_up_ = false;  // waiting
};

/// A request of 2026-07-28 as text.
struct RawCall {
  std::string tool = "echo";
  std::string arguments = R"({"text":"hello"})";
  std::string more = "";  // further fields, as lines
  std::string host = "";
  std::string method = "tools/call";
  std::string params = "";  // of another method, as members

  std::string body() const {
    const std::string own = method == "tools/call" ? R"("name":")" + tool + R"(","arguments":)" + arguments : params;
    return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + own +
           R"(,"_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
           R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
  }
  /// All but the length of the body.
  std::string head() const {
    return "POST /mcp HTTP/1.1\r\nHost: " + host +
           "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
           "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " +
           method + "\r\n" + (method == "tools/call" ? "Mcp-Name: " + tool + "\r\n" : "") + more;
  }
  std::string text() const { return head() + "Content-Length: " + std::to_string(body().size()) + "\r\n\r\n" + body(); }
};

}  // namespace toolwire_test
