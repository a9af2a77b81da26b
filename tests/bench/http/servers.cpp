#include "servers.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <toolwire/http/listen.hpp>

namespace toolwire::bench {
namespace {

constexpr std::size_t small_text = 64;
constexpr std::size_t large_text = std::size_t{1} << 20;

std::string answer_with(std::size_t bytes) {
  return R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":")" + std::string(bytes, 'x') +
         R"("}],"resultType":"complete"}})";
}

std::string with_head(std::string_view body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

/// Waits for room.
bool send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) return false;
    if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
    if (text.empty()) break;
    pollfd room{.fd = socket, .events = POLLOUT, .revents = 0};
    ::poll(&room, 1, -1);
  }
  return true;
}

int raw_listener(int told) {
  const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const int yes = 1;
  ::setsockopt(listening, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (::bind(listening, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(listening, 1024) != 0 ||
      ::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    ::_exit(1);
  tell_port(told, ntohs(address.sin_port));
  return listening;
}

}  // namespace

void tell_port(int told, std::uint16_t port) {
  const std::string text = std::to_string(port) + "\n";
  if (::write(told, text.data(), text.size()) < 0) ::_exit(1);
  ::close(told);
}

std::string_view constant_answer(std::size_t asked) {
  static const std::string small = answer_with(small_text), large = answer_with(large_text);
  return asked < large_text ? small : large;
}

void serve_raw(int told) {
  const int listening = raw_listener(told);
  const int all = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event watched{.events = EPOLLIN, .data = {.fd = listening}};
  ::epoll_ctl(all, EPOLL_CTL_ADD, listening, &watched);
  const std::string small = with_head(constant_answer(0)), large = with_head(constant_answer(large_text));
  std::map<int, std::string> heard;
  std::array<epoll_event, 64> ready{};
  std::array<char, 16384> bytes{};
  while (true) {
    const int count = ::epoll_wait(all, ready.data(), static_cast<int>(ready.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int socket = ready[static_cast<std::size_t>(i)].data.fd;
      if (socket == listening) {
        watched.data.fd = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (watched.data.fd >= 0) ::epoll_ctl(all, EPOLL_CTL_ADD, watched.data.fd, &watched);
        continue;
      }
      const ssize_t got = ::recv(socket, bytes.data(), bytes.size(), 0);
      if (got <= 0) {
        heard.erase(socket);
        ::close(socket);
        continue;
      }
      std::string& text = heard[socket].append(bytes.data(), static_cast<std::size_t>(got));
      if (!text.ends_with("}}}}")) continue;
      const bool is_large = text.size() > large_text;
      text.clear();
      if (!send_all(socket, is_large ? large : small)) ::close(socket);
    }
  }
}

void serve_toolwire(int told) {
  Server server({"bench", "1"});
  server.tool("echo", "The text", args("text"), [](const std::string& text) { return text; });
  tell_port(told, http::listen(server, {}));
  server.run();
}

template <class Serving>
void ServerProcess::start(const Serving& serve) {
  std::array<int, 2> told{};
  if (::pipe(told.data()) != 0) throw std::runtime_error("no pipe");
  id_ = ::fork();
  if (id_ == 0) {
    ::close(told[0]);
    serve(told[1]);
    ::_exit(1);
  }
  ::close(told[1]);
  std::array<char, 8> text{};
  const bool is_there = id_ > 0 && ::read(told[0], text.data(), text.size() - 1) > 0;
  ::close(told[0]);
  port_ = static_cast<std::uint16_t>(std::atoi(text.data()));
  if (!is_there || port_ == 0) throw std::runtime_error("a server does not start");
}

ServerProcess::ServerProcess(Serve serve) { start(serve); }

ServerProcess::ServerProcess(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  start([&](int told) {
    ::dup2(told, STDOUT_FILENO);
    ::execv(words.front(), words.data());
  });
}

ServerProcess::~ServerProcess() {
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

std::uint64_t ServerProcess::cpu() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    throw std::runtime_error("a server has no clock");
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

std::size_t ServerProcess::memory() const {
  std::ifstream file("/proc/" + std::to_string(id_) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6)) * 1024;
  }
  return 0;
}

}  // namespace toolwire::bench
