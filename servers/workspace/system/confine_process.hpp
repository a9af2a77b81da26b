// Removes, permanently, this process's right to access files outside given directories (Linux Landlock). A second
// barrier behind openat2: it also covers files that were moved outside later. Independent of tools.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <vector>

namespace workspace {

/// What stays allowed.
struct Allowed {
  std::vector<std::string> read = {};    // directories, with all that is below
  std::vector<std::string> write = {};   // the same, also for changing, making, renaming
  std::vector<std::string> append = {};  // files that are written to; made if they are not there
};

/// Confines the calling thread and all threads it starts later: call it before any is started. Also takes away TCP
/// where the kernel can. Returns why it could not be done, or empty if it was; then nothing has changed.
std::string confine_process(const Allowed& allowed);

/// Bounds the calling process for good: to `most`, or to less where it is bounded to less already. False with errno.
bool bound_to(__rlimit_resource resource, std::uint64_t most);

}  // namespace workspace
