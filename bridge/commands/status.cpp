#include "commands/status.hpp"

#include <iostream>
#include <vector>

#include "commands/command_arguments.hpp"
#include "commands/status_report.hpp"
#include "commands/status_socket.hpp"

namespace toolwire::bridge {

int status_command(int argc, const char* const* argv) {
  CommandArguments taken("status",
                         "Says how the bridges of this user that run are doing, and the servers behind them.");
  bool as_json = false;
  taken.flag("--json", as_json, "For programs: a line of JSON for each");
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  const auto [reports, silent] = running_bridges(StatusSocket::usual_folder());
  for (const Json& report : reports) std::cout << (as_json ? to_json_text(report) + "\n" : report_text(report));
  for (const std::string& process : silent)
    std::cerr << "toolwire-bridge status: process " << process << " runs, and has not answered within 10 s\n";
  if (reports.empty() && silent.empty()) std::cerr << "toolwire-bridge status: no bridge of this user runs\n";
  return reports.empty() || !silent.empty() || !std::cout.flush() ? 1 : 0;
}

}  // namespace toolwire::bridge
