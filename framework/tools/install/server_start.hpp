// Starts a server as a host would, and says what it offers. Independent of hosts' files.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
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
};

/// A server that does not start, or does not answer. The text says how it ended and what it wrote to standard error
/// last.
struct ServerFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Starts the server in `folder` with the variables that hosts pass on (HOME, LANG, PATH, SHELL, USER) and its own,
/// greets it, lists its tools, and ends it. Throws ServerFailure; its text says so if the server would start with all
/// variables of this process, and that this is to be done: `advice`.
ServerReport start_server(const hosts::Server& server, const std::string& folder, std::chrono::milliseconds limit,
                          std::string_view advice = "name those it needs with --env NAME=VALUE");

/// The file of a server's program: absolute, found on PATH if it has no slash. Throws std::runtime_error if there is
/// none that can be executed.
std::string absolute_program(const std::string& program, const std::string& folder, const std::string& path);

/// Whether the file is there and can be executed by somebody.
bool is_executable(const std::string& path);

}  // namespace toolwire::install
