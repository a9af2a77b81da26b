#include "commands/stop.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "commands/command_arguments.hpp"
#include "commands/status_socket.hpp"
#include "system/end_process.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::chrono::seconds patience{30};  // what was asked is answered, servers are ended

/// The processes of those that listen; one that serves a host on its standard streams ends with that.
std::vector<std::string> shared_bridges() {
  std::vector<std::string> processes;
  for (const Json& report : running_bridges(StatusSocket::usual_folder())) {
    if (report.as_object().contains("shared")) processes.push_back(to_json_text(report.at("process")));
  }
  return processes;
}

bool stop(const std::string& process) {
  if (end_process(std::stoi(process), patience)) return true;
  std::fprintf(stderr, "toolwire-bridge stop: process %s has not ended within 30 s\n", process.c_str());
  return false;
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
  const std::vector<std::string> running = shared_bridges();
  const auto runs = [&](const std::string& process) { return std::ranges::count(running, process) > 0; };
  for (const std::string& process : wanted) {
    if (runs(process)) continue;
    std::fprintf(stderr, "toolwire-bridge stop: no bridge of this user that listens is process \"%s\"; see status\n",
                 process.c_str());
    return 1;
  }
  if (all && running.empty()) std::fprintf(stderr, "toolwire-bridge stop: no bridge of this user listens\n");
  bool have_ended = !all || !running.empty();
  for (const std::string& process : all ? running : wanted) have_ended = stop(process) && have_ended;
  return have_ended ? 0 : 1;
}

}  // namespace toolwire::bridge
