// toolwire-bridge: finds the command and runs it (commands/).
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <toolwire/system/descriptor_limit.hpp>
#include <toolwire/system/nearest_name.hpp>

#include "commands/accept.hpp"
#include "commands/attach.hpp"
#include "commands/call_documents.hpp"
#include "commands/check.hpp"
#include "commands/compose.hpp"
#include "commands/http.hpp"
#include "commands/import_openapi.hpp"
#include "commands/login.hpp"
#include "commands/print_manifest.hpp"
#include "commands/replay.hpp"
#include "commands/run.hpp"
#include "commands/schema.hpp"
#include "commands/serve.hpp"
#include "commands/start_failure.hpp"
#include "commands/status.hpp"
#include "commands/stop.hpp"
#include "commands/types.hpp"
#include "system/kernel.hpp"
#include "system/orphans.hpp"
#include "system/own_process.hpp"
#include "system/program_version.hpp"

namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(int argc, const char* const* argv);
  bool leaves_a_program = false;  // this process itself, or a browser: it begins as if started by itself, and stays
};

constexpr std::array commands{
    Command{"serve", "Offer tools of manifests, schemas, scenarios and MCP servers to a host",
            toolwire::bridge::serve_command},
    Command{"attach", "Serve a host through a bridge that all hosts of this user share",
            toolwire::bridge::attach_command, true},
    Command{"accept", "Show how tools of servers have changed, and accept that", toolwire::bridge::accept_command},
    Command{"login", "Log in at a server that is reached over HTTP", toolwire::bridge::login_command, true},
    Command{"logout", "Forget a login", toolwire::bridge::logout_command},
    Command{"call", "Run a document of calls that a model filled", toolwire::bridge::call_command},
    Command{"check", "Say what is wrong with configurations and manifests", toolwire::bridge::check_command},
    Command{"compose", "Print the schema of all tools for a model", toolwire::bridge::compose_command},
    Command{"import", "Write tools and bindings of an OpenAPI description", toolwire::bridge::import_command},
    Command{"manifest", "Print the native manifest of an MCP server", toolwire::bridge::manifest_command},
    Command{"types", "Print types of tools for Python or TypeScript", toolwire::bridge::types_command},
    Command{"schema", "Print the JSON Schema of configurations", toolwire::bridge::schema_command},
    Command{"replay", "Run the tool calls of a conversation and print the next context",
            toolwire::bridge::replay_command},
    Command{"run", "Let a model use the tools of a server until its turn is over", toolwire::bridge::run_command},
    Command{"status", "Say how the bridges that run are doing", toolwire::bridge::status_command},
    Command{"stop", "End bridges that hosts share", toolwire::bridge::stop_command},
    Command{"http", "Serve a manifest over HTTP", toolwire::bridge::http_command},
};

std::string help() {
  std::string text =
      "Native tool manifests and what runs behind them, as an MCP server, and the other way round.\n\n"
      "Usage: toolwire-bridge COMMAND …   (toolwire-bridge COMMAND --help says more)\n\n";
  for (const Command& command : commands) {
    text.append("  ").append(command.name).append(10 - command.name.size(), ' ').append(command.summary);
    text.push_back('\n');
  }
  return text;
}

int unknown(const std::string& name) {
  std::array<std::string_view, commands.size()> names;
  std::ranges::transform(commands, names.begin(), &Command::name);
  const std::string nearest(toolwire::system::nearest_name(name, names));
  const std::string guess = nearest.empty() ? "" : ", did you mean " + nearest + "?";
  std::fprintf(stderr, "toolwire-bridge: there is no command \"%.100s\"%s; see --help\n", name.c_str(), guess.c_str());
  return 2;
}

int run(int argc, const char* const* argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  toolwire::bridge::open_standard_streams();
  for (const Command& command : commands) {
    if (command.leaves_a_program && command.name == name) return command.run(argc - 1, argv + 1);
  }
  toolwire::bridge::hide_environment();
  toolwire::system::raise_descriptor_limit();
  toolwire::bridge::adopt_orphans();
  if (name == "--version") return std::printf("toolwire-bridge %s\n", toolwire::bridge::program_version()) < 0 ? 1 : 0;
  if (name == "--help" || name == "-h" || name == "help") return std::fputs(help().c_str(), stdout) < 0 ? 1 : 0;
  if (name.empty()) {
    std::fputs(help().c_str(), stderr);
    return 2;
  }
  for (const Command& command : commands) {
    if (command.name != name) continue;
    toolwire::bridge::kernel_support();  // before any other process is started, see there
    const int status = command.run(argc - 1, argv + 1);
    toolwire::bridge::end_orphans();
    return status;
  }
  return unknown(name);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return toolwire::bridge::report_failed_start("toolwire-bridge", error);
  }
}
