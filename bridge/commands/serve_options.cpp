#include "commands/serve_options.hpp"

#include <stdexcept>

#include "commands/back_end_settings.hpp"
#include "commands/runtime_settings.hpp"

namespace toolwire::bridge {
namespace {

/// The mistakes of one command line, one a line.
struct Mistakes {
  std::string text;
  void add(const std::string& mistake) { text.append(text.empty() ? "" : "\n").append(mistake); }
};

std::optional<Latent> latent_named(const std::string& name) {
  if (name == "inline") return Latent::inlined;
  if (name == "sampling") return Latent::sampling;
  if (name == "hidden") return Latent::hidden;
  return std::nullopt;
}

}  // namespace

void add_serve_options(CommandLine& line, ServeOptions& into) {
  line.operands("FILE", "Manifests, tool schemas, or folders of them", into.files);
  line.option("--bindings", "FILE", "How tools are run (default: NAME.bindings.json beside NAME.json)", into.bindings);
  line.option("--profile", "NAME", "The profile of the bindings: dev, test, prod …", into.profile);
  line.option("--scenario", "URL", "Offer the tools of a scenario that is reached there", into.scenarios);
  line.option("--server", "NAME=COMMAND", "Offer the tools of another MCP server", into.servers);
  line.option("--runtime", "NAME=DIRECTORY", "Offer the tools in a directory of Python or TypeScript files",
              into.runtimes);
  line.option("--preferences", "FILE", "What the user wants of each tool: enabled, approval, permissions",
              into.preferences);
  line.option("--approval", "WHO", "\"bridge\" asks the user (default); \"host\": the host does", into.approval);
  line.option("--latent", "KIND", "Tools without an implementation: inline (default), sampling, hidden", into.latent);
  line.option("--audit", "FILE", "Append a JSON line for every call, without secrets and outputs", into.audit);
  line.option("--metrics", "FILE", "Keep counts in FILE, in Prometheus' text form", into.metrics);
  line.option("--allow-address", "ADDRESS", "An address or network that HTTP requests may reach in any case",
              into.allowed_addresses);
  line.flag("--no-watch", "Do not read the files again when they are edited", into.no_watch);
}

void interpret(ServeOptions& options) {
  Mistakes mistakes;
  if (options.files.empty() && options.servers.empty() && options.scenarios.empty() && options.runtimes.empty() &&
      options.bindings.empty())
    mistakes.add("expected something to serve: a FILE, --scenario, --server or --runtime");
  if (!options.approval.empty() && options.approval != "bridge" && options.approval != "host")
    mistakes.add("--approval: expected \"bridge\" or \"host\", found \"" + options.approval + "\"");
  options.asked_by = options.approval == "host" ? AskedBy::host : AskedBy::bridge;
  options.latent_kind = latent_named(options.latent);
  if (!options.latent.empty() && !options.latent_kind)
    mistakes.add("--latent: expected \"inline\", \"sampling\" or \"hidden\", found \"" + options.latent + "\"");
  for (const std::string& server : options.servers) {
    try {
      options.back_ends.push_back(back_end_from(server));
    } catch (const std::invalid_argument& error) {
      mistakes.add("--server \"" + server + "\": " + error.what());
    }
  }
  for (const std::string& runtime : options.runtimes) {
    try {
      options.runtime_settings.insert(runtime_from(runtime));
    } catch (const std::invalid_argument& error) {
      mistakes.add("--runtime \"" + runtime + "\": " + error.what());
    }
  }
  if (!mistakes.text.empty()) throw std::invalid_argument(mistakes.text);
}

}  // namespace toolwire::bridge
