#include "bench/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace toolwire::bench {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a signal handler sees nothing else
volatile sig_atomic_t overdue_child = 0;

extern "C" void kill_overdue_child(int /*signal*/) {
  if (overdue_child > 0) ::kill(overdue_child, SIGKILL);
}

[[noreturn]] void fail(int error, const char* what) { throw std::system_error(error, std::generic_category(), what); }

void arm_alarm(pid_t child, std::chrono::seconds lifetime) {
  struct sigaction action {};
  action.sa_handler = kill_overdue_child;
  ::sigaction(SIGALRM, &action, nullptr);
  overdue_child = child;
  ::alarm(static_cast<unsigned>(lifetime.count()));
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno, "pipe");
  return ends;
}

}  // namespace

std::vector<std::string> split_command(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (const char c : command) {
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      open = true;
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      if (open) words.push_back(std::exchange(word, {}));
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (quote != 0) throw std::invalid_argument("a quote is not closed in the command: " + command);
  if (open) words.push_back(word);
  if (words.empty()) throw std::invalid_argument("expected a command, found nothing");
  return words;
}

Child::Child(const std::vector<std::string>& arguments, std::chrono::seconds lifetime, bool show_stderr) {
  const auto in = make_pipe();
  const auto out = make_pipe();
  to_child_ = in[1];
  from_child_ = out[0];
  // The two ends of a pipe are separate descriptions: this does not reach the child.
  ::fcntl(to_child_, F_SETFL, O_WRONLY | O_NONBLOCK);
  spawn(arguments, in[0], out[1], show_stderr);
  ::close(in[0]);
  ::close(out[1]);
  arm_alarm(pid_, lifetime);
}

void Child::spawn(const std::vector<std::string>& arguments, int child_in, int child_out, bool show_stderr) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, child_in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, child_out, STDOUT_FILENO);
  if (!show_stderr) ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);

  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t reset;
  ::sigemptyset(&reset);
  ::sigaddset(&reset, SIGPIPE);  // the driver ignores it; a server starts with the default
  ::posix_spawnattr_setsigdefault(&attributes, &reset);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> words = arguments;
  std::vector<char*> argv(words.size() + 1);  // the last one ends it
  std::ranges::transform(words, argv.begin(), [](std::string& word) { return word.data(); });
  const int error = ::posix_spawnp(&pid_, argv[0], &actions, &attributes, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (error == 0) return;
  for (const int descriptor : {to_child_, from_child_, child_in, child_out}) ::close(descriptor);
  fail(error, argv[0]);
}

Child::~Child() {
  kill();
  close_input();
  ::close(from_child_);
}

void Child::close_input() {
  if (to_child_ >= 0) ::close(std::exchange(to_child_, -1));
}

bool Child::wait_for_exit(std::chrono::milliseconds limit) {
  if (pid_ < 0) return true;
  // By number: the header of glibc 2.36 declares pidfd_open without C linkage.
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  if (process < 0) fail(errno, "pidfd_open");
  struct pollfd ended = {process, POLLIN, 0};
  const int ready = ::poll(&ended, 1, static_cast<int>(limit.count()));
  ::close(process);
  if (ready <= 0) return false;
  reap();
  return true;
}

void Child::kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  reap();
}

void Child::reap() {
  overdue_child = 0;
  ::alarm(0);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
  pid_ = -1;
}

double Child::cpu_microseconds() const {
  clockid_t clock{};
  struct timespec used {};
  if (pid_ < 0 || ::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

Footprint Child::footprint() const {
  Footprint result;
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(status, line);) {
    const auto number = [&line](std::size_t name_length) { return std::strtod(line.c_str() + name_length, nullptr); };
    if (line.starts_with("VmRSS:")) result.resident_mb = number(6) * 1024 / 1e6;
    if (line.starts_with("VmHWM:")) result.peak_mb = number(6) * 1024 / 1e6;
    if (line.starts_with("Threads:")) result.threads = static_cast<int>(number(8));
  }
  return result;
}

OneCpu::OneCpu() : before_(sizeof(cpu_set_t)) {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) fail(errno, "sched_getaffinity");
  std::memcpy(before_.data(), &allowed, sizeof allowed);
  std::size_t last = CPU_SETSIZE - 1;  // the first CPU serves most interrupts
  while (last > 0 && !CPU_ISSET(last, &allowed)) --last;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  if (::sched_setaffinity(0, sizeof one, &one) != 0) fail(errno, "sched_setaffinity");
}

OneCpu::~OneCpu() {
  cpu_set_t before;
  std::memcpy(&before, before_.data(), sizeof before);
  ::sched_setaffinity(0, sizeof before, &before);
}

}  // namespace toolwire::bench
