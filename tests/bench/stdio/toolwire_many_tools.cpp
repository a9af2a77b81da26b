// A server with a given number of tools, in pages of a given size: what the lists of large servers cost.
//
// usage: toolwire-many-tools TOOLS TOOLS-A-PAGE      0 tools a page: all in one
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <toolwire/server.hpp>

namespace {

struct Query {
  std::string text;
  int limit = 10;
  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&Query::text>("What to look for"),
                            toolwire::field<&Query::limit>("How many results at most").between(1, 100).optional());
  }
};

toolwire::ToolInfo numbered(unsigned long number) {
  return {.name = "search_" + std::to_string(number),
          .description = "Look for a text in collection " + std::to_string(number),
          .read_only = true,
          .open_world = false};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: toolwire-many-tools TOOLS TOOLS-A-PAGE\n", stderr);
    return 2;
  }
  const unsigned long tools = std::strtoul(argv[1], nullptr, 10);
  toolwire::ServerOptions options;
  options.page = std::strtoul(argv[2], nullptr, 10);
  toolwire::Server server({.name = "toolwire-many-tools", .version = "1.0.0"}, options);
  for (unsigned long number = 0; number < tools; ++number)
    server.tool(numbered(number), [](Query query) { return std::move(query.text); });
  return server.run_stdio();
}
