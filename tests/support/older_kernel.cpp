// Runs a program as on a kernel that lacks newer system calls: `older_kernel FIRST PROGRAM [ARGUMENT...]`, where FIRST
// is the number of the first call that is missing, as are all above it.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
  if (count < 3) {
    std::fputs("usage: older_kernel FIRST PROGRAM [ARGUMENT...]\n", stderr);
    return 2;
  }
  const auto first = static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10));
  std::array<sock_filter, 4> filter{
      {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)), BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first, 0, 1),
       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
  const sock_fprog program{.len = filter.size(), .filter = filter.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0)
    ::execv(arguments[2], arguments + 2);
  std::perror("older_kernel");
  return 1;
}
