// toolwire-bridge: finds the command and runs it (commands/).
#include <array>
#include <string_view>

#include "commands/accept.hpp"
#include "commands/attach.hpp"
#include "commands/call_documents.hpp"
#include "commands/check.hpp"
#include "commands/compose.hpp"
#include "commands/http.hpp"
#include "commands/import_openapi.hpp"
#include "commands/login.hpp"
#include "commands/print_manifest.hpp"
#include "commands/program.hpp"
#include "commands/replay.hpp"
#include "commands/run.hpp"
#include "commands/schema.hpp"
#include "commands/serve.hpp"
#include "commands/status.hpp"
#include "commands/stop.hpp"
#include "commands/types.hpp"

namespace {

using toolwire::bridge::Command;

constexpr std::array commands{
    Command{"serve", "Offer tools of manifests, schemas, scenarios and MCP servers to a host",
            [](int argc, const char* const* argv) { return toolwire::bridge::serve_command(argc, argv); }},
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

constexpr std::string_view about =
    "Native tool manifests and what runs behind them, as an MCP server, and the other way round.\n";

}  // namespace

int main(int argc, char** argv) {
  return toolwire::bridge::run_program("toolwire-bridge", about, commands, argc, argv);
}
