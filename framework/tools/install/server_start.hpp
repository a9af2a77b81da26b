// Starts a server as a host would, and says what it offers. Independent of hosts' files.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "hosts/host_entry.hpp"

namespace toolwire::install {

struct ToolReport {
  std::string name = {}, description = {};
  Json input_schema = {};
};

/// What a server said of itself.
struct ServerReport {
  std::string name = {}, version = {}, title = {}, description = {}, revision = {};
  std::vector<ToolReport> tools = {};
  std::chrono::milliseconds time{0};  ///< From its start to the list of its tools.
  /// What hosts built on the official TypeScript SDK refuse it for: see typescript_sdk.hpp. Not of one without
  /// handshake.
  std::vector<std::string> sdk_faults = {};
  std::string stray_line = {};  ///< The beginning of the first that `is_stray`; empty if there was none.
};

/// A server that does not start, or does not answer. The text says how it ended, what it wrote to standard error last,
/// and the first line on its standard output that is no message.
struct ServerFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Starts the server in `folder` with the variables that hosts pass on (HOME, LANG, PATH, SHELL, USER) and its own,
/// greets it, lists its tools, and ends it with all that it has started. Throws ServerFailure; its text says so if the
/// server would start with all variables of this process, and that this is to be done: `advice`. One that is silent is
/// not started again: `limit` is the time of all. Throws Interrupted when this process is asked to end meanwhile.
ServerReport start_server(const hosts::Server& server, const std::string& folder, std::chrono::milliseconds limit,
                          std::string_view advice = "name those it needs with --env NAME=VALUE");

/// Whether a line on a server's standard output is neither a message nor blank. Some hosts give up a server for that.
bool is_stray(std::string_view line);

/// What the system does not say when it cannot start a file that is there, beginning with "; "; or nothing. `folder`:
/// where it was to run.
std::string why_not_started(const std::system_error& error, const std::string& program, const std::string& folder);

/// The file of a server's program: absolute, found on PATH if it has no slash. Throws std::runtime_error if there is
/// none that can be executed.
std::string absolute_program(const std::string& program, const std::string& folder, const std::string& path);

/// Whether the file is there and can be executed by somebody.
bool is_executable(const std::string& path);

}  // namespace toolwire::install
