#include "workspace/system/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <toolwire/system/file_descriptor.hpp>

namespace workspace {
namespace {

using toolwire::system::FileDescriptor;

// Newer than the headers of some systems we build on; the numbers are part of the kernel's interface.
constexpr std::uint64_t truncate_right = 1ULL << 14;
constexpr std::uint64_t ioctl_device_right = 1ULL << 15;
constexpr std::uint64_t tcp_rights = 3;  // bind, connect

struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
};

constexpr std::uint64_t read_rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t write_rights =
    read_rights | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER | truncate_right;
constexpr std::uint64_t file_rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | truncate_right;

// All rights this version of Landlock can withhold.
Ruleset everything_of(long version) {
  constexpr std::uint64_t first = (1ULL << 13) - 1;
  Ruleset all{first, 0};
  if (version >= 2) all.files |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) all.files |= truncate_right;
  if (version >= 4) all.network = tcp_rights;
  if (version >= 5) all.files |= ioctl_device_right;
  return all;
}

std::string failed(const std::string& what) { return what + ": " + std::strerror(errno); }

std::string allow(int ruleset, const std::string& path, std::uint64_t rights) {
  const FileDescriptor place{::open(path.c_str(), O_PATH | O_CLOEXEC)};
  landlock_path_beneath_attr rule{};
  rule.allowed_access = rights;
  rule.parent_fd = place.get();
  const bool added =
      place.is_open() && ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  return added ? std::string() : failed("Landlock cannot allow " + path);
}

std::string allow_all(int ruleset, const Allowed& allowed, std::uint64_t known) {
  struct Group {
    const std::vector<std::string>& paths;
    std::uint64_t rights;
  };
  for (const Group& group :
       {Group{allowed.read, read_rights}, Group{allowed.write, write_rights}, Group{allowed.append, file_rights}}) {
    for (const std::string& path : group.paths) {
      if (std::string problem = allow(ruleset, path, group.rights & known); !problem.empty()) return problem;
    }
  }
  return {};
}

}  // namespace

std::string confine_process(const Allowed& allowed) {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return failed("this kernel or sandbox has no Landlock");
  if (version < 2 && !allowed.write.empty())
    return "this kernel's Landlock cannot allow moving files between directories (Linux 5.19 can)";
  for (const std::string& path : allowed.append) {
    const FileDescriptor made{
        ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600)};
    if (!made.is_open()) return failed("cannot write to " + path);
  }
  const Ruleset all = everything_of(version);
  const std::size_t size = version >= 4 ? sizeof all : sizeof all.files;
  const FileDescriptor ruleset{static_cast<int>(::syscall(SYS_landlock_create_ruleset, &all, size, 0))};
  if (!ruleset.is_open()) return failed("Landlock refuses a set of rules");
  if (std::string problem = allow_all(ruleset.get(), allowed, all.files); !problem.empty()) return problem;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("the process cannot give up new privileges");
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) return failed("Landlock refuses to confine");
  return {};
}

}  // namespace workspace
