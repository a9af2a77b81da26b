#include "inspect/inspect.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <system_error>
#include <toolwire/system/end_by_signal.hpp>

#include "hosts/host_files.hpp"
#include "inspect/inspector_site.hpp"
#include "install/request.hpp"
#include "install/server_start.hpp"
#include "install/status_line.hpp"

namespace toolwire::inspect {
namespace {

constexpr const char* about =
    "Shows a page of this machine to try a server with, as in: toolwire inspect -- ./build/notes --verbose\n\n"
    "Tools are called with forms made from their schemas; resources and prompts, progress, log messages, questions of "
    "the server and every message are shown.";
constexpr const char* ending =
    "The address is for one page; another one is shown once it was opened. Ctrl-C ends it.\n"
    "Exit status: 0 ended, 1 the server cannot be started, 2 the command line makes no sense.";

struct Arguments {
  std::uint16_t port = 0;
  InspectedOptions server = {};
};

Arguments arguments_in(CLI::App& app, const std::vector<std::string>& words, std::optional<int>& status) {
  Arguments arguments;
  app.add_option("--port", arguments.port, "The port of the page (default: a free one)");
  app.add_option("--revision", arguments.server.revision,
                 "The revision of the protocol that is asked for (default: the newest both speak)");
  app.add_option("--root", arguments.server.roots,
                 "A folder that a server is told that asks for roots; may be repeated");
  app.footer(ending);
  status = install::parse_before_server(app, words, "toolwire inspect -- ./server --its-options");
  if (!status) arguments.server.command.assign(std::ranges::find(words, "--") + 1, words.end());
  return arguments;
}

void find_places(InspectedOptions& server) {
  const hosts::Surroundings here = hosts::own_surroundings();
  server.command.front() = install::absolute_program(server.command.front(), here.folder, here.variable("PATH"));
  for (std::string& root : server.roots) {
    if (!std::filesystem::is_directory(root)) throw install::Misuse("--root " + root + ": expected a folder");
    root = std::filesystem::canonical(root).string();
  }
  const auto known = known_revisions();
  if (!server.revision.empty() && std::ranges::find(known, server.revision) == known.end())
    throw install::Misuse("--revision " + server.revision + ": nobody speaks this revision");
}

/// Each page waits for events on one, and each thing that a slow server is asked for takes one.
constexpr unsigned most_threads = 256;

/// Until it is stopped.
void serve(const Arguments& arguments) {
  EventLog log;
  std::optional<InspectedServer> started;
  {
    const install::StatusLine line("starting " + arguments.server.command.front());
    started.emplace(arguments.server, log);
  }
  InspectedServer& server = *started;
  InspectorSite inspector(server, log, [](const std::string& url) {
    std::printf("open %s\n", url.c_str());
    std::fflush(stdout);
  });
  http::SiteServer site(inspector.site(), {.port = arguments.port, .threads = most_threads});
  inspector.listens_on(site.port());
  if (std::ferror(stdout) != 0) return;  // nobody knows the address
  const std::stop_callback end(arguments.server.stop, [&] {
    log.close();
    site.stop();
    server.stop();
  });
  site.run();
}

int run(const std::vector<std::string>& words) {
  CLI::App app(about, "toolwire inspect");
  std::optional<int> status;
  Arguments arguments = arguments_in(app, words, status);
  if (status) return *status;
  find_places(arguments.server);
  system::block_ending_signals();  // in every thread that is started later
  std::stop_source stop;
  const system::EndBySignal interrupted([stop]() mutable { stop.request_stop(); });
  arguments.server.stop = stop.get_token();
  try {
    serve(arguments);
  } catch (const std::system_error& error) {
    throw std::runtime_error(error.what() + install::why_not_started(error, arguments.server.command.front(), ""));
  } catch (const std::exception&) {
    if (!stop.stop_requested()) throw;  // else the server was not there yet
  }
  return install::done;
}

}  // namespace

int inspect_command(const std::vector<std::string>& arguments) { return install::reported("inspect", run, arguments); }

}  // namespace toolwire::inspect
