// The processes below this one, as /proc tells it, and their end. Independent of what they are.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace workspace {

/// A process that may have ended without being collected.
struct Descendant {
  pid_t id = 0;
  bool is_child = false;
  bool has_ended = false;
  std::uint64_t threads = 0;
  std::uint64_t memory = 0;  // bytes in memory, what is shared included
};

/// At one moment: what they start meanwhile is missing.
std::vector<Descendant> descendants();

/// How many threads all processes of this process's user have.
std::uint64_t threads_of_user();

/// Becomes the parent of descendants whose own is gone, for `end_descendants`. False with errno.
bool adopt_orphans();

/// Ends (SIGKILL) and collects all of them, and what they start meanwhile. Gives up, after some seconds, on those that
/// the kernel does not let go. Returns how many there were, those not counted that had ended already.
std::size_t end_descendants();

/// Collects the children that have ended, but not this one.
void collect_ended_but(pid_t kept, const std::vector<Descendant>& of);

}  // namespace workspace
