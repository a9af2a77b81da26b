// Reading what a program writes, and learning how it ended. Independent of what is read.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string_view>

#include <toolwire/child_process.hpp>
#include <toolwire/system/program_start.hpp>
#include "system/orphans.hpp"

namespace toolwire::bridge {

/// Reads what is there, a bounded number of chunks, so that other streams have their turn. `take(bytes)` returns false
/// to stop. Returns false at the end of the stream. The descriptor does not block.
template <class Take>
bool read_available(int descriptor, Take take) {
  constexpr int max_chunks = 16;
  std::array<char, std::size_t{64} << 10> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
  for (int i = 0; i < max_chunks; ++i) {
    const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    if (count == 0) return false;
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (!take(std::string_view(bytes.data(), static_cast<std::size_t>(count)))) return true;
    if (static_cast<std::size_t>(count) < bytes.size()) return true;  // no more is there now
  }
  return true;
}

/// Writes what there is room for: returns the number of bytes, 0 if there is no room now, -1 if nobody reads. The
/// descriptor does not block.
inline std::ptrdiff_t write_available(int descriptor, std::string_view bytes) {
  const ssize_t count = bytes.empty() ? 0 : ::write(descriptor, bytes.data(), bytes.size());
  return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : count;
}

/// Reaps a keeper that has ended, and returns how it, and so its program, ended. Of one that was killed before it could
/// clean up, what came back to this process is ended.
inline ExitStatus collect(pid_t keeper) {
  int status = 0;
  pid_t reaped = 0;
  while ((reaped = ::waitpid(keeper, &status, 0)) < 0 && errno == EINTR) {
  }
  system::forget_started(keeper);
  if (reaped != keeper) return {};
  // Nothing else ends a keeper, which blocks all signals; other signals are those that have ended its program.
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) end_orphans();
  if (WIFEXITED(status)) return {.code = WEXITSTATUS(status)};
  return {.signal = WTERMSIG(status)};
}

}  // namespace toolwire::bridge
