// The user's settings for each tool, which override its manifest: enabled or not, approval, permitted arguments, how
// long results are valid. Independent of calls in progress; asks no one.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/bridge/manifest.hpp>
#include <toolwire/output_budget.hpp>
#include <toolwire/schema.hpp>

#include "confinement/confinement.hpp"

namespace toolwire::bridge {

class Findings;

/// Whether a text fits a pattern, in which '*' stands for any characters.
bool fits_pattern(std::string_view text, std::string_view pattern);

enum class Verdict { allow, ask, deny };

/// One rule on the arguments of a tool: the first whose schema fits decides.
struct Permission {
  std::optional<Schema> arguments = {};  // nothing: fits any
  Verdict verdict = Verdict::ask;
  std::string reason = {};                   // for the user and the model
  std::vector<std::string> parameters = {};  // that its schema names
};

/// The settings of one tool. Unset members leave the decision to the manifest, or to the server the tool comes from.
struct ToolPreference {
  std::optional<bool> enabled = {};
  std::optional<Verdict> approval = {};  // ask ("require") or allow ("skip")
  std::vector<Permission> permissions = {};
  std::chrono::seconds cache{0};         // how long a result is valid; zero: not remembered
  std::optional<bool> retry = {};        // after a connection that failed; not stated: idempotent native tools
  std::optional<std::string> name = {};  // under which it is offered
  std::optional<std::string> description = {};
  std::optional<std::chrono::seconds> deadline = {};  // of a call
  std::optional<int> rate_per_minute = {};
  std::optional<OutputBudget> output = {};
  std::optional<Confinement> confinement = {};  // of its program, beside what its binding says
  std::vector<std::string> scopes = {};         // that its callers need over HTTP (ToolInfo::scopes)

  /// Whether it lets every call run of a tool that requires no approval by itself, whatever the arguments.
  bool allows_all_calls() const { return permissions.empty() && approval.value_or(Verdict::allow) == Verdict::allow; }
};

struct Judgement {
  Verdict verdict = Verdict::ask;
  std::string reason = {};
};

/// A plain value, immutable once read. The file, all of it optional:
///
///   {"tools": {
///      "send_email": {"enabled": true, "approval": "require",
///                     "permissions": [{"arguments": SCHEMA, "decision": "allow" | "ask" | "deny", "reason": TEXT}],
///                     "cache_seconds": 60},
///      "files/write_*": {…}, "*": {…}}}
///
/// Besides, an entry may have "name", "description", "deadline_seconds", "rate_per_minute", "retry", "output", "scopes"
/// and "confinement" (see configuration/README.md). A key is the name of a tool, or SERVER/TOOL for one of another MCP
/// server, whatever name it is offered under; '*' stands for any characters. Of several that fit a tool, one without a
/// star counts, else the one with the most other characters, else the first; but the scopes of all of them count.
///
/// It fails closed: a tool whose entry has anything wrong or unknown in it needs approval, one whose `enabled` or
/// scopes are wrong is not offered, and where the file as a whole cannot be read every tool needs approval.
class Preferences {
 public:
  Preferences() = default;
  /// Never throws for what the text holds. `file` is how problems call it.
  static Preferences read(std::string_view text, const std::string& file, std::vector<ManifestProblem>& problems);
  static Preferences read_file(const std::string& file, std::vector<ManifestProblem>& problems);
  /// The entries alone, which stand at `pointer`. Relative paths count from `directory`.
  static Preferences read_entries(const JsonObject& tools, const std::string& pointer, const std::string& directory,
                                  Findings& findings);

  bool is_enabled(const ToolDefinition& tool) const;
  /// The tool with the description and the limits that the user wants.
  ToolDefinition as_wanted(ToolDefinition tool) const;
  /// Whether a call with these arguments may run, must be asked about, or may not.
  Judgement judge(const ToolDefinition& tool, const Json& arguments) const;
  std::chrono::seconds cache_time(std::string_view tool, std::string_view origin = {}) const {
    return preference(tool, origin).cache;
  }
  /// Of a tool with this name and origin (ToolDefinition::origin).
  const ToolPreference& preference(std::string_view tool, std::string_view origin = {}) const {
    const Entry* const found = entry(tool, origin);
    return found == nullptr ? others_ : found->second;
  }
  /// All scopes that callers of this tool need.
  std::vector<std::string> scopes(std::string_view tool, std::string_view origin = {}) const;
  bool need_scopes() const;
  using Entry = std::pair<std::string, ToolPreference>;
  /// The key and the settings that count for it; null if no key fits.
  const Entry* entry(std::string_view tool, std::string_view origin = {}) const;
  /// The keys of all entries, in their order.
  std::vector<std::string> keys() const;
  const std::vector<Entry>& entries() const { return tools_; }

 private:
  void add(Entry entry);

  std::vector<Entry> tools_;
  std::unordered_map<std::string, std::size_t> plain_;  // which of them is of a key without a star
  std::vector<std::size_t> patterns_;                   // those of the others
  ToolPreference others_;                               // of tools without an entry
};

}  // namespace toolwire::bridge
