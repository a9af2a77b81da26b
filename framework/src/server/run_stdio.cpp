// Standard input and output as the connection, and the process around it: signals, the exit, the hint for people.
#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "process/log.hpp"
#include "server/session.hpp"
#include "server/state.hpp"
#include "transport/stdio_transport.hpp"

namespace toolwire {
namespace {

/// SIGTERM and SIGINT go to the monitor alone. Threads started later inherit the mask.
void block_ending_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
}

void explain_on_terminal(const ServerInfo& info) {
  if (isatty(STDIN_FILENO) == 0) return;
  std::fprintf(stderr, "%s %s is an MCP server: an editor or agent starts it and speaks JSON-RPC with it, a message a line. Try --list or --help.\n",
               info.name.c_str(), info.version.c_str());
}

/// Messages of a megabyte come and go: without this every one is fetched from the system page by page and given back at once,
/// which costs more than all the rest of an echo. Blocks of 8 MiB and more are still given back as soon as they are free.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 8 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

/// A tool ignores its stop token: it is left behind.
[[noreturn]] void leave_at_once() {
  process::log("a tool would not stop; leaving without it");
  process::flush_log(20);
  std::_Exit(0);
}

}  // namespace

int Server::run_stdio() {
  explain_on_terminal(state_->info);
  keep_freed_memory();
  const bool has_monitor = state_->options.threads > 0;
  if (has_monitor) block_ending_signals();
  transport::StdioTransport transport;
  server::Session(*state_, transport, {.take_signals = has_monitor, .abandon = leave_at_once}).run();
  process::flush_log(100);
  return 0;
}

}  // namespace toolwire
