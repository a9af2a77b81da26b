#include "commands/listen_options.hpp"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <toolwire/system/network_address.hpp>
#include "commands/daemon_place.hpp"
#include "commands/whole_number.hpp"
#include "system/handed_socket.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::string_view scheme = "unix:";
constexpr double longest_idle = 7 * 86'400;
constexpr std::int64_t longest_ending = 86'400;

/// Absolute, whatever the working directory becomes.
std::string socket_of(const ListenOptions& options, const ServeOptions& served) {
  if (!options.where.starts_with(scheme) || options.where.size() == scheme.size())
    throw std::invalid_argument(
        "--listen: expected \"unix:PATH\", \"unix:auto\" or \"http://ADDRESS:PORT/PATH\", found \"" + options.where +
        "\"");
  const std::string path = options.where.substr(scheme.size());
  if (path == "auto") return daemon_place(daemon_key(served)).socket;
  const std::filesystem::path whole = std::filesystem::absolute(path).lexically_normal();
  expect_own_folder(whole.parent_path().string());
  return whole.string();
}

/// Over HTTP hosts come and go with each request, and are told apart by what they say.
void check_servers_for_http(const ServeOptions& served) {
  for (const mcp::BackEndOptions& one : served.back_ends) {
    if (!one.shareable)
      throw std::invalid_argument("server \"" + one.name +
                                  "\": \"shared\": false gives each host a process, which needs --listen unix:PATH");
  }
}

std::optional<Ending> ending_of(const ListenOptions& options) {
  if (options.notice.empty() && options.drain.empty() && !options.ends_in_order) return std::nullopt;
  const auto read = [](const char* option, const std::string& text, std::chrono::seconds& into) {
    if (!text.empty()) into = std::chrono::seconds(whole_number(option, text, 0, longest_ending));
  };
  Ending ending;
  read("--notice-seconds", options.notice, ending.notice);
  read("--drain-seconds", options.drain, ending.drain);
  return ending;
}

/// Whoever hands sockets over and is not understood would have clients wait there for nothing. Returns `found`, the
/// descriptor of the one that is at this address, or -1.
int expect_handed(int found, const std::string& address) {
  if (found < 0 && !http::handed_over_sockets().empty())
    throw std::invalid_argument("--listen: none of the sockets that were handed over (LISTEN_FDS) listens at " +
                                address);
  return found;
}

/// As the port would, in the words of the command line.
void check_reach(const http::Port& port, const ListenOptions& options, const ServeOptions& served) {
  if (system::is_loopback_address(port.address)) return;
  if (options.token_file.empty() && !(served.configured && served.configured->authorization))
    throw std::invalid_argument(
        "--listen: other machines can reach this port: say who may call (--token-file, or \"authorization\" in the "
        "configuration), or listen on 127.0.0.1");
  if (options.hosts.empty())
    throw std::invalid_argument(
        "--listen: other machines can reach this port: name the hosts that they call it by (--host)");
}

Listening listening_for_http(const ListenOptions& options, const ServeOptions& served) {
  if (options.keep || !options.idle.empty())
    throw std::invalid_argument("--keep and --idle-seconds: expected --listen unix:PATH, for which they are");
  if (!options.token_file.empty() && served.configured && served.configured->authorization)
    throw std::invalid_argument("--token-file: the configuration has \"authorization\"; expected one of the two");
  check_servers_for_http(served);
  const bool needs_scopes = served.needs_scopes();
  if (needs_scopes && options.token_file.empty() && !(served.configured && served.configured->authorization))
    throw std::invalid_argument(
        "--listen: tools need scopes (\"scopes\"), and nobody would have any; expected \"authorization\" in the "
        "configuration, or --token-file with scopes behind the tokens");
  std::shared_ptr<TokenFile> tokens;
  if (!options.token_file.empty()) tokens = std::make_shared<TokenFile>(options.token_file, needs_scopes);
  http::Port port =
      http_port({.url = options.where, .tokens = tokens, .hosts = options.hosts, .origins = options.origins});
  check_reach(port, options, served);
  port.descriptor = expect_handed(handed_socket(port.address, port.port), options.where);
  return {.http = std::move(port), .tokens = std::move(tokens), .log = options.log, .ending = ending_of(options)};
}

Listening listening_on_socket(const ListenOptions& options, const ServeOptions& served) {
  if (!options.token_file.empty() || !options.hosts.empty() || !options.origins.empty() || !options.notice.empty() ||
      !options.drain.empty())
    throw std::invalid_argument(
        "--token-file, --host, --origin, --notice-seconds and --drain-seconds: expected --listen http://…, for which "
        "they are");
  if (options.keep && !options.idle.empty())
    throw std::invalid_argument("--keep and --idle-seconds: expected one of the two");
  Listening made{.socket = socket_of(options, served), .log = options.log};
  expect_handed(handed_socket(made.socket), made.socket);
  if (!options.keep) made.idle = idle_time(options.idle);
  return made;
}

}  // namespace

void add_listen_options(CommandLine& line, ListenOptions& into) {
  line.option("--listen", "ADDRESS",
              "Serve many hosts at once: unix:PATH, unix:auto, where \"attach\" looks, or http://ADDRESS:PORT/PATH",
              into.where);
  line.option("--idle-seconds", "SECONDS", "With --listen: end when nobody was attached for so long (default 300)",
              into.idle);
  line.flag("--keep", "With --listen: stay, however long nobody is attached", into.keep);
  line.option("--log", "FILE", "With --listen: write there instead of standard error, at most 3 files of 10 MiB",
              into.log);
  line.option("--token-file", "FILE", "With --listen http: who may call, lines of \"NAME TOKEN\"", into.token_file);
  line.option("--host", "NAME", "With --listen http: what clients call it by, NAME or NAME:PORT; may be repeated",
              into.hosts);
  line.option("--notice-seconds", "SECONDS",
              "With --listen http: serve on for so long after SIGTERM, while /health says 503", into.notice);
  line.option("--drain-seconds", "SECONDS",
              "With --listen http: and then let calls under way take so long before they are cancelled", into.drain);
  line.option("--origin", "URL", "With --listen http: a web page that may call; may be repeated", into.origins);
}

std::chrono::milliseconds idle_time(const std::string& text) {
  if (text.empty()) return usual_idle;
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || stop != end || !(seconds > 0 && seconds <= longest_idle))
    throw std::invalid_argument("--idle-seconds: expected more than 0 and at most 604800 seconds, found \"" + text +
                                "\"");
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000) + 1);
}

std::optional<Listening> listening_of(const ListenOptions& options, const ServeOptions& served,
                                      CommandLine::Action action) {
  if (options.where.empty()) {
    if (options.keep || !options.idle.empty() || !options.log.empty() || !options.token_file.empty() ||
        !options.hosts.empty() || !options.origins.empty() || !options.notice.empty() || !options.drain.empty())
      throw std::invalid_argument(
          "--keep, --idle-seconds, --log, --token-file, --host, --origin, --notice-seconds and --drain-seconds: "
          "expected --listen, for which they are");
    return std::nullopt;
  }
  if (action != CommandLine::Action::serve)
    throw std::invalid_argument("--listen: expected without --list and --call, which serve nobody");
  return options.where.starts_with("http") ? listening_for_http(options, served) : listening_on_socket(options, served);
}

}  // namespace toolwire::bridge
