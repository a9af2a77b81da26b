#include "commands/stop.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "commands/command_arguments.hpp"
#include "commands/status_socket.hpp"
#include "system/end_process.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::chrono::seconds patience{30};  // what was asked is answered, servers are ended

/// One that serves a host on its standard streams ends with that, and is not meant.
bool is_shared(const Json& report) { return report.as_object().contains("shared"); }

void say(const std::string& process, const char* what) {
  std::fprintf(stderr, "toolwire-bridge stop: process %s %s\n", process.c_str(), what);
}

bool stop(const std::string& process) {
  if (end_process(std::stoi(process), patience)) return true;
  say(process, "has not ended within 30 s");
  return false;
}

struct Processes {
  std::vector<std::string> listening = {};
  std::vector<std::string> silent = {};

  bool has(const std::string& process) const {
    return std::ranges::count(listening, process) > 0 || std::ranges::count(silent, process) > 0;
  }
};

Processes running_processes() {
  RunningBridges running = running_bridges(StatusSocket::usual_folder());
  Processes found{.silent = std::move(running.silent)};
  for (const Json& report : running.reports) {
    if (is_shared(report)) found.listening.push_back(to_json_text(report.at("process")));
  }
  return found;
}

bool stop_all(const Processes& running) {
  if (running.listening.empty() && running.silent.empty())
    std::fprintf(stderr, "toolwire-bridge stop: no bridge of this user listens\n");
  bool have_ended = !running.listening.empty() && running.silent.empty();
  for (const std::string& process : running.listening) have_ended = stop(process) && have_ended;
  for (const std::string& process : running.silent)
    say(process, "has not said within 10 s whether it listens; name it to end it");
  return have_ended;
}

bool stop_named(const Processes& running, const std::vector<std::string>& wanted) {
  for (const std::string& process : wanted) {
    if (running.has(process)) continue;
    std::fprintf(stderr, "toolwire-bridge stop: no bridge of this user that listens is process \"%s\"; see status\n",
                 process.c_str());
    return false;
  }
  bool have_ended = true;
  for (const std::string& process : wanted) have_ended = stop(process) && have_ended;
  return have_ended;
}

}  // namespace

int stop_command(int argc, const char* const* argv) {
  CommandArguments taken("stop",
                         "Ends bridges that listen for hosts, once they have answered what was asked of them.\n"
                         "A host that is still attached starts another.");
  std::vector<std::string> wanted;
  bool all = false;
  taken.option("PROCESS", wanted, "Its process, as status says");
  taken.flag("--all", all, "All of this user");
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  if (all == !wanted.empty()) return taken.missing("a PROCESS, or --all");
  const Processes running = running_processes();
  return (all ? stop_all(running) : stop_named(running, wanted)) ? 0 : 1;
}

}  // namespace toolwire::bridge
