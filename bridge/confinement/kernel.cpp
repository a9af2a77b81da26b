#include "confinement/kernel.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confinement/landlock.hpp"

namespace toolwire::bridge {
namespace {

bool has_seccomp() {
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace

const KernelSupport& kernel_support() {
  static const KernelSupport found{.landlock = landlock_version(), .seccomp = has_seccomp()};
  return found;
}

}  // namespace toolwire::bridge
