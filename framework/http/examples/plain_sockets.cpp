// MCP over HTTP on plain sockets: a thread for each connection, one request on each. It shows what an adapter has to
// do; it has no limits and no deadlines, so it is no server for strangers.
#include <arpa/inet.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>
#include <thread>
#include <toolwire/http/waiting_exchange.hpp>

#include "example_server.hpp"
#include "toolwire/http/handler.hpp"

namespace http = toolwire::http;

// The adapter: a request is read, and an answer is sent.

bool receive(int client, std::string& into) {
  char piece[4096];
  const ssize_t count = ::recv(client, piece, sizeof piece, 0);
  if (count > 0) into.append(piece, static_cast<std::size_t>(count));
  return count > 0;
}

http::Request read_request(int client) {
  http::Request request;
  std::string text;
  std::size_t end = 0, length = 0;
  while ((end = text.find("\r\n\r\n")) == std::string::npos && receive(client, text)) continue;
  std::istringstream head(text.substr(0, end));
  head >> request.method >> request.target;
  std::string line;
  for (std::getline(head, line); std::getline(head, line);) {
    const std::size_t colon = line.find(':');
    http::Field field{line.substr(0, colon), line.substr(colon + 1, line.find('\r') - colon - 1)};
    if (::strcasecmp(field.name.c_str(), "content-length") == 0)
      length = std::strtoul(field.value.c_str(), nullptr, 10);
    request.fields.push_back(std::move(field));
  }
  if (end != std::string::npos) request.body = text.substr(end + 4);
  while (request.body.size() < length && receive(client, request.body)) continue;
  return request;
}

void serve(int client, http::Handler& handler) {
  const auto exchange = std::make_shared<http::WaitingExchange>();
  handler.handle(read_request(client), exchange);
  const http::Head head = exchange->head();
  std::optional<std::string> bytes = "HTTP/1.1 " + std::to_string(head.status) + " \r\nConnection: close\r\n";
  for (const auto& field : head.fields) *bytes += field.name + ": " + field.value + "\r\n";
  if (head.length) *bytes += "Content-Length: " + std::to_string(*head.length) + "\r\n";
  for (*bytes += "\r\n"; bytes; bytes = exchange->next(std::chrono::milliseconds(100))) {
    char one = 0;  // a client that has closed its end is not waiting any more
    if (::send(client, bytes->data(), bytes->size(), MSG_NOSIGNAL) < 0) break;
    if (::recv(client, &one, 1, MSG_PEEK | MSG_DONTWAIT) == 0) break;
  }
  exchange->closed();
  ::close(client);
}

// The program: `http_plain_sockets [PORT]`, which says on which port it is.

int main(int argc, char** argv) {
  toolwire::Server server({"plain_sockets", "1.0.0"});
  add_tools(server);
  http::Handler handler(server);
  const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(argc > 1 ? std::stoi(argv[1]) : 0));
  socklen_t size = sizeof address;
  if (::bind(listening, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listening, 64) != 0 ||
      ::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return std::perror("cannot listen"), 1;
  std::printf("http://127.0.0.1:%d/mcp\n", ntohs(address.sin_port));
  std::fflush(stdout);
  while (true) {
    const int client = ::accept(listening, nullptr, nullptr);
    if (client >= 0) std::thread([client, &handler] { serve(client, handler); }).detach();
  }
}
