// The one file of a bridge: the servers of a host's file, as every host has it, and the member "toolwire" with the
// rest. Says which problems it has and where; what "toolwire" means is read by those it concerns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/bridge/manifest.hpp>
#include <toolwire/json.hpp>

#include "configuration/expansion.hpp"
#include "configuration/server_entry.hpp"

namespace toolwire::bridge {

/// A plain value.
struct Configuration {
  std::string file = {};
  std::string directory = {};              // of the file, absolute: relative paths count from there
  std::vector<ServerEntry> servers = {};   // in the order of the file
  JsonObject own = {};                     // "toolwire", with the entries of the profile in their places
  std::vector<std::string> secrets = {};   // values that nobody else is to read
  std::vector<std::string> profiles = {};  // the names of all there are

  /// Where the file has what stands in `own` at `pointer`: the profile's entries stand elsewhere.
  [[nodiscard]] std::string place_of(const std::string& pointer) const;
  std::vector<std::string> of_profile = {};  // pointers into `own`
  std::string profile = {};
};

/// There is a configuration exactly if there are no problems.
struct ConfigurationReading {
  std::optional<Configuration> configuration = {};
  std::vector<ManifestProblem> problems = {};
  std::vector<ManifestProblem> hints = {};
};

/// In bytes; longer files are refused.
inline constexpr std::size_t max_configuration = std::size_t{4} << 20;

/// What a document of settings or tools is, as far as its members say.
enum class DocumentKind { configuration, manifest, bindings, preferences, schema, tool_schema, unknown };
DocumentKind kind_of_document(const Json& document);
/// The same of a file, comments or not; `unknown` if it cannot be read.
DocumentKind kind_of_file(const std::string& path);
/// For messages: "a bindings file".
std::string_view description_of(DocumentKind kind);

/// Reads a text; never throws for what it holds. Relative paths count from the folder of `file`. `profile`: the entries
/// of this one take the places of others; empty: none.
ConfigurationReading read_configuration(std::string_view text, const std::string& file, const std::string& profile,
                                        ExpansionSources sources);
/// The same from a file. One that cannot be read, or that others can write, is a problem like any other.
ConfigurationReading read_configuration_file(const std::string& file, const std::string& profile,
                                             ExpansionSources sources);

}  // namespace toolwire::bridge
