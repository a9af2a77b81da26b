// Reads a Confinement from a settings file: `"confinement": {"files": "workspace", …}`, the shape `$defs/confinement`
// of bindings.schema.json. Looks at no file.
#pragma once

#include <string>

#include <toolwire/json.hpp>

#include "confinement/confinement.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// `settings` has the shape of the schema. Relative paths count from `directory`; "~" is the user's home. What is
/// stated but cannot have an effect goes to `findings`.
Confinement read_confinement(const JsonObject& settings, const std::string& pointer, const std::string& directory,
                             Findings& findings);

}  // namespace toolwire::bridge
