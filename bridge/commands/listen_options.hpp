// The part of the command line of `serve` about a socket that many hosts share. Plain values.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <toolwire/command_line.hpp>

#include "commands/serve_options.hpp"

namespace toolwire::bridge {

struct ListenOptions {
  std::string where = {};  // "unix:PATH" or "unix:auto"; empty: standard input and output
  std::string idle = {};
  std::string log = {};
  bool keep = false;
};

/// What they mean.
struct Listening {
  std::string socket = {};
  std::optional<std::chrono::milliseconds> idle = {};  // it ends when nobody was there for so long; nothing: never
  std::string log = {};                                // empty: standard error stays what it is
};

/// How long a daemon stays when nobody is attached, unless something else is said.
inline constexpr std::chrono::seconds usual_idle{300};

/// Adds the options to the line; `into` must live until it has been parsed.
void add_listen_options(CommandLine& line, ListenOptions& into);

/// Nothing without `--listen`. `served` is interpreted. Throws std::invalid_argument for mistakes, and for a socket in
/// a folder that is not this user's alone.
std::optional<Listening> listening_of(const ListenOptions& options, const ServeOptions& served,
                                      CommandLine::Action action);

/// Throws std::invalid_argument. "": the usual.
std::chrono::milliseconds idle_time(const std::string& text);

}  // namespace toolwire::bridge
