// The part of the command line of `serve` about where many hosts connect: a socket, or a port. Plain values.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/command_line.hpp>

#include "commands/http_place.hpp"
#include "commands/serve_options.hpp"

namespace toolwire::bridge {

struct ListenOptions {
  std::string where = {};  // "unix:PATH", "unix:auto", a URL of HTTP; empty: standard input and output
  std::string token_file = {};
  std::vector<std::string> hosts = {};
  std::vector<std::string> origins = {};
  std::string idle = {};
  std::string log = {};
  std::string notice = {};
  std::string drain = {};
  bool ends_in_order = false;  // also where neither of them is stated
  bool keep = false;
};

/// What they mean.
struct Listening {
  std::string socket = {};  // empty: `http`
  std::optional<http::Port> http = {};
  std::shared_ptr<TokenFile> tokens = {};              // that let in there; null: no file says who may call
  std::optional<std::chrono::milliseconds> idle = {};  // it ends when nobody was there for so long; nothing: never
  std::string log = {};                                // empty: standard error stays what it is
  std::optional<Ending> ending = {};
};

/// How long a daemon stays when nobody is attached, unless something else is said.
inline constexpr std::chrono::seconds usual_idle{300};

/// Adds the options to the line; `into` must live until it has been parsed.
void add_listen_options(CommandLine& line, ListenOptions& into);

/// Nothing without `--listen`. `served` is interpreted. Throws std::invalid_argument for mistakes, for a socket in a
/// folder that is not this user's alone, a file of tokens that others can read, and sockets that were handed over for
/// another place.
std::optional<Listening> listening_of(const ListenOptions& options, const ServeOptions& served,
                                      CommandLine::Action action);

/// Throws std::invalid_argument. "": the usual.
std::chrono::milliseconds idle_time(const std::string& text);

}  // namespace toolwire::bridge
