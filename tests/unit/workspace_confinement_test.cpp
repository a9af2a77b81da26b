// What the server does where the kernel or a sandbox withholds openat2, simulated with a seccomp filter in a child
// process.
#include "workspace/system/root.hpp"

#define BOOST_TEST_MODULE workspace_confinement_test
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstddef>

namespace {

// From now on openat2 fails with `error` in this process.
bool withhold_openat2(unsigned error) {
  std::array program{
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{program.size(), program.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// Exit status of a child that looks for the problem: 0 none, 1 one that names openat2, 2 another text, 3 no filter.
int problem_in_child(unsigned error) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (!withhold_openat2(error)) ::_exit(3);
    const std::string problem = workspace::confinement_problem();
    if (problem.empty()) ::_exit(0);
    ::_exit(problem.find("openat2 is not available") != std::string::npos ? 1 : 2);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(where_openat2_works_there_is_no_problem) { BOOST_TEST(workspace::confinement_problem() == ""); }

BOOST_AUTO_TEST_CASE(a_kernel_or_sandbox_without_openat2_is_a_problem) {
  for (const int error : {ENOSYS, EPERM, EINVAL, E2BIG}) {
    BOOST_TEST(problem_in_child(static_cast<unsigned>(error)) == 1);
  }
}
