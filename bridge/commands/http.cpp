#include "commands/http.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include <toolwire/bridge/http_provider.hpp>
#include <toolwire/system/end_by_signal.hpp>
#include <toolwire/system/file_text.hpp>

#include <toolwire/system/network_address.hpp>
#include "commands/command_arguments.hpp"
#include "commands/http_tools.hpp"
#include "commands/served_bridge.hpp"
#include "commands/start_failure.hpp"
#include "commands/status_pages.hpp"
#include "commands/status_report.hpp"
#include "configuration/configuration.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_token_file = std::size_t{64} << 10;

struct Arguments {
  std::string file;
  ServeOptions served;
  std::string listen;
  std::string token_file;
  std::vector<std::string> host_names;
  std::vector<std::string> origins;
};

std::string text_of(const std::string& file) try {
  return system::text_of_file(file, max_token_file);
} catch (const std::system_error& error) {
  throw std::invalid_argument(error.what());
}

/// From a file or the environment: arguments are visible to every user of the machine.
std::string token_of(const std::string& file) {
  if (file.empty()) {
    const char* const variable = std::getenv("TOOLWIRE_HTTP_TOKEN");
    return variable == nullptr ? "" : variable;
  }
  const std::string text = text_of(file);
  std::string token = text.substr(0, text.find('\n'));
  if (token.ends_with('\r')) token.pop_back();
  if (token.empty()) throw std::invalid_argument(file + ": expected a token in the first line");
  return token;
}

std::string url_of(const std::string& host, int port) {
  return "http://" + system::in_brackets(host) + ':' + std::to_string(port) + "/api/v1/tools";
}

/// What the configuration says, unless the command line says it, too.
void take_listen(Arguments& arguments) {
  const bool is_said = !arguments.listen.empty() || !arguments.token_file.empty() || !arguments.host_names.empty() ||
                       !arguments.origins.empty();
  if (arguments.served.configured && arguments.served.configured->listen) {
    if (is_said)
      throw std::invalid_argument(
          "the configuration has \"listen\"; expected either this or --listen, --token-file, --host-name and "
          "--allow-origin");
    const ListenSettings& listen = *arguments.served.configured->listen;
    arguments.listen = listen.address;
    arguments.token_file = listen.token_file;
    arguments.host_names = listen.host_names;
    arguments.origins = listen.origins;
  }
  for (const std::string& name : arguments.host_names) {
    if (const auto wrong = wrong_host_name(name)) throw std::invalid_argument("--host-name: " + *wrong);
  }
  for (const std::string& origin : arguments.origins) {
    if (const auto wrong = wrong_origin(origin)) throw std::invalid_argument("--allow-origin: " + *wrong);
  }
  if (arguments.listen.empty()) arguments.listen = "127.0.0.1:15000";
}

HttpProviderOptions options_of(const Arguments& arguments) {
  HttpProviderOptions options;
  std::tie(options.host, options.port) = listen_address(arguments.listen);
  options.token = token_of(arguments.token_file);
  options.host_names = arguments.host_names;
  options.origins = arguments.origins;
  return options;
}

/// One file may be there for `serve`, too, so that what only that has a use for is said and not refused.
void say_what_is_not_served(const ServeOptions& options, const std::function<void(const std::string&)>& say) {
  if (options.configured && options.configured->authorization)
    throw std::invalid_argument(
        "\"authorization\" is for \"serve --listen http://…\"; here no token of an issuer is "
        "looked at, and the configuration would be served without it");
  if (options.configured && options.configured->calls_per_minute > 0)
    throw std::invalid_argument(
        "\"calls_per_minute\" is for \"serve\"; here it would not be counted, and the configuration would be served "
        "without it");
  if (options.needs_scopes())
    throw std::invalid_argument(
        "\"scopes\" of tools are for \"serve --listen http://…\"; here nobody would look at them, and the tools would "
        "be "
        "served without them");
  if (!options.back_ends.empty())
    say("servers of the configuration are offered by \"serve\" only, and \"prefix\" with them; "
        "here their tools are reached by bindings");
  if (options.configured && options.configured->search)
    say("\"search\" does nothing here: it is for models, which see the lists of \"serve\"");
  if (options.configured && options.configured->page > 0)
    say("\"page_size\" does nothing here: it is of the lists of \"serve\"");
}

void require_manifest(const std::string& file) try { load_manifest(file); } catch (const ManifestError& error) {
  throw std::invalid_argument(error.what());
}

/// Only runtimes are waited for: servers begin when they are called.
bool waits_for_nothing(const ServeOptions& options, const LoadedSources& loaded) {
  return options.configured && options.configured->start_wait && loaded.bindings.runtimes.empty() &&
         std::ranges::all_of(loaded.sources, [](const ToolSource& one) { return one.bindings.runtimes.empty(); });
}

/// Before anything is started: the one file must be a manifest, whose every problem is named.
void interpret_files(Arguments& arguments) {
  ServeOptions& options = arguments.served;
  const auto say = [](const std::string& text) { std::cerr << text << '\n'; };
  const bool is_manifest = kind_of_file(arguments.file) != DocumentKind::configuration;
  if (is_manifest) require_manifest(arguments.file);
  options.files = {arguments.file};
  options.calls_scenarios = false;
  options.only_manifests = true;
  options.is_over_http = true;
  interpret(options, say);
  say_what_is_not_served(options, say);
  options.back_ends.clear();
  if (options.configured) options.configured->search.reset();
}

/// How the bridge is doing: whether it lives for anyone, the rest for those who may use its tools.
std::vector<HttpPage> pages_of(ServedBridge& served) {
  std::vector<HttpPage> pages{
      {"/health", "application/json", [] { return std::string("{\"status\":\"ok\"}\n"); }, true}};
  for (http::Page& one : status_pages_of(served))
    pages.push_back({.path = std::move(one.path), .type = std::move(one.type), .text = std::move(one.text)});
  return pages;
}

int serve(Arguments& arguments) {
  system::block_ending_signals();  // in every thread that is started later
  interpret_files(arguments);
  take_listen(arguments);
  const HttpProviderOptions options = options_of(arguments);
  ToolSources sources = sources_of(arguments.served);
  const LoadedSources loaded =
      load_for_start(sources, arguments.served, [](const std::string& text) { std::cerr << text << '\n'; });
  if (waits_for_nothing(arguments.served, loaded))
    std::cerr << "\"wait_seconds\" does nothing here: there is no runtime that is waited for\n";
  ServedBridge served(arguments.served, sources, loaded);
  HttpTools tools(served, loaded);
  HttpProvider provider(
      options, [&tools] { return tools.manifest(); },
      [&tools](const std::string& tool, const Json& parameters, const TraceContext& trace, std::stop_token stop,
               HttpTools::Done done) { tools.execute(tool, parameters, trace, std::move(stop), std::move(done)); },
      pages_of(served));
  const int port = provider.listen();
  served.start({.servers = {}, .runtimes = arguments.served.start_wait});
  for (const std::string& line : served.bridge().registry().diagnostics()) std::cerr << line << '\n';
  served.watch([&tools](const LoadedSources& edited) { tools.use(edited); });
  served.keep_metrics();
  served.offer_status();
  const system::EndBySignal end([&] {
    served.end();
    provider.stop();
  });
  std::cout << "listening on " << url_of(options.host, port) << std::endl;
  provider.run();
  return 0;
}

}  // namespace

std::optional<std::string> wrong_origin(std::string_view text) {
  const std::size_t end = text.find("://");
  const bool is_fine = end != std::string_view::npos && end > 0 && end + 3 < text.size() &&
                       text.find_first_of("/?#@*, \t\r\n", end + 3) == std::string_view::npos &&
                       text.find_first_of(" \t\r\n") == std::string_view::npos;
  if (is_fine || text == "null") return std::nullopt;
  return "expected what browsers call a page's origin, as https://inbox.example or http://localhost:5173, without a "
         "path, found \"" +
         std::string(text) + "\"";
}

std::optional<std::string> wrong_host_name(std::string_view text) {
  const bool is_fine = !text.empty() && (text == "*" || text.find_first_of("/?#@*, \t\r\n") == std::string_view::npos);
  if (is_fine) return std::nullopt;
  return "expected NAME or NAME:PORT, as in the Host of a request, found \"" + std::string(text) + "\"";
}

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
  CommandArguments taken("http", "Serves a native tool manifest over HTTP: discovery and execution.");
  Arguments arguments;
  ServeOptions& served = arguments.served;
  taken.required("MANIFEST", arguments.file, "The manifest, or a configuration that names one");
  taken.option("--listen", arguments.listen, "HOST:PORT to listen on (127.0.0.1:15000); port 0: any that is free");
  taken.option("--bindings", served.bindings, "What runs the tools of all; besides, MANIFEST.bindings.json beside it");
  taken.option("--profile", served.profile, "Which profile of the bindings or the configuration");
  taken.option("--preferences", served.preferences, "What the user wants of each tool");
  taken.option("--audit", served.audit, "Append a JSON line for every call, without secrets and outputs");
  taken.option("--metrics", served.metrics, "Keep counts in a file, in Prometheus' text form");
  taken.option("--allow-address", served.allowed_addresses,
               "An address or network that HTTP requests may reach in any case");
  taken.flag("--allow-commands", served.allow_commands, "${cmd:PROGRAM} in the configuration runs programs");
  taken.flag("--no-watch", served.no_watch, "Do not notice edits of the files while serving");
  taken.option("--token-file", arguments.token_file,
               "A file with the bearer token clients must send; else TOOLWIRE_HTTP_TOKEN");
  taken.option("--host-name", arguments.host_names, "A further name in Host that means this provider");
  taken.option("--allow-origin", arguments.origins, "A web page that may ask, as https://inbox.example");
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  try {
    return serve(arguments);
  } catch (const std::invalid_argument& error) {
    std::cerr << "toolwire-bridge http: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    return report_failed_start("toolwire-bridge http", error);
  }
}

}  // namespace toolwire::bridge
