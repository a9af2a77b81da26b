// What a program does other than serve: --list and --call. What is printed goes to standard output, errors to standard
// error.
#pragma once

#include <string>

#include "server/state.hpp"
#include "server/trace_file.hpp"
#include "toolwire/command_line.hpp"

namespace toolwire::server {

/// Prints a text. Returns the exit status: 1, after an explanation, if not all of it could be written.
int print(const std::string& program, const std::string& text);

/// Prints the tools. Returns the exit status.
int list_tools(const protocol::Service& service, const CommandLine& line);

/// Runs the tool the command line names. The tool finds standard input empty, and what it prints goes to standard
/// error. `trace` may be null. Returns the exit status: 2 if the arguments are no JSON object.
int call_tool(Server::State& state, const CommandLine& line, TraceFile* trace);

}  // namespace toolwire::server
