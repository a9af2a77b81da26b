#include <cstdio>
#include <exception>
#include <string>
#include <toolwire/command_line.hpp>

#include "tools.hpp"

int main(int argc, char** argv) {
  std::string file = ":memory:";
  toolwire::CommandLine line{"{{NAME}}", "0.1.0", "Notes in an SQLite database."};
  line.option("--database", "FILE", "Where the notes are kept (default: in memory, until the server ends)", file);
  if (const auto status = line.parse(argc, argv)) return *status;
  try {
    Database database{file};
    toolwire::Server server{{.name = "{{NAME}}", .version = "0.1.0"}};
    add_tools(server, database);
    return server.run_stdio(line);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "{{NAME}}: %s\n", error.what());
    return 1;
  }
}
