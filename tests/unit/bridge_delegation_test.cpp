#include "system/delegation.hpp"

#define BOOST_TEST_MODULE whether control groups are delegated to the bridge
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <fstream>
#include <functional>

#include "scratch_folder.hpp"

namespace {

using toolwire::bridge::ControlGroupPlaces;
using toolwire::bridge::Delegation;
using toolwire::bridge::take_delegation;
using toolwire_test::ScratchFolder;

/// Plain files that look as the system's do where everything is given: below "mount", the bridge in "own". They do
/// nothing, so that a group that is made has no files of control: what is tried out in the end is missed.
class MadeUpSystem {
 public:
  MadeUpSystem() {
    folder_.file("mounts", "30 20 0:26 / " + mount() + " rw - cgroup2 cgroup2 rw\n");
    folder_.file("groups", "4:memory:/elsewhere\n0::/own\n");
    folder_.file("mount/own/cgroup.controllers", "cpu memory pids\n");
    folder_.file("mount/own/cgroup.subtree_control", "");
    folder_.file("mount/own/cgroup.type", "domain\n");
    folder_.file("mount/own/cgroup.procs", std::to_string(::getpid()) + "\n");
    folder_.file("mount/own/toolwire-bridge.leaf/cgroup.procs", "");
  }

  const ScratchFolder& folder() const { return folder_; }
  std::string mount() const { return folder_.text() + "/mount"; }
  std::string content(const char* file) const {
    std::ifstream stream(folder_ / file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  Delegation take() const {
    return take_delegation({.mounts = (folder_ / "mounts").string(), .own = (folder_ / "groups").string()});
  }

 private:
  ScratchFolder folder_;
};

/// Why nothing is taken, after one thing has been changed; that nothing was moved or switched on is checked here.
std::string reason_after(const std::function<void(const ScratchFolder&)>& change) {
  const MadeUpSystem system;
  change(system.folder());
  const std::string switched_on = system.content("mount/own/cgroup.subtree_control");
  const Delegation delegation = system.take();
  BOOST_TEST(delegation.folder == "");
  BOOST_TEST(system.content("mount/own/cgroup.subtree_control") == switched_on);
  BOOST_TEST(system.content("mount/own/toolwire-bridge.leaf/cgroup.procs") == "");
  return delegation.why_not;
}

std::string reason_with(const char* file, const std::string& content) {
  return reason_after([&](const ScratchFolder& folder) { folder.file(file, content); });
}

std::string reason_without(const char* file) {
  return reason_after([&](const ScratchFolder& folder) { std::filesystem::remove(folder / file); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_system_without_control_groups_of_version_2_delegates_none) {
  BOOST_TEST(reason_with("groups", "4:memory:/own\n1:name=systemd:/own\n") ==
             "the bridge is in no control group of version 2");
  BOOST_TEST(reason_without("groups") == "the bridge is in no control group of version 2");
  const std::string other = "30 20 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
  BOOST_TEST(reason_with("mounts", other) == "control groups of version 2 are not mounted");
  BOOST_TEST(reason_without("mounts") == "control groups of version 2 are not mounted");
}

BOOST_AUTO_TEST_CASE(a_group_that_is_out_of_sight_is_not_taken) {
  BOOST_TEST(reason_with("groups", "0::/../own\n") == "the bridge is in no control group of version 2");
  BOOST_TEST(reason_with("groups", "0::/own (deleted)\n") == "the bridge is in no control group of version 2");
  const auto mount_of = [](const ScratchFolder& folder, const std::string& root) {
    folder.file("mounts", "30 20 0:26 " + root + " " + folder.text() + "/mount rw - cgroup2 cgroup2 rw\n");
  };
  BOOST_TEST(reason_after([&](const ScratchFolder& folder) { mount_of(folder, "/ow"); }) ==
             "control groups of version 2 are not mounted");
}

BOOST_AUTO_TEST_CASE(a_group_without_the_controllers_is_not_taken) {
  const std::string expected = "the controllers memory and pids are not there for the bridge's control group";
  BOOST_TEST(reason_with("mount/own/cgroup.controllers", "cpu memory\n") == expected);
  BOOST_TEST(reason_with("mount/own/cgroup.controllers", "cpu pids memory2\n") == expected);
  BOOST_TEST(reason_without("mount/own/cgroup.controllers") == expected);
}

BOOST_AUTO_TEST_CASE(a_group_with_other_processes_or_groups_is_not_taken) {
  const std::string others = "other processes are in the bridge's control group";
  BOOST_TEST(reason_with("mount/own/cgroup.procs", std::to_string(::getpid()) + "\n1\n") == others);
  BOOST_TEST(reason_with("mount/own/cgroup.procs", "0\n") == others);
  BOOST_TEST(reason_with("mount/own/cgroup.procs", "") == others);
  BOOST_TEST(reason_with("mount/own/another/cgroup.procs", "") ==
             "there are other groups below the bridge's control group");
}

BOOST_AUTO_TEST_CASE(a_group_of_threads_is_not_taken) {
  BOOST_TEST(reason_with("mount/own/cgroup.type", "domain threaded\n") ==
             "the bridge's control group is one of threads");
}

BOOST_AUTO_TEST_CASE(a_group_that_may_not_be_changed_is_not_taken) {
  BOOST_TEST(reason_without("mount/own/cgroup.subtree_control").starts_with("the bridge may not change its control"));
}

BOOST_AUTO_TEST_CASE(a_group_that_systemd_keeps_is_not_taken) {
  for (const char* const name : {"own.scope", "own.service", "own.slice"}) {
    const std::string reason = reason_after([&](const ScratchFolder& folder) {
      std::filesystem::copy(folder / "mount/own", folder / "mount" / name, std::filesystem::copy_options::recursive);
      folder.file("groups", std::string("0::/") + name + "\n");
    });
    BOOST_TEST(reason == "systemd has not delegated the bridge's control group (Delegate=yes) to it");
  }
}

BOOST_AUTO_TEST_CASE(at_the_top_nothing_is_switched_on) {
  BOOST_TEST(reason_without("mount/own/cgroup.type") ==
             "the bridge is in the topmost control group, where memory and pids are not switched on");
}

BOOST_AUTO_TEST_CASE(what_was_done_is_undone_where_a_group_cannot_be_tried_out) {
  const MadeUpSystem system;
  const Delegation delegation = system.take();
  BOOST_TEST(delegation.folder == "");
  BOOST_TEST(delegation.why_not.find("memory.max") != std::string::npos, delegation.why_not);
  // The last that was written: the controllers are off again, and the bridge is back.
  BOOST_TEST(system.content("mount/own/cgroup.subtree_control").starts_with("-memory -pids"));
  BOOST_TEST(system.content("mount/own/cgroup.procs").starts_with("0"));
  for (const auto& entry : std::filesystem::directory_iterator(system.mount() + "/own"))
    BOOST_TEST(entry.path().filename().string().find("toolwire-run") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_mount_of_a_part_of_the_groups_is_understood) {
  const MadeUpSystem system;
  system.folder().file("mounts", "30 20 0:26 /part " + system.mount() + " rw - cgroup2 cgroup2 rw\n");
  system.folder().file("groups", "0::/part/own\n");
  BOOST_TEST(system.take().why_not.find("memory.max") != std::string::npos);
}
