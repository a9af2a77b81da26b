#include "driver/descendants.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace toolwire::conformance {
namespace {

struct Process {
  pid_t parent = 0;
  pid_t session = 0;
  char state = '?';
  unsigned long ticks = 0;
};

/// Empty if the process has gone meanwhile.
std::string file_text(const std::string& path) {
  std::string text;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char buffer[4096];
  for (ssize_t count; file >= 0 && (count = ::read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  if (file >= 0) ::close(file);
  return text;
}

/// The fields after the name in parentheses, which may contain anything (proc(5), /proc/pid/stat).
Process read_process(const std::string& folder) {
  const std::string text = file_text(folder + "/stat");
  const std::size_t after_name = text.rfind(')');
  Process process;
  if (after_name == std::string::npos) return process;
  std::istringstream fields(text.substr(after_name + 1));
  long skipped = 0;
  unsigned long user = 0;
  unsigned long system = 0;
  fields >> process.state >> process.parent >> skipped >> process.session;
  for (int field = 7; field <= 13; ++field) fields >> skipped;
  fields >> user >> system;
  process.ticks = user + system;
  return process;
}

std::map<pid_t, Process> all_processes() {
  std::map<pid_t, Process> all;
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry("/proc", ignored), end; entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return c >= '0' && c <= '9'; })) continue;
    Process process = read_process(entry->path().string());
    if (process.state != '?' && process.state != 'Z' && process.state != 'X') all[std::stoi(name)] = process;
  }
  return all;
}

bool carries(pid_t process, const std::string& mark) {
  const std::string entry = std::string(mark_variable) + "=" + mark;
  const std::string environment = file_text("/proc/" + std::to_string(process) + "/environ");
  for (std::size_t at = 0; at < environment.size(); at = environment.find('\0', at) + 1) {
    if (environment.compare(at, entry.size(), entry) == 0) return true;
    if (environment.find('\0', at) == std::string::npos) break;
  }
  return false;
}

}  // namespace

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL); }

std::vector<pid_t> descendants_of(pid_t server, const std::string& mark) {
  const auto all = all_processes();
  std::set<pid_t> found{server};
  for (const auto& [id, process] : all) {
    if (process.session == server || (process.parent == ::getpid() && carries(id, mark))) found.insert(id);
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [id, process] : all) grew |= found.contains(process.parent) && found.insert(id).second;
  }
  found.erase(server);
  return {found.begin(), found.end()};
}

void kill_descendants(pid_t server, const std::string& mark) {
  for (int round = 0; round < 50; ++round) {
    const auto left = descendants_of(server, mark);
    if (left.empty()) return;
    for (pid_t process : left) {
      ::kill(process, SIGKILL);
      ::waitpid(process, nullptr, WNOHANG);  // an orphan we adopted
    }
    ::usleep(1000);
  }
}

std::chrono::milliseconds cpu_time_of(pid_t process) {
  const auto ticks = static_cast<long>(read_process("/proc/" + std::to_string(process)).ticks);
  return std::chrono::milliseconds(ticks * 1000 / ::sysconf(_SC_CLK_TCK));
}

}  // namespace toolwire::conformance
