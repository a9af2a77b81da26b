// toolwire-attach: standard input and output of a host on one side, a daemon that many hosts share on the other. Starts
// the daemon if there is none. `toolwire-bridge attach` says which daemon that is.
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <malloc.h>

#include "attach/daemon.hpp"
#include "attach/relay.hpp"

namespace {

constexpr int large_memory = 32 << 10;  // is given back to the system as soon as it is not needed

constexpr const char* help =
    "Passes standard input and output on to a daemon that listens on a Unix socket, and starts it if there is none.\n\n"
    "Usage: toolwire-attach --socket PATH [--log PATH -- PROGRAM [ARGUMENT…]]\n\n"
    "  --socket PATH  Where the daemon listens, in a folder for its user alone\n"
    "  --log PATH     Where a daemon that is started writes to as its standard error\n"
    "  PROGRAM        What the daemon is, an absolute path; without it none is started\n";

/// Moves the environment away from where the system shows it to other processes: it may hold secrets, and the daemon
/// gets it.
void hide_environment() {
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    char* const copy = ::strdup(*entry);
    if (copy == nullptr) continue;
    ::explicit_bzero(*entry, std::strlen(*entry));
    *entry = copy;
  }
}

/// What is closed becomes /dev/null, so that no socket is taken for a stream of the host.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDWR);  // the lowest that is free
  }
}

int mistake(const char* what) {
  std::fprintf(stderr, "toolwire-attach: %s; see --help\n", what);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  hide_environment();
  ::mallopt(M_MMAP_THRESHOLD, large_memory);
  ::mallopt(M_TRIM_THRESHOLD, large_memory);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);  // the daemon belongs to nobody who ends
  toolwire::attach::Daemon daemon;
  for (int at = 1; at < argc; ++at) {
    const std::string_view word = argv[at];
    if (word == "--help") return std::fputs(help, stdout) < 0 ? 1 : 0;
    if (word == "--version") return std::printf("toolwire-attach %s\n", TOOLWIRE_VERSION) < 0 ? 1 : 0;
    if (word == "--") {
      daemon.command = argv + at + 1;
      break;
    }
    if (at + 1 == argc || (word != "--socket" && word != "--log"))
      return mistake("expected --socket PATH, or --log PATH");
    (word == "--log" ? daemon.log : daemon.socket) = argv[++at];
  }
  if (daemon.socket.empty()) return mistake("expected --socket PATH");
  if ((daemon.command == nullptr) != daemon.log.empty()) return mistake("expected --log and a program together");
  if (daemon.command != nullptr && (daemon.command[0] == nullptr || daemon.command[0][0] != '/'))
    return mistake("expected the program of the daemon behind \"--\", an absolute path");
  return toolwire::attach::Relay(daemon).run();
}
