#include "workspace/system/descendants.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <toolwire/system/file_descriptor.hpp>

namespace workspace {
namespace {

using toolwire::system::FileDescriptor;

struct Listed {
  Descendant process;
  pid_t parent = 0;
};

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// The fields behind the name, which is in parentheses and may hold anything, are apart by single blanks.
std::uint64_t field(std::string_view fields, int number) {
  for (; number > 0; --number) fields.remove_prefix(std::min(fields.find(' ') + 1, fields.size()));
  std::uint64_t value = 0;
  std::from_chars(fields.data(), fields.data() + fields.size(), value);
  return value;
}

/// Numbers as in proc(5), counted from the state, which is field 3 there.
bool read_process(int proc, const char* name, Listed& into) {
  const std::string path = std::string(name) + "/stat";
  const FileDescriptor file{::openat(proc, path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::array<char, 1024> bytes{};
  const ssize_t size = file.is_open() ? ::read(file.get(), bytes.data(), bytes.size()) : 0;
  const std::string_view stat(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  const std::size_t end = stat.rfind(')');
  if (end == std::string_view::npos || end + 2 >= stat.size()) return false;
  const std::string_view fields = stat.substr(end + 2);
  into.parent = static_cast<pid_t>(field(fields, 1));
  into.process.has_ended = fields.front() == 'Z' || fields.front() == 'X';
  into.process.threads = field(fields, 17);
  into.process.memory = field(fields, 21) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return true;
}

template <class Visit>
void each_process(Visit visit) {
  const std::unique_ptr<DIR, CloseFolder> folder{::opendir("/proc")};
  while (const dirent* const entry = folder ? ::readdir(folder.get()) : nullptr) {
    const std::string_view name(entry->d_name);
    Listed one;
    const auto number = std::from_chars(name.data(), name.data() + name.size(), one.process.id);
    if (number.ec == std::errc() && read_process(::dirfd(folder.get()), entry->d_name, one))
      visit(one, ::dirfd(folder.get()), entry->d_name);
  }
}

bool is_of_user(int proc, const char* name) {
  struct stat about {};
  return ::fstatat(proc, name, &about, 0) == 0 && about.st_uid == ::geteuid();
}

}  // namespace

std::vector<Descendant> descendants() {
  std::vector<Listed> all;
  each_process([&all](const Listed& one, int, const char*) { all.push_back(one); });
  const pid_t self = ::getpid();
  std::set<pid_t> known{self};
  std::vector<Descendant> found;
  for (std::size_t before = 0; before != known.size();) {
    before = known.size();
    for (Listed& one : all) {
      if (known.contains(one.process.id) || !known.contains(one.parent)) continue;
      known.insert(one.process.id);
      one.process.is_child = one.parent == self;
      found.push_back(one.process);
    }
  }
  return found;
}

std::uint64_t threads_of_user() {
  std::uint64_t threads = 0;
  each_process([&threads](const Listed& one, int proc, const char* name) {
    if (is_of_user(proc, name)) threads += one.process.threads;
  });
  return threads;
}

bool adopt_orphans() { return ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0; }

std::size_t end_descendants() {
  constexpr int rounds = 2000;
  constexpr timespec pause{0, 2'000'000};
  std::set<pid_t> ended;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Descendant> all = descendants();
    if (all.empty()) break;
    for (const Descendant& one : all) {
      if (one.has_ended) continue;
      ::kill(one.id, SIGKILL);  // who has to die starts no further process
      ended.insert(one.id);
    }
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    ::nanosleep(&pause, nullptr);
  }
  return ended.size();
}

void collect_ended_but(pid_t kept, const std::vector<Descendant>& of) {
  for (const Descendant& one : of) {
    if (one.is_child && one.has_ended && one.id != kept) ::waitpid(one.id, nullptr, WNOHANG);
  }
}

}  // namespace workspace
