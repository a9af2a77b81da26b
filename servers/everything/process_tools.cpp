// What the code of a tool, or of a library it uses, can do to the process that serves.
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <toolwire/error.hpp>

#include "everything/everything.hpp"
#include "everything/pause.hpp"

namespace everything {
namespace {

using namespace toolwire;
using namespace std::chrono_literals;

constexpr std::size_t one_write = 4096;  // as much as a pipe takes in one piece (PIPE_BUF) when it takes anything

struct Flood {
  std::size_t bytes = 1 << 20;
  static constexpr auto describe() { return fields(field<&Flood::bytes>("How much").at_most(256 << 20).optional()); }
};

struct Child {
  double seconds = 0;
  static constexpr auto describe() {
    return fields(field<&Child::seconds>("How long the child lives").between(0, 3600).optional());
  }
};

/// Whether all of it could be written to standard error before the call was stopped: a client need not read it.
bool flood(std::size_t bytes, const std::stop_token& stop) {
  std::string line(one_write - 1, 'e');
  line += '\n';
  while (bytes > 0) {
    pollfd errors{STDERR_FILENO, POLLOUT, 0};
    if (stop.stop_requested()) return false;
    if (::poll(&errors, 1, 20) <= 0) continue;
    const ssize_t written = ::write(STDERR_FILENO, line.data(), std::min(bytes, line.size()));
    if (written <= 0) return false;
    bytes -= std::min(bytes, static_cast<std::size_t>(written));
  }
  return true;
}

std::string print() {
  std::printf("{\"not\":\"from the server\"}\n");
  std::fflush(stdout);
  [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, "stray\n", 6);
  return "printed";
}

/// Starts `echo` and `sleep` with the standard streams of this process, as a careless tool would.
pid_t start_child(double seconds) {
  const std::string script = "echo hi; exec sleep " + std::to_string(seconds);
  std::string shell = "sh", option = "-c", text = script;
  char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t child = -1;
  if (::posix_spawn(&child, "/bin/sh", nullptr, nullptr, arguments, environ) != 0)
    throw ToolError("/bin/sh cannot be started");
  return child;
}

/// The child ends before the call does.
std::string spawn(const Child& wish, Context& context) {
  const pid_t child = start_child(wish.seconds);
  int status = 0;
  bool killed = false;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (pause(context.stop_token(), 5ms)) continue;
    killed = true;
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    break;
  }
  return killed ? "the child was stopped" : "the child has ended";
}

}  // namespace

void add_process_tools(Server& server) {
  add(server, "test_stderr_flood", "Writes so much to standard error", [](const Flood& wish, Context& context) {
    return flood(wish.bytes, context.stop_token()) ? "written" : "not all was written";
  });
  add(server, "test_prints", "Writes to standard output, as a careless library would", print);
  add(server, "test_spawns_child", "Starts a program that writes to standard output", spawn);
}

}  // namespace everything
