#include "system/delegation.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "system/control_group.hpp"
#include "system/folder_entries.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::string_view leaf_name = "toolwire-bridge.leaf";

/// The reason, in words that continue "limits.processes: ".
struct NotDelegated : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<std::string> words_in(const std::string& file) {
  std::ifstream stream(file);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

bool has_both_controllers(const std::string& file) {
  const auto names = words_in(file);
  return std::ranges::count(names, "memory") != 0 && std::ranges::count(names, "pids") != 0;
}

/// This process's place among control groups of version 2: "/user.slice/…".
std::string own_path(const ControlGroupPlaces& places) {
  constexpr std::string_view version_2 = "0::";
  std::ifstream stream(places.own);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(version_2)) continue;
    std::string path = line.substr(version_2.size());
    // The group is outside of what this process sees, or was removed.
    if (path.find("/..") != path.npos || path.ends_with(" (deleted)")) break;
    return path == "/" ? "" : path;
  }
  throw NotDelegated("the bridge is in no control group of version 2");
}

/// "36 25 0:31 ROOT POINT OPTIONS … - cgroup2 SOURCE OPTIONS": where `path` is in that mount, if it is.
std::optional<std::string> place_in_mount(const std::string& line, const std::string& path) {
  if (line.find(" - cgroup2 ") == line.npos) return std::nullopt;
  std::istringstream words(line);
  std::string ignored, root, point;
  words >> ignored >> ignored >> ignored >> root >> point;
  if (point.find('\\') != point.npos) return std::nullopt;  // a name with spaces, which is not used
  if (root == "/") return point + path;
  const bool is_below = path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
  return is_below ? std::optional(point + path.substr(root.size())) : std::nullopt;
}

std::string own_group(const ControlGroupPlaces& places) {
  const std::string path = own_path(places);
  std::ifstream stream(places.mounts);
  for (std::string line; std::getline(stream, line);) {
    if (const auto found = place_in_mount(line, path)) return *found;
  }
  throw NotDelegated("control groups of version 2 are not mounted");
}

/// The topmost group of the machine has no type and is the only one that may hold processes beside groups.
bool is_top(const std::string& group) { return ::access((group + "/cgroup.type").c_str(), F_OK) != 0; }

/// systemd treats groups it has not delegated as its own, even if others may write to them, and resets them at any
/// time.
void refuse_what_systemd_keeps(const std::string& group) {
  if (!group.ends_with(".service") && !group.ends_with(".scope") && !group.ends_with(".slice")) return;
  for (const char* const mark : {"user.delegate", "trusted.delegate"}) {
    char value = 0;
    if (::getxattr(group.c_str(), mark, &value, sizeof value) == 1 && value == '1') return;
  }
  throw NotDelegated("systemd has not delegated the bridge's control group (Delegate=yes) to it");
}

void refuse_what_others_use(const std::string& group) {
  if (words_in(group + "/cgroup.procs") != std::vector{std::to_string(::getpid())})
    throw NotDelegated("other processes are in the bridge's control group");
  const system::FileDescriptor folder(::open(group.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  bool has_others = !folder.is_open();
  for_each_entry(folder.get(), [&](const char* name) {
    struct stat found {};
    const bool is_group = ::fstatat(folder.get(), name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(found.st_mode);
    has_others = has_others || (is_group && name != leaf_name && !is_group_of_a_bridge(name));
  });
  if (has_others) throw NotDelegated("there are other groups below the bridge's control group");
}

void refuse_unless_writable(const std::string& group) {
  for (const char* const file : {"", "/cgroup.procs", "/cgroup.subtree_control"}) {
    if (::access((group + file).c_str(), W_OK) != 0)
      throw NotDelegated("the bridge may not change its control group: " + std::generic_category().message(errno));
  }
}

/// A group whose subgroups have controllers cannot hold processes (except the topmost), so the bridge has to leave its
/// own before it can use it. It does so only where it is alone in it, because it must not move other processes. Moves
/// back unless it is kept.
class Leaf {
 public:
  explicit Leaf(const std::string& group) : group_(group), path_(group + "/" + std::string(leaf_name)) {
    if (::mkdir(path_.c_str(), S_IRWXU) != 0 && errno != EEXIST)
      throw std::system_error(errno, std::generic_category(), "cannot make a control group");
  }
  Leaf(const Leaf&) = delete;
  Leaf& operator=(const Leaf&) = delete;
  ~Leaf() {
    if (!is_kept_) leave();
  }

  void enter() {
    write_control(path_ + "/cgroup.procs", "0");
    write_control(group_ + "/cgroup.subtree_control", "+memory +pids");
  }
  void keep() { is_kept_ = true; }

 private:
  void leave() noexcept {
    try {
      write_control(group_ + "/cgroup.subtree_control", "-memory -pids");
    } catch (const std::exception&) {  // they were not switched on
    }
    try {
      write_control(group_ + "/cgroup.procs", "0");
    } catch (const std::exception&) {  // it had not moved
    }
    ::rmdir(path_.c_str());
  }

  const std::string& group_;
  const std::string path_;
  bool is_kept_ = false;
};

void remove_left_behind(const std::string& group) {
  const system::FileDescriptor folder(::open(group.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::vector<std::string> left;
  for_each_entry(folder.get(), [&](const char* name) {
    if (is_left_behind(name)) left.push_back(group + "/" + name);
  });
  for (const std::string& path : left) end_control_group(path.c_str());
}

void try_out(const std::string& group) {
  const ControlGroup tried(group, {.memory = std::uint64_t{1} << 30, .processes = 16});
}

/// Enables no controller at the top: that would affect the whole machine.
void take_top(const std::string& group) {
  if (!has_both_controllers(group + "/cgroup.subtree_control"))
    throw NotDelegated("the bridge is in the topmost control group, where memory and pids are not switched on");
  try_out(group);
}

void take_own(const std::string& group) {
  if (words_in(group + "/cgroup.type") != std::vector<std::string>{"domain"})
    throw NotDelegated("the bridge's control group is one of threads");
  refuse_what_systemd_keeps(group);
  refuse_what_others_use(group);
  Leaf leaf(group);
  leaf.enter();
  try_out(group);
  leaf.keep();
}

void take(const std::string& group) {
  if (!has_both_controllers(group + "/cgroup.controllers"))
    throw NotDelegated("the controllers memory and pids are not there for the bridge's control group");
  refuse_unless_writable(group);
  is_top(group) ? take_top(group) : take_own(group);
  remove_left_behind(group);
}

}  // namespace

Delegation take_delegation(const ControlGroupPlaces& places) {
  try {
    const std::string group = own_group(places);
    take(group);
    return {.folder = group};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {.why_not = error.what()};
  }
}

}  // namespace toolwire::bridge
