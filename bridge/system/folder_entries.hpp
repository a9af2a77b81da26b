// Walking through a folder without taking memory: between fork(2) and execve(2), and in processes that never call
// execve. Independent of what the entries are.
#pragma once

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

namespace toolwire::bridge {

/// Calls `visit(name)` for each entry of an open folder, from its beginning on. Async-signal-safe if `visit` is.
template <class Visit>
void for_each_entry(int folder, Visit visit) {
  constexpr std::size_t chunk = 8192;
  alignas(dirent64) char bytes[chunk];
  ::lseek(folder, 0, SEEK_SET);
  for (long count = 0; (count = ::syscall(SYS_getdents64, folder, bytes, sizeof bytes)) > 0;) {
    for (long at = 0; at < count;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(bytes + at);
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) visit(entry->d_name);
      at += entry->d_reclen;
    }
  }
}

}  // namespace toolwire::bridge
