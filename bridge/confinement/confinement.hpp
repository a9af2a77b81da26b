// What a started program may do: files, network, other programs, and how much of the machine. What of it can be
// enforced depends on the kernel, see kernel.hpp and report.hpp. Knows neither tools nor runtimes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace toolwire::bridge {

/// `read_only`: reads what its user may read, changes nothing. `workspace`: reads and changes its workspace, reads what
/// is `readable` and what programs need of the system, and sees nothing else.
enum class FileAccess { all, read_only, workspace };

/// `none`: no socket of any kind, but connected pairs within the program.
enum class NetworkAccess { all, none };

/// `listed`: executes no other file than those of the list. `none`: creates no process at all; threads it may.
enum class ProgramAccess { all, listed, none };

/// How an amount of memory is counted. `address_space`: all that is mapped. `private_data`: only what can be written
/// to, for programs that reserve far more than they use (Node).
enum class MemoryCount { address_space, private_data };

/// 0: no limit by the bridge. Limits hold for each process, except `processes`, which counts them together, and
/// `memory`, which holds for each and, where control groups are delegated to the bridge, for all together. Without
/// control groups `processes` cannot be enforced.
struct ResourceLimits {
  std::uint64_t memory = 0;  ///< Bytes.
  MemoryCount memory_count = MemoryCount::address_space;
  std::uint64_t cpu_seconds = 0;
  std::uint64_t file_size = 0;   ///< Bytes of each file it writes.
  std::uint64_t open_files = 0;  ///< At once.
  std::uint64_t processes = 0;   ///< Processes and threads.

  /// Whether a control group has something to bound.
  bool counts_together() const { return memory != 0 || processes != 0; }

  bool operator==(const ResourceLimits&) const = default;
};

/// A plain value. Paths are absolute.
struct Confinement {
  FileAccess files = FileAccess::all;
  std::vector<std::string> workspace = {};  ///< Folders and files.
  std::vector<std::string> readable = {};   ///< Beside the workspace; with `FileAccess::workspace` only.
  NetworkAccess network = NetworkAccess::all;
  ProgramAccess programs = ProgramAccess::all;
  std::vector<std::string> program_files = {};  ///< With `ProgramAccess::listed`, beside the program itself.
  ResourceLimits limits = {};
  bool private_temporary = false;  ///< A new folder, named by TMPDIR, that goes with the program. Implied by `files`.
  bool may_degrade = false;        ///< Starts where the kernel cannot enforce all of this.

  /// Whether something is refused that the program's user may do.
  bool is_confined() const {
    return files != FileAccess::all || network != NetworkAccess::all || programs != ProgramAccess::all;
  }
  bool has_private_temporary() const { return private_temporary || files != FileAccess::all; }

  bool operator==(const Confinement&) const = default;
};

}  // namespace toolwire::bridge
