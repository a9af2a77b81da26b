// Any bytes as what a client sends to the HTTP provider: it answers with HTTP and JSON or not at all, and runs no tool
// for those who have no token.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <toolwire/bridge/http_provider.hpp>
#include <toolwire/json.hpp>

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

constexpr std::string_view token = "token-for-tests";
constexpr std::string_view manifest_text =
    R"({"protocol_version": "1.0", "scenario": {"name": "s", "version": "1", "description": "d"},
        "tools": [{"name": "t", "description": "d", "parameters": {"type": "object"},
                   "metadata": {"enabled_by_default": true, "requires_approval": false}}],
        "generated_at": "2026-11-23T00:00:00Z"})";

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

HttpProviderOptions options() {
  HttpProviderOptions options;
  options.port = 0;
  options.token = token;
  options.max_body = 4096;
  return options;
}

Manifest read_own_manifest() {
  ManifestReading reading = read_manifest(manifest_text, "fuzz");
  for (const ManifestProblem& problem : reading.problems) std::fprintf(stderr, "%s\n", problem.message().c_str());
  require(reading.manifest.has_value(), "the target's own manifest is right");
  return std::move(*reading.manifest);
}

/// Serves for as long as the process lives; its threads may be anywhere when that ends.
class Served {
 public:
  Served()
      : manifest_(std::make_shared<const Manifest>(read_own_manifest())),
        provider_(
            options(), [this] { return manifest_; },
            [this](const std::string& tool, Json arguments, const std::stop_token&,
                   const std::function<void(ToolResult)>& done) {
              require(tool == "t", "only tools of the manifest are run");
              ++calls_;
              done(ToolResult::of(JsonObject{{"arguments", std::move(arguments)}}));
            }),
        port_(provider_.listen()) {
    std::thread([this] { provider_.run(); }).detach();
  }
  int port() const { return port_; }
  int calls() const { return calls_; }

 private:
  std::shared_ptr<const Manifest> manifest_;
  std::atomic<int> calls_ = 0;
  HttpProvider provider_;
  int port_;
};

/// The alarm by which the fuzzer looks for hangs interrupts what waits.
template <class SystemCall>
auto uninterrupted(SystemCall system_call) {
  auto result = system_call();
  while (result < 0 && errno == EINTR) result = system_call();
  return result;
}

int connected_to(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int connected =
      uninterrupted([&] { return ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address); });
  require(connected == 0, "the provider listens");
  return socket;
}

/// Closes without leaving the port in use for a minute, of which there are too few for a fuzz target.
void close_at_once(int socket) {
  const linger none{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  ::close(socket);
}

/// All that is answered to these bytes, after which nothing more is sent.
std::string answer_to(std::string_view bytes, int port) {
  const int socket = connected_to(port);
  const auto send_some = [&] { return ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL); };
  for (ssize_t sent = 0; !bytes.empty() && (sent = uninterrupted(send_some)) > 0;)
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  ::shutdown(socket, SHUT_WR);
  std::string answer;
  std::array<char, 16384> room{};
  const auto receive = [&] { return ::recv(socket, room.data(), room.size(), 0); };
  for (ssize_t count = 0; (count = uninterrupted(receive)) > 0;)
    answer.append(room.data(), static_cast<std::size_t>(count));
  close_at_once(socket);
  return answer;
}

std::string value_of(std::string_view head, std::string_view name) {
  const std::size_t at = head.find(name);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = head.substr(at + name.size());
  return std::string(rest.substr(0, rest.find('\r')));
}

/// Checks the first of the answers. Returns what follows it.
std::string_view after_checked(std::string_view answers, bool may_have_token) {
  require(answers.starts_with("HTTP/1.1 "), "an answer has a status line");
  const std::size_t end = answers.find("\r\n\r\n");
  require(end != std::string_view::npos, "the head of an answer has an end");
  const std::string_view head = answers.substr(0, end + 2);
  const std::string_view rest = answers.substr(end + 4);
  const int status = std::atoi(std::string(head.substr(9, 3)).c_str());
  if (status == 100) return rest;
  require(status >= 200 && status < 600, "a status is one of HTTP's");
  require(may_have_token || status >= 400, "nothing is served without the token");
  require(head.find('\0') == std::string_view::npos, "a head has no NUL");
  const bool is_to_head = rest.empty() || rest.starts_with("HTTP/1.1 ");  // which no JSON begins with
  if (status == 304 || is_to_head) return rest;
  const std::string length = value_of(head, "\r\nContent-Length: ");
  require(!length.empty() && length.size() < 10, "an answer has a length");
  const std::size_t size = std::stoul(length);
  require(size <= rest.size(), "a body is as long as its head says");
  require(value_of(head, "\r\nContent-Type: ") == "application/json", "a body is JSON");
  (void)parse_json(rest.substr(0, size));
  return rest.substr(size);
}

/// Returns how many there are that are not interim.
int check_answers(std::string_view answers, bool may_have_token) {
  int count = 0;
  while (!answers.empty()) {
    if (!answers.starts_with("HTTP/1.1 100 ")) ++count;
    answers = after_checked(answers, may_have_token);
  }
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static Served& served = *new Served;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const bool may_have_token = input.find(token) != std::string_view::npos;
  const int before = served.calls();
  const int answers = check_answers(answer_to(input, served.port()), may_have_token);
  require(may_have_token || served.calls() == before, "no tool is run without the token");
  const auto requests = static_cast<int>(1 + std::count(input.begin(), input.end(), '\n') / 2);  // each has two lines
  require(answers <= requests, "a request has one answer");
  require(served.calls() <= before + requests, "a request runs one tool at most");
  return 0;
}
