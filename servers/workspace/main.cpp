// Files and code search below one directory, for reading. Usage: workspace [--root DIR]
#include <cstdio>
#include <string>
#include <toolwire/command_line.hpp>
#include <toolwire/server.hpp>

#include "workspace/root.hpp"
#include "workspace/tools.hpp"

int main(int argc, char** argv) {
  constexpr auto summary = "Read, list and search the files below one directory; nothing outside it can be reached.";
  std::string directory;
  toolwire::CommandLine line{"workspace", "0.1.0", summary};
  line.option("--root", "DIR", "The directory to serve (default: the working directory)", directory);
  if (const auto status = line.parse(argc, argv)) return *status;

  if (const std::string problem = workspace::confinement_problem(); !problem.empty()) {
    std::fprintf(stderr, "workspace: refusing to start: %s\n", problem.c_str());
    return 1;
  }
  // A root that cannot be used must not end the server: a client shows the answer to a call, rarely what a dead server
  // printed.
  const workspace::Root root =
      directory.empty() ? workspace::Root::working_directory() : workspace::Root::at(directory);
  if (!root.problem().empty()) std::fprintf(stderr, "workspace: %s\n", root.problem().c_str());

  toolwire::Server server{{.name = "workspace",
                           .version = "0.1.0",
                           .title = "Workspace",
                           .description = summary,
                           .instructions = workspace::instructions(root)}};
  workspace::add_tools(server, root);
  return server.run_stdio(line);
}
