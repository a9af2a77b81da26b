// The arguments of a packed server: as they are typed for `toolwire pack`, and as each kind of package writes them.
// Folders that each user has to choose stand in them as {folder:KEY}, or {folders:KEY} for one or more.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <toolwire/json.hpp>
#include <vector>

namespace toolwire::pack {

/// What a user chooses.
struct UserFolder {
  std::string key = {};
  bool several = false;
  std::string description = {};

  bool operator==(const UserFolder&) const = default;
};

/// One argument. With `key`: a folder of the user between two texts, which are empty where it may be several.
struct Argument {
  std::string before = {};
  std::optional<std::string> key = {};
  std::string behind = {};

  bool operator==(const Argument&) const = default;
};

struct Arguments {
  std::vector<Argument> all = {};
  std::vector<UserFolder> folders = {};  ///< Each key once, in the order of the arguments.
};

/// Reads them. `descriptions`: by key, of folders whose description is not to be the usual one. Throws install::Misuse:
/// a placeholder that is none, the same key for one folder and for several, a description without its folder, and "${",
/// which hosts would replace.
Arguments arguments_from(const std::vector<std::string>& words, const std::map<std::string, std::string>& descriptions);

/// What users have chosen, by key.
using ChosenValues = std::map<std::string, std::vector<std::string>>;

/// The arguments that the server gets.
std::vector<std::string> filled(const Arguments& arguments, const ChosenValues& chosen);

/// `args` of a bundle's manifest, and its `user_config`.
JsonArray bundle_arguments(const Arguments& arguments);
JsonObject bundle_settings(const Arguments& arguments);

/// What a host makes of `args` of a manifest: `folder` is where the bundle is unpacked. An argument that is a setting
/// of several values becomes several arguments.
std::vector<std::string> arguments_by_host(const JsonArray& arguments, const std::string& folder,
                                           const ChosenValues& chosen);

/// `packageArguments` of server.json.
JsonArray registry_arguments(const Arguments& arguments);

}  // namespace toolwire::pack
