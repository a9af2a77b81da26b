#include "attach/daemon.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>

#include "attach/own_folder.hpp"
#include "attach/own_group.hpp"
#include "attach/unix_socket.hpp"

namespace toolwire::attach {
namespace {

constexpr long wait_limit_ms = 30'000;
constexpr long patience_with_others_ms = 5'000;
constexpr long shortest_wait_ms = 2;
constexpr long longest_wait_ms = 50;
constexpr int longest_end_ms = 500;
constexpr std::size_t shown_of_log = 2'048;

std::string error_text(const std::string& what) { return what + ": " + std::strerror(errno); }

/// Not open if the kernel has no such thing, or the process is out of sight.
Descriptor process_of(pid_t id) {
  return Descriptor(id > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, id, 0U)) : -1);
}

/// Open, or nothing with errno and, if it is not for want of a daemon, with what the trouble is.
Connection connect(const std::string& path) {
  UnixPeer peer = connect_to(path);
  errno = peer.error;
  if (errno == ENAMETOOLONG) return {{}, {}, "the name of the socket is too long: " + path};
  if (errno != 0) {
    const bool nobody_listens = errno == ENOENT || errno == ECONNREFUSED;
    return {{}, {}, nobody_listens ? std::string() : error_text("cannot connect to " + path)};
  }
  if (peer.user != ::geteuid()) return {{}, {}, "another user listens on " + path};
  return {std::move(peer.socket), process_of(peer.process), {}, peer.process};
}

/// Does not wait for who reads a FIFO, which is none of those that are expected.
Descriptor open_own(const std::string& path, int how) {
  return Descriptor(::open(path.c_str(), how | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR));
}

/// In the forked process: it inherits nothing of the host, whose pipes would never end otherwise.
[[noreturn]] void become(const Daemon& daemon, int log) {
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  if (::syscall(SYS_close_range, 3U, ~0U, 0U) != 0) {
    for (int one = 3; one < 1'024; ++one) ::close(one);
  }
  for (const int number : {SIGCHLD, SIGPIPE, SIGTERM, SIGINT, SIGHUP}) std::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  leave_group_of_host();
  ::execv(daemon.command[0], daemon.command);
  constexpr std::string_view said = "toolwire-attach: the program of the daemon cannot be executed\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, said.data(), said.size());
  ::_exit(127);
}

void sleep_for(long milliseconds) {
  const timespec time{milliseconds / 1'000, milliseconds % 1'000 * 1'000'000};
  ::nanosleep(&time, nullptr);
}

/// Waits for whoever starts the daemon now; one who was stopped meanwhile is told of. False with errno.
bool take_lock(const Descriptor& lock, const std::string& path) {
  long pause = shortest_wait_ms;
  for (long waited = 0; waited < patience_with_others_ms;
       waited += pause, pause = std::min(2 * pause, longest_wait_ms)) {
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    sleep_for(pause);
  }
  std::fprintf(stderr, "toolwire-attach: another process has been starting the bridge for %ld s, and holds %s\n",
               patience_with_others_ms / 1'000, path.c_str());
  while (::flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

/// The last of what a daemon that did not come up has said.
std::string last_words(const Daemon& daemon, off_t from) {
  const Descriptor log(::open(daemon.log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat about {};
  if (!log.is_open() || ::fstat(log.get(), &about) != 0) return {};
  std::array<char, shown_of_log> bytes{};
  const off_t begin = std::max(from, about.st_size - static_cast<off_t>(bytes.size()));
  const ssize_t count = ::pread(log.get(), bytes.data(), bytes.size(), begin);
  return count > 0 ? std::string(bytes.data(), static_cast<std::size_t>(count)) : std::string();
}

std::string status_text(int status) {
  return WIFSIGNALED(status) ? "was killed by signal " + std::to_string(WTERMSIG(status))
                             : "ended with status " + std::to_string(WEXITSTATUS(status));
}

/// Until it listens or has ended.
Connection wait_for(const Daemon& daemon, pid_t process, off_t log_before) {
  long pause = shortest_wait_ms;
  for (long waited = 0; waited < wait_limit_ms; waited += pause, pause = std::min(2 * pause, longest_wait_ms)) {
    int status = 0;
    const bool has_ended = ::waitpid(process, &status, WNOHANG) == process;
    Connection made = connect(daemon.socket);
    if (made.socket.is_open() || !made.trouble.empty()) return made;
    if (has_ended)
      return {
          {}, {}, "the daemon " + status_text(status) + " at its start; it said:\n" + last_words(daemon, log_before)};
    sleep_for(pause);
  }
  return {{}, {}, "the daemon, process " + std::to_string(process) + ", does not listen; its log: " + daemon.log};
}

Connection start(const Daemon& daemon) {
  const Descriptor log = open_own(daemon.log, O_WRONLY | O_APPEND);
  if (!log.is_open()) return {{}, {}, error_text("cannot write to the log " + daemon.log)};
  const off_t log_before = ::lseek(log.get(), 0, SEEK_END);
  std::signal(SIGCHLD, SIG_DFL);
  const pid_t process = ::fork();
  if (process < 0) return {{}, {}, error_text("cannot start the daemon")};
  if (process == 0) become(daemon, log.get());
  Connection made = wait_for(daemon, process, log_before);
  std::signal(SIGCHLD, SIG_IGN);         // from now on nobody has to collect it …
  ::waitpid(process, nullptr, WNOHANG);  // … unless it has ended before this
  if (made.socket.is_open())
    std::fprintf(stderr, "toolwire-attach: started a bridge, process %d, whose log is %s\n", static_cast<int>(process),
                 daemon.log.c_str());
  return made;
}

}  // namespace

void wait_for_end(const Descriptor& process) {
  pollfd end{process.get(), POLLIN, 0};
  if (process.is_open()) ::poll(&end, 1, longest_end_ms);
}

Connection connect_or_start(const Daemon& daemon) {
  if (std::string wrong = wrong_with_folder(folder_of(daemon.socket)); !wrong.empty())
    return {{}, {}, std::move(wrong)};
  Connection made = connect(daemon.socket);
  if (made.socket.is_open() || !made.trouble.empty()) return made;
  if (daemon.command == nullptr) return {{}, {}, "nobody listens on " + daemon.socket};
  const std::string lock_path = daemon.socket + ".lock";
  const Descriptor lock = open_own(lock_path, O_RDWR);
  if (!lock.is_open()) return {{}, {}, error_text("cannot use " + lock_path)};
  if (!take_lock(lock, lock_path)) return {{}, {}, error_text("cannot lock " + lock_path)};
  made = connect(daemon.socket);
  if (made.socket.is_open() || !made.trouble.empty()) return made;
  return start(daemon);
}

}  // namespace toolwire::attach
