// One hop: a bridge that offers the tools of one server. `toolwire-hop COMMAND…`; compare it with COMMAND itself.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <toolwire/server.hpp>

#include "activities/mcp/offer.hpp"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: toolwire-hop COMMAND [ARGUMENT…]\n");
    return 2;
  }
  try {
    toolwire::Server server{{.name = "toolwire-hop", .version = "1.0.0"}};
    toolwire::bridge::mcp::Offer offer(
        server, {{.name = "server", .command = std::vector<std::string>(argv + 1, argv + argc)}});
    offer.begin();
    const char* no_options[] = {argv[0]};
    return server.run_stdio(1, no_options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-hop: %s\n", error.what());
    return 2;
  }
}
