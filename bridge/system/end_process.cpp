#include "system/end_process.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::bridge {

bool end_process(int process, std::chrono::milliseconds patience) {
  // Held by this, the number is of no other process.
  const system::FileDescriptor held(static_cast<int>(::syscall(SYS_pidfd_open, process, 0U)));
  if (!held.is_open()) return errno == ESRCH;
  if (::syscall(SYS_pidfd_send_signal, held.get(), SIGTERM, nullptr, 0U) != 0) return errno == ESRCH;
  pollfd end{held.get(), POLLIN, 0};
  return ::poll(&end, 1, static_cast<int>(patience.count())) > 0;
}

}  // namespace toolwire::bridge
