// Reads the bindings file, which says what Activity runs a tool, and names every problem in it. Starts nothing; the
// content of an entry is read by its kind (factory.hpp).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/bridge/registry.hpp>
#include <toolwire/json.hpp>

namespace toolwire::bridge {

class Findings;

/// One entry. A plain value.
struct Binding {
  std::string kind = {};     ///< "process", "http", "mcp", "runtime", "constant", "latent"
  Json settings = {};        ///< An object; of the shape the schema gives to this kind.
  std::string pointer = {};  ///< Where it stands: "/profiles/dev/bindings/weather/http".
};

/// All that a bindings file says for one profile. A plain value; an empty one if there is no file.
struct Bindings {
  std::string file = {};       ///< As given to the reader; empty: none.
  std::string directory = {};  ///< Its folder: relative paths count from there.
  std::string base = {};       ///< Where they stand in the file, as a pointer: "" or "/toolwire".
  std::map<std::string, Binding, std::less<>> by_name = {};  ///< By the name of the Activity, else of the tool.
  std::set<std::string, std::less<>> removed = {};           ///< Entries that the profile takes away.
  std::map<std::string, Json, std::less<>> servers = {};     ///< MCP servers by name; read by the kind "mcp".
  std::map<std::string, Json, std::less<>> runtimes = {};    ///< Tools of other languages, by name of the runtime.
  std::optional<Latent> latent = {};
  std::optional<Dangling> dangling = {};
  std::vector<std::string> profiles = {};  ///< The names of all there are.
};

/// There are bindings exactly if there are no problems.
struct BindingsReading {
  std::optional<Bindings> bindings = {};
  std::vector<ManifestProblem> problems = {};
};

/// In bytes; longer documents are refused.
inline constexpr std::size_t max_bindings = std::size_t{4} << 20;

/// Reads bindings from text; never throws for what the text holds. With a `profile`, its entries replace those of the
/// same name outside of profiles, and `null` removes one; an empty `profile` means only the latter. Problems call the
/// document `name`; its relative paths count from `directory`.
BindingsReading read_bindings(std::string_view text, const std::string& profile, const std::string& name,
                              const std::string& directory);
/// The same of a part of a larger document; `place` says where that has what stands at a pointer of the part, and is
/// not used afterwards. Nothing if there are problems. Has no profiles.
std::optional<Bindings> read_bindings_part(const Json& part, const std::string& name, const std::string& directory,
                                           const std::function<std::string(const std::string& pointer)>& place,
                                           Findings& findings);
/// The same from a file. One that cannot be read is a problem like any other.
BindingsReading read_bindings_file(const std::string& path, const std::string& profile);

/// Where the bindings of a manifest are looked for: "tools.json" → "tools.bindings.json", beside it.
std::string bindings_path_of(const std::string& manifest_path);

}  // namespace toolwire::bridge
