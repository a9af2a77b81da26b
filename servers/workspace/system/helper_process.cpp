#include "workspace/system/helper_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <exception>
#include <system_error>
#include <utility>

#include "workspace/system/call_frames.hpp"

namespace workspace {
namespace {

using toolwire::system::FileDescriptor;

struct Ends {
  FileDescriptor ours, theirs;
};

Ends connected(int type) {
  int ends[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot talk to a helper");
  return {FileDescriptor{ends[0]}, FileDescriptor{ends[1]}};
}

bool is_gone(pid_t process) { return ::kill(process, 0) != 0; }

/// Returns the processes of calls that may still be there when the server has ended.
std::vector<pid_t> answer_calls(int socket, const HelperWork& work) {
  std::vector<pid_t> calls;
  while (true) {
    const FileDescriptor call{receive_descriptor(socket)};
    if (!call.is_open()) return calls;
    std::erase_if(calls, is_gone);
    const pid_t process = ::fork();
    if (process > 0) calls.push_back(process);
    if (process != 0) continue;  // without a process the call's end is closed, which is the answer
    ::signal(SIGCHLD, SIG_DFL);
    ::close(socket);
    work.answer(call.get());
    ::_exit(0);
  }
}

/// For a time that is bounded, should the kernel not let one go.
void wait_for(std::vector<pid_t> calls) {
  constexpr int rounds = 2000;
  constexpr timespec pause{0, 5'000'000};
  for (int round = 0; round < rounds; ++round) {
    std::erase_if(calls, is_gone);
    if (calls.empty()) return;
    ::nanosleep(&pause, nullptr);
  }
}

[[noreturn]] void serve(int socket, const HelperWork& work) {
  ::setsid();  // a terminal's signals are for the server
  if (::chdir("/") != 0) ::_exit(1);
  ::signal(SIGPIPE, SIG_IGN);  // a program need not read what it is given
  ::signal(SIGCHLD, SIG_IGN);  // the processes of calls vanish when they end
  try {
    std::vector<int> kept = work.prepare();
    kept.push_back(socket);
    close_all_but(std::move(kept));
    wait_for(answer_calls(socket, work));
    if (work.finish) work.finish();
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace

void close_all_but(std::vector<int> kept) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  kept.insert(kept.end(), {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO});
  std::sort(kept.begin(), kept.end());
  constexpr int beyond_all = 4096;
  for (int number = 0; number < beyond_all; ++number) {
    if (!std::binary_search(kept.begin(), kept.end(), number)) ::close(number);
  }
}

HelperProcess HelperProcess::start(const HelperWork& work) {
  Ends ends = connected(SOCK_SEQPACKET);
  HelperProcess made;
  made.process_ = ::fork();
  if (made.process_ == 0) {
    ends.ours.reset();
    serve(ends.theirs.get(), work);
  }
  if (made.process_ < 0) throw std::system_error(errno, std::generic_category(), "no process for a helper");
  made.socket_ = std::move(ends.ours);
  return made;
}

HelperProcess::~HelperProcess() {
  if (!socket_.is_open()) return;
  ::shutdown(socket_.get(), SHUT_RDWR);  // also where another process has this end
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

FileDescriptor HelperProcess::call() const {
  Ends ends = connected(SOCK_STREAM);
  if (!send_descriptor(socket_.get(), ends.theirs.get())) return {};
  return std::move(ends.ours);
}

void ignore_requests_to_end() {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::signal(number, SIG_IGN);
}

void wait_until_hung_up(int descriptor) {
  pollfd waited{descriptor, 0, 0};
  while (::poll(&waited, 1, -1) < 0 && errno == EINTR) {
  }
}

}  // namespace workspace
