#include "attached.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <toolwire/json.hpp>

namespace toolwire::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view session_header = "mcp-session-id: ";

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Whether an answer of HTTP/1.1 is there whole; `head` is in small letters.
bool is_whole(const std::string& answer, const std::string& head, std::size_t body) {
  constexpr std::string_view length = "\r\ncontent-length: ";
  if (const std::size_t at = head.find(length); at != std::string::npos)
    return answer.size() - body >= std::stoul(head.substr(at + length.size()));
  return head.find("\r\ntransfer-encoding: chunked") == std::string::npos || answer.ends_with("0\r\n\r\n");
}

}  // namespace

std::string program_beside(std::string_view name) {
  return (fs::read_symlink("/proc/self/exe").parent_path() / name).string();
}

std::string call_text(std::string_view tool, std::string_view arguments) {
  return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
         R"(","arguments":)" + std::string(arguments) + "}}";
}

std::string initialize_text() {
  return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
         R"("clientInfo":{"name":"bench","version":"1"}}})";
}

std::string initialized_text() { return R"({"jsonrpc":"2.0","method":"notifications/initialized"})"; }

void Host::say(std::string_view line) {
  const std::string whole = std::string(line) + "\n";
  if (process_.transport().write(whole.data(), whole.size(), Transport::Blocking::yes) == Transport::peer_gone)
    throw std::runtime_error("the program has ended");
}

std::string Host::hear() {
  std::size_t end = 0;
  while ((end = heard_.find('\n')) == std::string::npos) {
    std::array<char, 65536> bytes{};
    const std::ptrdiff_t count = process_.transport().read(bytes.data(), bytes.size());
    if (count <= 0) throw std::runtime_error("the program has ended");
    heard_.append(bytes.data(), static_cast<std::size_t>(count));
  }
  std::string line = heard_.substr(0, end);
  heard_.erase(0, end + 1);
  return line;
}

std::string Host::ask(std::string_view line) {
  say(line);
  std::string answer = hear();
  while (answer.find("\"method\":\"notifications/") != std::string::npos) answer = hear();
  return answer;
}

void Host::shake_hands() {
  ask(initialize_text());
  say(initialized_text());
}

SharedBridge::SharedBridge(const std::string& configuration) {
  std::string folder = (fs::temp_directory_path() / "toolwire-attach-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::system_error(errno, std::generic_category(), "mkdtemp");
  folder_ = folder;
  std::ofstream(folder_ / "mcp.json") << configuration;
  fs::permissions(folder_ / "mcp.json", fs::perms::owner_read | fs::perms::owner_write);
}

SharedBridge::~SharedBridge() {
  ChildProcess stop(Program{.command = {program_beside("toolwire-bridge"), "stop", "--all"},
                            .environment = {{"XDG_STATE_HOME", folder_.string()}, {"XDG_RUNTIME_DIR", ""}},
                            .errors = Program::Errors::discard});
  stop.wait();
  fs::remove_all(folder_);
}

Program SharedBridge::attach() const {
  return {.command = {program_beside("toolwire-bridge"), "attach", (folder_ / "mcp.json").string()},
          .environment = {{"XDG_STATE_HOME", folder_.string()}, {"XDG_RUNTIME_DIR", ""}}};
}

Program SharedBridge::attach_alone() const {
  return {.command = {program_beside("toolwire-attach"), "--socket", socket().string(), "--log",
                      (folder_ / "log").string(), "--", "/bin/false"}};
}

fs::path SharedBridge::socket() const {
  for (const auto& entry : fs::directory_iterator(folder_ / "toolwire/sockets")) {
    if (entry.path().extension() == ".sock") return entry.path();
  }
  throw std::runtime_error("no bridge listens");
}

pid_t SharedBridge::process() const {
  for (const auto& entry : fs::directory_iterator(folder_ / "toolwire/running")) {
    if (entry.path().extension() == ".socket") return std::stoi(entry.path().stem().string());
  }
  throw std::runtime_error("no bridge runs");
}

HttpHost::HttpHost(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), port_(port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int one = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("nobody listens on port " + std::to_string(port));
}

HttpHost::~HttpHost() { ::close(socket_); }

std::string HttpHost::ask(std::string_view message) {
  const std::string request = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                              "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
                              session_ + "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" +
                              std::string(message);
  if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
    throw std::runtime_error("the HTTP server has hung up");
  std::string answer;
  std::string head;
  std::size_t body = std::string::npos;
  while (body == std::string::npos || !is_whole(answer, head, body)) {
    std::array<char, 65536> bytes{};
    const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (count <= 0) throw std::runtime_error("the HTTP server has hung up: " + answer);
    answer.append(bytes.data(), static_cast<std::size_t>(count));
    if (body != std::string::npos || (body = answer.find("\r\n\r\n")) == std::string::npos) continue;
    head = lower(answer.substr(0, body));
    body += 4;
  }
  if (const std::size_t at = head.find(session_header); session_.empty() && at != std::string::npos)
    session_ = answer.substr(at, head.find("\r\n", at) - at) + "\r\nMCP-Protocol-Version: 2025-06-18\r\n";
  return answer;
}

}  // namespace toolwire::bench
