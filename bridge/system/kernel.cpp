#include "system/kernel.hpp"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <toolwire/system/landlock.hpp>
#include <utility>

#include "system/delegation.hpp"

namespace toolwire::bridge {
namespace {

bool has_seccomp() {
  const std::uint32_t action = SECCOMP_RET_ERRNO;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

KernelSupport look() {
  KernelSupport found{.landlock = system::landlock_version(), .seccomp = has_seccomp()};
  Delegation delegation = take_delegation();
  found.control_group = std::move(delegation.folder);
  found.why_no_control_group = std::move(delegation.why_not);
  return found;
}

}  // namespace

const KernelSupport& kernel_support() {
  static const KernelSupport found = look();
  return found;
}

}  // namespace toolwire::bridge
