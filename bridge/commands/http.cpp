#include "commands/http.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <toolwire/bridge/http_provider.hpp>
#include <toolwire/bridge/registry.hpp>

#include "commands/own_services.hpp"
#include "http/current_manifest.hpp"
#include "policy/preferences.hpp"
#include "policy/preferred_approval.hpp"
#include "registry/call_fields.hpp"

namespace toolwire::bridge {
namespace {

struct Arguments {
  std::string manifest;
  std::string listen = "127.0.0.1:15000";
  std::string bindings;
  std::string profile;
  std::string preferences;
  std::string token_file;
  std::vector<std::string> host_names;
  std::vector<std::string> origins;
};

std::string lines_of(const std::vector<ManifestProblem>& problems) {
  std::string lines;
  for (const ManifestProblem& problem : problems) lines.append(lines.empty() ? "" : "\n").append(problem.message());
  return lines;
}

/// From a file or the environment: arguments are seen by everybody on the machine.
std::string token_of(const std::string& file) {
  if (file.empty()) {
    const char* const variable = std::getenv("TOOLWIRE_HTTP_TOKEN");
    return variable == nullptr ? "" : variable;
  }
  std::ifstream stream(file);
  std::string token;
  if (!std::getline(stream, token) || token.empty()) {
    throw std::runtime_error(file + ": expected a token in the first line");
  }
  if (token.ends_with('\r')) token.pop_back();
  return token;
}

Bindings bindings_of(const Arguments& arguments) {
  const std::string beside = bindings_path_of(arguments.manifest);
  const std::string& file = arguments.bindings.empty() ? beside : arguments.bindings;
  if (arguments.bindings.empty() && !std::filesystem::exists(beside)) return {};
  BindingsReading reading = read_bindings_file(file, arguments.profile);
  if (!reading.bindings) throw std::runtime_error(lines_of(reading.problems));
  return std::move(*reading.bindings);
}

/// The tools of one manifest and what runs them.
class Tools {
 public:
  Tools(const Arguments& arguments, Manifest manifest, const Bindings& bindings)
      : registry_({.dangling = bindings.dangling.value_or(Dangling::fail),
                   .latent = bindings.latent.value_or(Latent::inlined)}) {
    registry_.tools().provider("manifest", manifest.tools, manifest.categories);
    prefer(arguments.preferences, manifest);
    bind(bindings, manifest.tools);
    current_ = std::make_unique<CurrentManifest>(std::move(manifest), registry_.tools());
    for (const std::string& line : registry_.diagnostics()) std::cerr << line << '\n';
  }

  std::shared_ptr<const Manifest> manifest() { return current_->get(); }

  void execute(const std::string& name, const Json& arguments, std::stop_token stop,
               std::function<void(ToolResult)> done) {
    const ToolPointer tool = registry_.tools().find(name);
    if (!tool) return done(failure("unknown_tool", "tool not found: " + name, false));
    try {
      Call call = split_call(*tool, registry_.resolve(tool->definition), arguments, Identity::optional);
      const auto deliver = [done](CompletedCall completed) { done(std::move(completed.result)); };
      registry_.start(std::move(call), deliver, {.stop = std::move(stop)});
    } catch (const InvalidArguments& error) {
      done(failure("invalid_arguments", error.what(), true));
    }
  }

 private:
  void prefer(const std::string& file, const Manifest& manifest) {
    std::vector<ManifestProblem> problems;
    const Preferences preferences = file.empty() ? Preferences() : Preferences::read_file(file, problems);
    if (!problems.empty()) std::cerr << lines_of(problems) << '\n';  // what is wrong there fails closed
    for (const ToolDefinition& tool : manifest.tools) registry_.enable(tool.name, preferences.is_enabled(tool));
    registry_.approve_with(std::make_shared<PreferredApproval>(AskedBy::bridge, preferences));
  }

  // A `base_url` is no binding here: it is usually the address this very provider is reached at.
  void bind(const Bindings& bindings, const std::vector<ToolDefinition>& tools) {
    for (const auto& [name, binding] : bindings.by_name) {
      if (binding.kind == "mcp")
        throw std::runtime_error(bindings.file + ": " + binding.pointer + R"(: "mcp" is for "serve")");
    }
    BoundActivities bound = make_bound_activities(bindings, tools, services_.get());
    if (!bound.problems.empty()) throw std::runtime_error(lines_of(bound.problems));
    for (auto& [name, activity] : bound.activities) registry_.activities().add(name, std::move(activity));
  }

  OwnServices services_;
  Registry registry_;
  std::unique_ptr<CurrentManifest> current_;
};

/// SIGTERM and SIGINT, blocked in every thread that is started later.
sigset_t block_ending_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  return ending;
}

std::string url_of(const std::string& host, int port) {
  const bool is_six = host.find(':') != std::string::npos && !host.starts_with('[');
  return "http://" + (is_six ? '[' + host + ']' : host) + ':' + std::to_string(port) + "/api/v1/tools";
}

HttpProviderOptions options_of(const Arguments& arguments) {
  HttpProviderOptions options;
  std::tie(options.host, options.port) = listen_address(arguments.listen);
  options.token = token_of(arguments.token_file);
  options.host_names = arguments.host_names;
  options.origins = arguments.origins;
  return options;
}

int serve(const Arguments& arguments) {
  const HttpProviderOptions options = options_of(arguments);
  Manifest manifest = load_manifest(arguments.manifest);
  const Bindings bindings = bindings_of(arguments);
  const sigset_t ending = block_ending_signals();
  Tools tools(arguments, std::move(manifest), bindings);
  HttpProvider provider(
      options, [&tools] { return tools.manifest(); },
      [&tools](const std::string& tool, const Json& parameters, std::stop_token stop, auto done) {
        tools.execute(tool, parameters, std::move(stop), std::move(done));
      });
  const int port = provider.listen();
  std::cout << "listening on " << url_of(options.host, port) << std::endl;
  std::thread serving([&provider] { provider.run(); });
  int signal = 0;
  sigwait(&ending, &signal);
  provider.stop();
  serving.join();
  return 0;
}

}  // namespace

std::pair<std::string, int> listen_address(const std::string& text) {
  const auto colon = text.rfind(':');
  const std::string host = colon == std::string::npos ? "" : text.substr(0, colon);
  const bool is_bare_six = host.find(':') != std::string::npos && !host.starts_with('[');
  int port = -1;
  if (colon != std::string::npos) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, port);
    if (error != std::errc() || stop != end) port = -1;
  }
  if (port < 0 || port > 65'535 || is_bare_six) {
    throw std::invalid_argument("\"" + text + "\": expected HOST:PORT, like 127.0.0.1:15000 or [::1]:15000");
  }
  return {host.empty() ? "127.0.0.1" : host, port};
}

int http_command(int argc, const char* const* argv) {
  CLI::App app("Serves a native tool manifest over HTTP: discovery and execution.", "toolwire-bridge http");
  Arguments arguments;
  app.add_option("MANIFEST", arguments.manifest, "The manifest")->required();
  app.add_option("--listen", arguments.listen, "HOST:PORT to listen on; port 0: any that is free");
  app.add_option("--bindings", arguments.bindings, "What runs the tools; without, MANIFEST.bindings.json beside it");
  app.add_option("--profile", arguments.profile, "Which profile of the bindings");
  app.add_option("--preferences", arguments.preferences, "What the user wants of each tool");
  app.add_option("--token-file", arguments.token_file,
                 "A file with the bearer token clients must send; else TOOLWIRE_HTTP_TOKEN");
  app.add_option("--host-name", arguments.host_names, "A further name in Host that means this provider");
  app.add_option("--allow-origin", arguments.origins, "A web page that may ask, as https://inbox.example");
  try {
    app.parse(argc, argv);
    return serve(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::invalid_argument& error) {
    std::cerr << "toolwire-bridge http: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace toolwire::bridge
