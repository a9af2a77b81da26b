// Shows all of the protocol. Usage: everything [--page N] [--task-store FILE] [--http PORT]
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <toolwire/command_line.hpp>

#include "everything/everything.hpp"
#ifdef EVERYTHING_HAS_SQLITE_TASKS
#include <toolwire/sqlite_task_store.hpp>
#endif
#ifdef EVERYTHING_HAS_HTTP
#include <toolwire/http/listen.hpp>
#endif

namespace {

/// Digits only, so that a malformed number is reported and not read in part.
std::size_t items_of(const std::string& text) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos)
    throw std::invalid_argument("--page: expected a whole number of items from 0 (no pages) to 999999, got \"" + text +
                                "\"");
  return std::stoul(text);
}

#ifdef EVERYTHING_HAS_HTTP
/// Also its port once it listens is told on standard output, for whoever asked for any.
int serve_http(toolwire::Server& server, const std::string& port_text) {
  std::uint16_t port = 0;
  const char* const end = port_text.data() + port_text.size();
  const auto [stop, error] = std::from_chars(port_text.data(), end, port);
  if (error != std::errc() || stop != end)
    throw std::invalid_argument("--http: expected a port from 0 (a free one) to 65535, got \"" + port_text + "\"");
  std::printf("http://127.0.0.1:%d/mcp\n", toolwire::http::listen(server, {.port = port}));
  std::fflush(stdout);
  return server.run();
}
#endif

}  // namespace

int main(int argc, char** argv) {
  std::string page = "0";
  std::string tasks;
  std::string http;
  toolwire::CommandLine line{"everything", TOOLWIRE_VERSION,
                             "Every feature of the protocol at least once, for testing clients."};
  line.option("--page", "N", "How many items a page of a list has (default: all of them on one page)", page);
#ifdef EVERYTHING_HAS_SQLITE_TASKS
  line.option("--task-store", "FILE", "Keep tasks in this SQLite file (default: in memory)", tasks);
#endif
#ifdef EVERYTHING_HAS_HTTP
  line.option("--http", "PORT", "Serve over HTTP on this port of 127.0.0.1 (0: a free one), and print the address",
              http);
#endif
  if (const auto status = line.parse(argc, argv)) return *status;
  try {
    toolwire::ServerOptions options{.page = items_of(page)};
#ifdef EVERYTHING_HAS_SQLITE_TASKS
    if (!tasks.empty()) options.tasks.store = toolwire::sqlite_task_store(tasks);
#endif
    const auto server = everything::make_server(std::move(options));
#ifdef EVERYTHING_HAS_HTTP
    if (!http.empty() && line.action() == toolwire::CommandLine::Action::serve) return serve_http(*server, http);
#endif
    return server->run_stdio(line);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "everything: %s\n", problem.what());
    return 2;
  }
}
