#include "workspace/system/confine_process.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/landlock.hpp>

namespace workspace {
namespace {

using toolwire::system::FileRights;
using toolwire::system::LandlockRules;

constexpr toolwire::system::LandlockRestrictions everything{
    .files = {.read = true, .change = true, .devices = true, .execute = true}, .tcp = true};

std::string failed(const std::string& what) { return what + ": " + std::strerror(errno); }

std::string make_appended_files(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const toolwire::system::FileDescriptor made{
        ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600)};
    if (!made.is_open()) return failed("cannot write to " + path);
  }
  return {};
}

// Throws std::system_error.
void allow_all(LandlockRules& rules, const Allowed& allowed) {
  struct Group {
    const std::vector<std::string>& paths;
    FileRights rights;
  };
  constexpr FileRights changes{.read = true, .change = true};
  for (const Group& group :
       {Group{allowed.read, {.read = true}}, Group{allowed.write, changes}, Group{allowed.append, changes}}) {
    for (const std::string& path : group.paths) rules.allow(path, group.rights);
  }
}

}  // namespace

std::string confine_process(const Allowed& allowed) {
  const int version = toolwire::system::landlock_version();
  if (version < 1) return failed("this kernel or sandbox has no Landlock");
  if (version < 2 && !allowed.write.empty())
    return "this kernel's Landlock cannot allow moving files between directories (Linux 5.19 can)";
  if (std::string problem = make_appended_files(allowed.append); !problem.empty()) return problem;
  try {
    LandlockRules rules{everything, version};
    allow_all(rules, allowed);
    if (!toolwire::system::give_up_new_privileges()) return failed("the process cannot give up new privileges");
    if (!toolwire::system::enforce_landlock(rules.rules().get())) return failed("Landlock refuses to confine");
  } catch (const std::system_error& error) {
    return std::string("Landlock: ") + error.what();
  }
  return {};
}

bool bound_to(__rlimit_resource resource, std::uint64_t most) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) return false;
  const rlim_t both = std::min<rlim_t>(most, now.rlim_max);
  const rlimit bounds{both, both};
  return ::setrlimit(resource, &bounds) == 0;
}

}  // namespace workspace
