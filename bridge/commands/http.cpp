#include "commands/http.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include <toolwire/bridge/http_provider.hpp>
#include <toolwire/system/signals.hpp>

#include "commands/http_tools.hpp"
#include "system/file_watch.hpp"

namespace toolwire::bridge {
namespace {

struct Arguments {
  HttpToolsFiles files;
  std::string listen = "127.0.0.1:15000";
  std::string token_file;
  std::vector<std::string> host_names;
  std::vector<std::string> origins;
};

/// From a file or the environment: arguments are visible to every user of the machine.
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

std::unique_ptr<FileWatch> watch_of(const HttpToolsFiles& files, EditedTools& tools) {
  if (files.no_watch) return nullptr;
  try {
    return std::make_unique<FileWatch>(files.all(), [&tools] { tools.read_again(); });
  } catch (const std::system_error& error) {
    std::cerr << "edits will not be noticed: " << error.what() << '\n';
    return nullptr;
  }
}

int serve(const Arguments& arguments) {
  const HttpProviderOptions options = options_of(arguments);
  const std::initializer_list<system::Signal> ending{system::Signal::terminate, system::Signal::interrupt};
  system::block_signals(ending);  // in every thread that is started later
  EditedTools tools(arguments.files);
  HttpProvider provider(
      options, [&tools] { return tools.manifest(); },
      [&tools](const std::string& tool, const Json& parameters, std::stop_token stop,
               const std::function<void(ToolResult)>& done) {
        tools.execute(tool, parameters, std::move(stop), done);
      });
  const int port = provider.listen();
  std::cout << "listening on " << url_of(options.host, port) << std::endl;
  std::thread serving([&provider] { provider.run(); });
  auto watch = watch_of(arguments.files, tools);
  system::wait_for_signal(ending);
  watch.reset();
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
  app.add_option("MANIFEST", arguments.files.manifest, "The manifest")->required();
  app.add_option("--listen", arguments.listen, "HOST:PORT to listen on; port 0: any that is free");
  app.add_option("--bindings", arguments.files.bindings,
                 "What runs the tools; without, MANIFEST.bindings.json beside it");
  app.add_option("--profile", arguments.files.profile, "Which profile of the bindings");
  app.add_option("--preferences", arguments.files.preferences, "What the user wants of each tool");
  app.add_flag("--no-watch", arguments.files.no_watch, "Do not notice edits of the files while serving");
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
