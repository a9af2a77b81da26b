// What a program that this server starts may do: read given files, and be executed; no more processes, no network, no
// change of any file. Put into force between fork and exec. Independent of which program it is.
#pragma once

#include <string>
#include <toolwire/system/landlock.hpp>
#include <vector>

#include "workspace/system/call_filter.hpp"

namespace workspace {

/// Why this kernel, or this processor's build of the server, cannot confine a program; empty if it can.
std::string program_confinement_problem();

/// What one program may read besides itself and the libraries of the system: folders with all that is below, or files.
struct ProgramRights {
  std::string program;
  std::vector<std::string> read = {};
};

/// Takes from this process, for good, every right to files that none of these programs needs, and to the network. False
/// with errno, or throws std::system_error.
bool confine_to(const std::vector<ProgramRights>& programs);

/// Immutable once made.
class ProgramConfinement {
 public:
  /// Throws std::system_error if the program is not there or the kernel makes no rules.
  explicit ProgramConfinement(const ProgramRights& rights);

  /// The descriptor the rules are in, to be kept open.
  int rules() const { return rules_.rules().get(); }

  /// For this process, which becomes the program next. Async-signal-safe. False with errno.
  bool put_into_force() const;

 private:
  toolwire::system::LandlockRules rules_;
  CallFilter filter_;
};

}  // namespace workspace
