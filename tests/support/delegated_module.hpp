// A test module in a control group of its own, for cases about what holds for all processes of a program together.
// Where the machine gives a test no such group, they are reported as skipped, with the reason.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "delegated_group.hpp"
#include "system/control_group.hpp"
#include "system/kernel.hpp"

namespace toolwire_test {

/// Functions of Python. `fork_bomb` says how many processes it could have beside itself, of forty. `memory_bomb` has
/// six processes take 64 MiB each, and says whether all of them lived to hold them at once.
inline const std::string bombs = R"(
import os, time
def fork_bomb():
    count = 0
    try:
        while count < 40:
            if os.fork() == 0:
                os.setsid()
                time.sleep(1000)
            count += 1
    except OSError:
        pass
    return str(count)
def memory_bomb():
    ends, ids = [], []
    for _ in range(6):
        r, w = os.pipe()
        one = os.fork()
        if one == 0:
            held = b'x' * (64 << 20)
            os.write(w, b'x')
            time.sleep(1000)
        os.close(w)
        ends.append(r)
        ids.append(one)
    for end in ends:
        os.read(end, 1)
    return 'all' if all(os.waitpid(one, os.WNOHANG)[0] == 0 for one in ids) else 'not all'
)";

inline std::unique_ptr<DelegatedGroup>& own_group() {
  static std::unique_ptr<DelegatedGroup> group;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  return group;
}

/// For the whole module, with BOOST_TEST_GLOBAL_FIXTURE: made before any other process is started, and left again.
struct OwnGroup {
  OwnGroup() { own_group() = std::make_unique<DelegatedGroup>(); }
  ~OwnGroup() { own_group().reset(); }
  OwnGroup(const OwnGroup&) = delete;
  OwnGroup& operator=(const OwnGroup&) = delete;
};

inline boost::test_tools::assertion_result has_group(boost::unit_test::test_unit_id) {
  boost::test_tools::assertion_result has(!own_group()->path().empty());
  has.message() << "this machine lets the test make no control group with memory and pids";
  return has;
}

/// The kernel as it is, with groups made in `folder`; empty: with none.
inline toolwire::bridge::KernelSupport kernel_with_groups(const std::string& folder) {
  toolwire::bridge::KernelSupport with = toolwire::bridge::kernel_support();
  with.control_group = folder;
  return with;
}

inline toolwire::bridge::KernelSupport delegated() { return kernel_with_groups(own_group()->delegation().folder); }

/// Of programs that run, or have left theirs behind.
inline std::size_t groups_of_runs() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(own_group()->path())) {
    if (toolwire::bridge::is_group_of_a_bridge(entry.path().filename().string())) ++count;
  }
  return count;
}

}  // namespace toolwire_test
