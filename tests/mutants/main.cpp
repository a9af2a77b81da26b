// The correct server `everything`, and on demand one that is wrong in one way.
// Usage: toolwire-mutant [--fault GROUP/NAME] [--faults FOLDER] [--page N]
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <toolwire/command_line.hpp>
#include <toolwire/transport.hpp>

#include "everything/everything.hpp"
#include "filter.hpp"

namespace {

using toolwire::Json;

toolwire::ServerOptions options_of(const toolwire::JsonObject& server) {
  toolwire::ServerOptions options;
  if (const Json* page = server.if_contains("page")) options.page = page->to_number<std::size_t>();
  return options;
}

/// Without the framework's own treatment of signals.
int run_without_signals(toolwire::Server& server, const Json& signals) {
  for (int number : {SIGTERM, SIGINT}) std::signal(number, signals == "ignored" ? SIG_IGN : SIG_DFL);
  const int in = ::dup(STDIN_FILENO);
  const int out = ::dup(STDOUT_FILENO);
  ::close(STDIN_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const int status = server.run(*toolwire::descriptor_transport(in, out));
  ::close(in);
  ::close(out);
  return status;
}

/// Passes the filter all the same.
mutants::Fault no_fault(const std::string& page) {
  mutants::Fault none;
  if (!page.empty()) none.server["page"] = std::stoul(page);
  return none;
}

/// The whole process, wherever the signal arrives.
void stop(int) { ::raise(SIGSTOP); }

int serve(const mutants::Fault& fault, const toolwire::CommandLine& line) {
  if (fault.server.contains("hangup")) std::signal(SIGHUP, stop);
  auto server = everything::make_server(options_of(fault.server));
  const Json* signals = fault.server.if_contains("signals");
  return signals != nullptr ? run_without_signals(*server, *signals) : server->run_stdio(line);
}

}  // namespace

int main(int argc, char** argv) {
  std::string name;
  std::string folder = MUTANTS_FAULTS;
  std::string page;
  toolwire::CommandLine line{"toolwire-mutant", TOOLWIRE_VERSION, "The server everything, wrong in one way."};
  line.option("--fault", "GROUP/NAME", "The fault it has ; \"none\": the filter without rules", name);
  line.option("--page", "N", "How many items a page of a list has, with the fault none", page);
  line.option("--faults", "FOLDER", "Where the faults are described", folder);
  if (const auto status = line.parse(argc, argv)) return *status;
  try {
    if (name.empty()) return everything::make_server()->run_stdio(line);
    const mutants::Fault fault = name == "none" ? no_fault(page) : mutants::read_fault(folder, name);
    auto* filter = new mutants::Filter(fault);  // lives as long as the process
    filter->leave(serve(fault, line));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "toolwire-mutant: %s\n", problem.what());
    return 2;
  }
}
