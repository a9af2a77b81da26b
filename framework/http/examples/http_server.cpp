// MCP over HTTP by toolwire's own server: `http_server [PORT]`, which says on which port it is. Started by systemd with
// sockets, it listens there instead. SIGTERM ends it, when what it was asked is answered.
#include <cstdio>
#include <string>
#include <toolwire/http/listen.hpp>

#include "example_server.hpp"

namespace http = toolwire::http;

int main(int argc, char** argv) {
  toolwire::Server server({"http_server", "1.0.0"});
  add_tools(server);
  std::vector<http::Port> ports;
  for (const int socket : http::handed_over_sockets()) ports.push_back({.descriptor = socket});
  if (ports.empty()) ports.push_back({.port = static_cast<std::uint16_t>(argc > 1 ? std::stoi(argv[1]) : 0)});
  for (const http::Port& port : ports) std::printf("http://127.0.0.1:%d/mcp\n", http::listen(server, port));
  std::fflush(stdout);
  return server.run();
}
