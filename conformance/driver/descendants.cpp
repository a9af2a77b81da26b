#include "driver/descendants.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace toolwire::conformance {
namespace {

struct Process {
  pid_t parent = 0;
  pid_t session = 0;
  char state = '?';
  bool has_environment = false;  // not while it is becoming another program
};

/// Empty if the process has gone meanwhile.
std::string file_text(const std::string& path) {
  std::string text;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char buffer[4096];
  for (ssize_t count = 0; file >= 0 && (count = ::read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  if (file >= 0) ::close(file);
  return text;
}

/// The fields after the name in parentheses, which may contain anything (proc(5), /proc/pid/stat).
Process read_process(const std::string& folder) {
  const std::string text = file_text(folder + "/stat");
  const std::size_t after_name = text.rfind(')');
  Process process;
  if (after_name == std::string::npos || after_name + 3 > text.size()) return process;
  process.state = text[after_name + 2];
  const char* rest = text.c_str() + after_name + 3;
  const auto next = [&rest] {
    char* behind = nullptr;
    const long value = std::strtol(rest, &behind, 10);
    rest = behind;
    return value;
  };
  process.parent = static_cast<pid_t>(next());
  next();  // the process group
  process.session = static_cast<pid_t>(next());
  for (int field = 7; field < 51; ++field) next();
  process.has_environment = next() != 0;  // where it ends
  return process;
}

struct Processes {
  std::map<pid_t, Process> alive = {};
  std::set<pid_t> ended = {};  // of our children, and nobody has asked for their end
};

Processes all_processes() {
  Processes all;
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry("/proc", ignored), end; entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return c >= '0' && c <= '9'; })) continue;
    Process process = read_process(entry->path().string());
    const pid_t id = std::stoi(name);
    if (process.state == 'Z' && process.parent == ::getpid()) all.ended.insert(id);
    if (process.state != '?' && process.state != 'Z' && process.state != 'X') all.alive[id] = process;
  }
  return all;
}

enum class Carries { yes, no, unknown };

/// Not known of a process that is just becoming another program: the system shows no environment of it then, as of
/// one whose environment is empty.
Carries carries(pid_t process, const std::string& mark) {
  const std::string folder = "/proc/" + std::to_string(process);
  const bool had_environment = read_process(folder).has_environment;
  const std::string environment = file_text(folder + "/environ");
  const bool has_environment = had_environment && read_process(folder).has_environment;
  if (environment.empty()) return has_environment ? Carries::no : Carries::unknown;
  std::string entry = std::string(mark_variable) + "=" + mark;
  entry.push_back('\0');  // so that run 5 is not taken for run 51
  for (std::size_t at = 0; at < environment.size(); at = environment.find('\0', at) + 1) {
    if (environment.compare(at, entry.size(), entry) == 0) return Carries::yes;
    if (environment.find('\0', at) == std::string::npos) break;
  }
  return Carries::no;
}

struct Descendants {
  std::set<pid_t> found = {};
  bool complete = true;  // no orphan is left that may be one
  std::set<pid_t> ended = {};
};

Descendants look_for(pid_t server, const std::string& mark) {
  auto [all, ended] = all_processes();
  Descendants result{.found = {server}, .ended = std::move(ended)};
  for (const auto& [id, process] : all) {
    if (process.session == server) result.found.insert(id);
    if (process.session == server) continue;
    // One whose parent was gone when its turn came has another by now.
    result.complete &= process.parent <= 1 || all.contains(process.parent);
    if (process.parent != ::getpid()) continue;
    const Carries it = carries(id, mark);
    if (it == Carries::yes) result.found.insert(id);
    result.complete &= it != Carries::unknown;
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [id, process] : all)
      grew |= result.found.contains(process.parent) && result.found.insert(id).second;
  }
  result.found.erase(server);
  return result;
}

}  // namespace

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL); }

std::vector<pid_t> descendants_of(pid_t server, const std::string& mark) {
  const auto found = look_for(server, mark).found;
  return {found.begin(), found.end()};
}

void kill_process(pid_t process) { ::kill(process, SIGKILL); }

void kill_descendants(pid_t server, const std::string& mark) {
  using Clock = std::chrono::steady_clock;
  constexpr auto max_time = std::chrono::seconds(5);  // what was killed is there until it had a processor to end on
  constexpr auto max_doubt = std::chrono::milliseconds(250);  // what is not shown to us may belong to somebody else
  const auto began = Clock::now();
  std::set<pid_t> ended;
  for (auto last_found = began; Clock::now() < began + max_time && Clock::now() < last_found + max_doubt;) {
    Descendants left = look_for(server, mark);
    // One that ended while it was looked at may have started another that was not there when the looking began.
    const bool has_new_end = !std::ranges::includes(ended, left.ended);
    ended = std::move(left.ended);
    if (left.found.empty() && left.complete && !has_new_end) return;
    if (!left.found.empty()) last_found = Clock::now();
    for (pid_t process : left.found) {
      kill_process(process);
      ::waitpid(process, nullptr, WNOHANG);  // an orphan we adopted
    }
    ::usleep(1000);
  }
}

std::chrono::microseconds cpu_time_of(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::nanoseconds(time.tv_nsec));
}

std::map<pid_t, std::chrono::microseconds> wanted_cpu_times_of(pid_t process) {
  std::map<pid_t, std::chrono::microseconds> times;
  std::error_code gone;
  const std::filesystem::directory_iterator threads("/proc/" + std::to_string(process) + "/task", gone);
  for (const auto& thread : gone ? std::filesystem::directory_iterator() : threads) {
    // What it ran, what it waited, and how often it ran, in nanoseconds (Documentation/scheduler/sched-stats).
    const std::string text = file_text((thread.path() / "schedstat").string());
    char* behind = nullptr;
    const std::chrono::nanoseconds ran(std::strtoll(text.c_str(), &behind, 10));
    const std::chrono::nanoseconds waited(std::strtoll(behind, nullptr, 10));
    times[std::stoi(thread.path().filename())] = std::chrono::duration_cast<std::chrono::microseconds>(ran + waited);
  }
  return times;
}

}  // namespace toolwire::conformance
