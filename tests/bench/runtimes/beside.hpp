// MCP servers beside each other: how long each takes from its start to the answer to a first call, and for a call.
#pragma once

#include <string>
#include <vector>

namespace toolwire_bench {

/// Over stdio, with a tool `echo` that takes `text`.
struct EchoServer {
  std::string name;
  std::vector<std::string> command;
};

/// Measures them in turn, `rounds` times, and prints a table of medians. Throws what toolwire::Client throws.
void measure_beside(const std::vector<EchoServer>& servers, int rounds, int calls);

}  // namespace toolwire_bench
