// A control group that is delegated to the test itself, where the machine lets it make one: in most places only root,
// with cgroup v2 and the controllers on.
#pragma once

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "system/delegation.hpp"
#include "system/kernel.hpp"

namespace toolwire_test {

/// Moves the test into the group, which holds the group of a bridge that has ended, and uses the delegation. The
/// destructor moves the test back. One thread.
class DelegatedGroup {
 public:
  DelegatedGroup() {
    toolwire::bridge::kernel_support();  // before the group is made: what it finds is kept for the process
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
      if (line.starts_with("0::/") && line != "0::/") origin_ = "/sys/fs/cgroup" + line.substr(3);
    }
    for (std::filesystem::path above = origin_; above.string().starts_with("/sys/fs/cgroup");
         above = above.parent_path()) {
      if (make_below(above.string())) break;
    }
    if (path_.empty()) return;
    leave_one_behind();
    delegation_ = toolwire::bridge::take_delegation();
  }
  DelegatedGroup(const DelegatedGroup&) = delete;
  DelegatedGroup& operator=(const DelegatedGroup&) = delete;
  ~DelegatedGroup() {
    if (path_.empty()) return;
    write(origin_ + "/cgroup.procs", "0");
    ::rmdir((path_ + "/toolwire-bridge.leaf").c_str());
    ::rmdir(path_.c_str());
  }

  /// Empty where the machine allows none.
  const std::string& path() const { return path_; }
  const toolwire::bridge::Delegation& delegation() const { return delegation_; }
  /// What was left behind, and the process in it, which is our child.
  const std::string& left_behind() const { return left_behind_; }
  pid_t process_left_behind() const { return process_left_behind_; }

 private:
  static bool write(const std::string& file, const std::string& text) {
    std::ofstream stream(file);
    return static_cast<bool>(stream << text << std::flush);
  }

  bool make_below(const std::string& above) {
    std::ifstream controls(above + "/cgroup.subtree_control");
    bool memory = false, pids = false;
    for (std::string word; controls >> word;) {
      memory = memory || word == "memory";
      pids = pids || word == "pids";
    }
    const std::string made = above + "/toolwire-test." + std::to_string(::getpid());
    if (!memory || !pids || ::mkdir(made.c_str(), S_IRWXU) != 0) return false;
    if (!write(made + "/cgroup.procs", "0")) return ::rmdir(made.c_str()) != 0;
    path_ = made;
    return true;
  }

  static pid_t child(bool stays) {
    const pid_t process = ::fork();
    if (process != 0) return process;
    if (!stays) ::_exit(0);
    while (true) ::pause();
  }

  void leave_one_behind() {
    const pid_t gone = child(false);
    ::waitpid(gone, nullptr, 0);
    struct stat space {};
    ::stat("/proc/self/ns/pid", &space);
    left_behind_ = path_ + "/toolwire-run." + std::to_string(space.st_ino) + "." + std::to_string(gone) + ".1";
    ::mkdir(left_behind_.c_str(), S_IRWXU);
    process_left_behind_ = child(true);
    write(left_behind_ + "/cgroup.procs", std::to_string(process_left_behind_));
  }

  std::string origin_ = "/sys/fs/cgroup";
  std::string path_;
  std::string left_behind_;
  pid_t process_left_behind_ = -1;
  toolwire::bridge::Delegation delegation_;
};

}  // namespace toolwire_test
