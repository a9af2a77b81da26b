#include "attach/own_group.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>

#include "attach/descriptor.hpp"
#include "attach/unix_socket.hpp"

namespace toolwire::attach {
namespace {

constexpr int wait_limit_ms = 2'000;
constexpr int wait_step_ms = 5;

/// A file of /proc, as far as 4 KiB go.
std::string beginning_of(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4'096> bytes{};
  const ssize_t count = file.is_open() ? ::read(file.get(), bytes.data(), bytes.size()) : 0;
  return count > 0 ? std::string(bytes.data(), static_cast<std::size_t>(count)) : std::string();
}

/// Whether a process has one number for everybody. One in a container has a second there, by which somebody outside
/// would mean another process.
bool has_our_numbers(pid_t process) {
  const std::string number = std::to_string(process);
  return beginning_of("/proc/" + number + "/status").find("\nNSpid:\t" + number + "\n") != std::string::npos;
}

bool has_own_systemd() {
  const char* const folder = ::getenv("XDG_RUNTIME_DIR");
  if (folder == nullptr || folder[0] != '/') return false;
  const UnixPeer systemd = connect_to(std::string(folder) + "/systemd/private", SOCK_NONBLOCK);
  return systemd.socket.is_open() && systemd.user == ::geteuid() && has_our_numbers(systemd.process) &&
         has_our_numbers(::getpid());
}

/// Whether `is_so` within the limit.
template <class Condition>
bool comes_true(Condition is_so) {
  for (int waited = 0; waited < wait_limit_ms; waited += wait_step_ms) {
    if (is_so()) return true;
    ::poll(nullptr, 0, wait_step_ms);
  }
  return false;
}

[[noreturn]] void ask_for_scope(const std::string& process) {
  const std::string name = "toolwire-bridge-" + process + ".scope";
  ::execlp("busctl", "busctl", "--user", "--quiet", "--timeout=2", "call", "org.freedesktop.systemd1",
           "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "StartTransientUnit", "ssa(sv)a(sa(sv))",
           name.c_str(), "fail", "4",                                                    //
           "Description", "s", "A bridge that the hosts of this user share (toolwire)",  //
           "CollectMode", "s", "inactive-or-failed", "Delegate", "b", "true",            //
           "PIDs", "au", "1", process.c_str(), "0", static_cast<char*>(nullptr));
  ::_exit(127);
}

bool was_granted() {
  const std::string process = std::to_string(::getpid());
  const pid_t asking = ::fork();
  if (asking == 0) ask_for_scope(process);
  int status = -1;
  if (asking < 0 || comes_true([&] { return ::waitpid(asking, &status, WNOHANG) != 0; }))
    return asking > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  ::kill(asking, SIGKILL);
  ::waitpid(asking, nullptr, 0);
  return false;
}

}  // namespace

void leave_group_of_host() {
  const std::string before = beginning_of("/proc/self/cgroup");
  if (!has_own_systemd() || !was_granted()) return;
  comes_true([&] { return beginning_of("/proc/self/cgroup") != before; });
}

}  // namespace toolwire::attach
