// Variables of a server's environment that each user gives a value for, such as keys of services. No value is ever
// packed.
#pragma once

#include <map>
#include <string>
#include <toolwire/json.hpp>
#include <vector>

namespace toolwire::pack {

struct UserSecret {
  std::string name = {}, description = {};
};

/// Reads "NAME=TEXT", where TEXT says what it is. Throws install::Misuse for anything else, and for a name given twice.
std::vector<UserSecret> secrets_from(const std::vector<std::string>& texts);

/// What a manifest has in `user_config` for one of them.
JsonObject secret_setting(const UserSecret& secret);

/// `env` of a manifest: the values are those that the user has given.
JsonObject bundle_environment(const std::vector<UserSecret>& secrets);

/// `environmentVariables` of server.json.
JsonArray registry_variables(const std::vector<UserSecret>& secrets);

}  // namespace toolwire::pack
