// Shows all of the protocol. Usage: everything [--page N] [--task-store FILE]
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <toolwire/command_line.hpp>

#include "everything/everything.hpp"
#ifdef EVERYTHING_HAS_SQLITE_TASKS
#include <toolwire/sqlite_task_store.hpp>
#endif

namespace {

/// Digits only, so that a malformed number is reported and not read in part.
std::size_t items_of(const std::string& text) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos)
    throw std::invalid_argument("--page: expected a whole number of items from 0 (no pages) to 999999, got \"" + text +
                                "\"");
  return std::stoul(text);
}

}  // namespace

int main(int argc, char** argv) {
  std::string page = "0";
  std::string tasks;
  toolwire::CommandLine line{"everything", TOOLWIRE_VERSION,
                             "Every feature of the protocol at least once, for testing clients."};
  line.option("--page", "N", "How many items a page of a list has (default: all of them on one page)", page);
#ifdef EVERYTHING_HAS_SQLITE_TASKS
  line.option("--task-store", "FILE", "Keep tasks in this SQLite file (default: in memory)", tasks);
#endif
  if (const auto status = line.parse(argc, argv)) return *status;
  try {
    toolwire::ServerOptions options{.page = items_of(page)};
#ifdef EVERYTHING_HAS_SQLITE_TASKS
    if (!tasks.empty()) options.tasks.store = toolwire::sqlite_task_store(tasks);
#endif
    return everything::make_server(std::move(options))->run_stdio(line);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "everything: %s\n", problem.what());
    return 2;
  }
}
