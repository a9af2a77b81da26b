// A native tool manifest (Tool Discovery Protocol 1.x): read with every problem named, written back without loss.
// Knows neither MCP nor how tools are run.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// Who offers the tools (ScenarioInfo).
struct Scenario {
  std::string name = {};
  std::string version = {};
  std::string description = {};
  std::string base_url = {};  // where it is reached; empty: not stated
};

/// A manifest (ToolManifest). A plain value. `native` is the document it was read from, in snake_case and with an empty
/// list of tools (each tool has its own part); what the bridge does not know lives on there.
struct Manifest {
  std::string protocol_version = "1.0";
  Scenario scenario = {};
  std::vector<ToolDefinition> tools = {};  // in the order of the document
  std::vector<ToolCategory> categories = {};
  std::string generated_at = {};  // ISO 8601: when the registry last changed
  Json native = {};               // null if there was no document
};

/// One thing that is wrong with a manifest, or probably a mistake.
struct ManifestProblem {
  std::string file = {};     // as given to the reader
  std::size_t line = 0;      // counted from 1; 0 if unknown
  std::string pointer = {};  // JSON pointer (RFC 6901): "/tools/0/name"; empty: the document itself
  std::string text = {};     // what was expected

  /// "manifest.json:12: /tools/0/name: expected …".
  [[nodiscard]] std::string message() const;
  bool operator==(const ManifestProblem&) const = default;
};

/// All that was found in one document. There is a manifest exactly if there are no problems.
struct ManifestReading {
  std::optional<Manifest> manifest = {};
  std::vector<ManifestProblem> problems = {};
  std::vector<ManifestProblem> hints = {};  // accepted, but probably a mistake
};

/// How strictly a document is read. Foreign manifests may leave out members that the protocol requires: a tool that
/// does not say whether it needs approval needs it.
enum class ManifestOrigin { own, fetched };

/// In bytes; longer documents are refused.
inline constexpr std::size_t max_manifest = std::size_t{16} << 20;

/// Reads a manifest from text; never throws for what the text holds. `name` is how problems call it.
ManifestReading read_manifest(std::string_view text, const std::string& name,
                              ManifestOrigin origin = ManifestOrigin::own);
/// The same from a file. One that cannot be read is a problem like any other.
ManifestReading read_manifest_file(const std::string& path);

/// A manifest that cannot be used. `what()` lists every problem, one a line.
struct ManifestError : std::runtime_error {
  explicit ManifestError(std::vector<ManifestProblem> found);
  std::vector<ManifestProblem> problems;
};

/// The manifest of a file. Throws ManifestError.
Manifest load_manifest(const std::string& path);

/// The document as the protocol's tables have it: the one it was read from, member for member, wherever its fields have
/// not been changed since, and the changed fields in their places.
Json to_json(const Manifest& manifest);
/// The same for one tool.
Json to_json(const ToolDefinition& tool);
/// The document as text for people: indented, ending with a line feed.
std::string to_manifest_text(const Manifest& manifest);

/// The tool's name at the MCP server it came from, which may have characters a manifest does not allow (kept in
/// `_meta["dev.toolwire/name"]`); else its own.
std::string original_name(const ToolDefinition& tool);

/// `_meta` of tools/list that carries what MCP has no place for, so that the manifest can be made again of what a
/// server lists: "dev.toolwire/manifest" is the document without tools, "dev.toolwire/unlisted" the tools that
/// `is_listed` says no to (without it: those not enabled by default), with their positions, and each common member has
/// a key of its own.
JsonObject list_meta(const Manifest& manifest, const std::function<bool(const ToolDefinition&)>& is_listed = {});

/// What a server says of itself and its tools.
struct ServedList {
  std::string name = {};  // of the server
  std::string version = {};
  std::string description = {};
  JsonArray tools = {};  // as tools/list has them
  JsonObject meta = {};  // `_meta` of tools/list
};

/// The native manifest of any MCP server. Of a bridge it is the one it serves, member for member; of others, names are
/// mapped to what a manifest allows, and what has no place goes to `_meta` of the tool.
Manifest manifest_from_server(const ServedList& list);

/// A time as manifests write it: "2024-01-15T10:30:00Z".
std::string now_as_timestamp();

}  // namespace toolwire::bridge
