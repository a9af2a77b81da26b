// `toolwire doctor [HOST]`
#include <CLI/CLI.hpp>
#include <cstdio>

#include "commands.hpp"
#include "findings.hpp"
#include "request.hpp"

namespace toolwire::install {
namespace {

int run_doctor(const std::vector<std::string>& arguments) {
  std::string name;
  bool no_start = false, project = false;
  CLI::App app(
      "Says why a host does not see a server: looks into the hosts' files, and starts each server as the host would.",
      "toolwire doctor");
  app.add_option("HOST", name, "Only this host");
  app.add_flag("--no-start", no_start, "Start no server");
  app.add_flag("--project", project, "Also start the servers that files of this folder name: only if you trust these")
      ->excludes("--no-start");
  app.footer("Exit status: 0 nothing is wrong, 1 something is, 2 the command line makes no sense.");
  if (const auto status = parse(app, arguments)) return *status;
  const hosts::Surroundings here = hosts::own_surroundings();
  const Starts starts = no_start ? Starts::none : project ? Starts::all : Starts::of_user;
  const hosts::Host* const only = name.empty() ? nullptr : &host_named(name);
  std::size_t servers = 0, problems = 0;
  for (const hosts::Host& host : hosts::all_hosts()) {
    if (only != nullptr && only != &host) continue;
    const Findings found = examine(host, here, starts);
    for (const std::string& line : found.lines) std::printf("%s\n", line.c_str());
    servers += found.servers;
    problems += found.problems;
  }
  std::printf("%zu server%s, %zu problem%s\n", servers, servers == 1 ? "" : "s", problems, problems == 1 ? "" : "s");
  return problems == 0 ? done : failed;
}

}  // namespace

int doctor_command(const std::vector<std::string>& arguments) { return reported("doctor", run_doctor, arguments); }

}  // namespace toolwire::install
