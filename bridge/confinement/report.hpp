// What of a Confinement is enforced, and by what: reported at the start, in `_meta` and in errors. Enforces nothing.
#pragma once

#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "confinement/confinement.hpp"
#include "system/kernel.hpp"

namespace toolwire::bridge {

/// A plain value.
struct ConfinementReport {
  Confinement asked = {};
  KernelSupport kernel = {};
  std::vector<std::string> missing = {};  ///< What was asked for and is not enforced: "files=workspace: …".

  bool says_something() const { return asked.is_confined() || asked.limits != ResourceLimits{}; }
  bool may_start() const { return missing.empty() || asked.may_degrade; }
};

ConfinementReport report_on(const Confinement& confinement, const KernelSupport& kernel = kernel_support());

/// One line: "files=workspace (Landlock 7), network=none (seccomp), …".
std::string to_text(const ConfinementReport& report);

/// What is said of a program at the start: how it is confined, that it is not, or that it will not start.
std::string start_text(const ConfinementReport& report);

/// For `_meta["dev.toolwire/confinement"]`.
JsonObject to_json(const ConfinementReport& report);

}  // namespace toolwire::bridge
