#include "system/control_group.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <system_error>

#include "system/folder_entries.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::string_view prefix = "toolwire-run.";
constexpr int removal_rounds = 400;
constexpr timespec removal_pause{0, 5'000'000};
constexpr int deepest_groups = 32;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// "toolwire-run.NAMESPACE.": a process id means something in its namespace only.
std::string prefix_here() {
  struct stat found {};
  if (::stat("/proc/self/ns/pid", &found) != 0) fail(errno, "cannot name a control group");
  return std::string(prefix) + std::to_string(found.st_ino) + ".";
}

/// "toolwire-run.NAMESPACE.PROCESS.NUMBER"
std::string fresh_path(const std::string& folder) {
  static std::atomic<unsigned long> last = 0;
  return folder + "/" + prefix_here() + std::to_string(::getpid()) + "." + std::to_string(++last);
}

void remove_groups_below(int folder, int depth) {  // NOLINT(misc-no-recursion): bounded
  if (depth == deepest_groups) return;
  for_each_entry(folder, [&](const char* name) {
    const int below = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (below < 0) return;  // a file
    remove_groups_below(below, depth + 1);
    ::close(below);
    ::unlinkat(folder, name, AT_REMOVEDIR);
  });
}

void kill_all(int folder) {
  const int kill = ::openat(folder, "cgroup.kill", O_WRONLY | O_CLOEXEC);
  if (kill < 0) return;
  [[maybe_unused]] const auto written = ::write(kill, "1", 1);
  ::close(kill);
}

int open_group(const char* path) { return ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

}  // namespace

ControlGroup::ControlGroup(const std::string& folder) {
  path_ = fresh_path(folder);
  while (::mkdir(path_.c_str(), S_IRWXU) != 0) {
    if (errno != EEXIST) fail(errno, "cannot make a control group");
    path_ = fresh_path(folder);
  }
}

ControlGroup::ControlGroup(const std::string& folder, const GroupBounds& bounds) : ControlGroup(folder) {
  if (bounds.memory != 0) {
    write_control(path_ + "/memory.max", std::to_string(bounds.memory));
    const std::string swap = path_ + "/memory.swap.max";  // missing where the kernel has no swap
    if (::access(swap.c_str(), F_OK) == 0) write_control(swap, "0");
  }
  if (bounds.processes != 0) write_control(path_ + "/pids.max", std::to_string(bounds.processes));
  const system::FileDescriptor opened(::open((path_ + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  // Above the standard streams, which are replaced by those of the program.
  entrance_.reset(opened.is_open() ? ::fcntl(opened.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1);
  if (!entrance_.is_open()) fail(errno, "cannot open a control group");
}

ControlGroup::~ControlGroup() {
  if (is_ours_) end_control_group(path_.c_str());
}

void kill_control_group(const char* path) {
  const int folder = open_group(path);
  if (folder < 0) return;
  kill_all(folder);
  ::close(folder);
}

void end_control_group(const char* path) {
  const int folder = open_group(path);
  if (folder < 0) return;
  for (int round = 0; round < removal_rounds; ++round) {
    kill_all(folder);
    remove_groups_below(folder, 0);
    if (::rmdir(path) == 0 || errno != EBUSY) break;  // killed processes are in it until they are gone
    ::nanosleep(&removal_pause, nullptr);
  }
  ::close(folder);
}

bool is_group_of_a_bridge(std::string_view name) { return name.starts_with(prefix); }

bool is_left_behind(std::string_view name) {
  const std::string here = prefix_here();
  if (!name.starts_with(here)) return false;
  pid_t process = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + here.size(), end, process);
  if (read.ec != std::errc{} || read.ptr == end || *read.ptr != '.' || process <= 0) return false;
  return process == ::getpid() || (::kill(process, 0) != 0 && errno == ESRCH);
}

void write_control(const std::string& file, std::string_view text) {
  const system::FileDescriptor opened(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (!opened.is_open() || ::write(opened.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    fail(errno, "cannot write \"" + std::string(text) + "\" to " + file);
}

}  // namespace toolwire::bridge
