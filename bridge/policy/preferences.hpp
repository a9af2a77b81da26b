// The user's settings for each tool, which override its manifest: enabled or not, approval, permitted arguments, how
// long results are valid. Independent of calls in progress; asks no one.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/bridge/manifest.hpp>
#include <toolwire/schema.hpp>

namespace toolwire::bridge {

enum class Verdict { allow, ask, deny };

/// One rule on the arguments of a tool: the first whose schema fits decides.
struct Permission {
  std::optional<Schema> arguments = {};  // nothing: fits any
  Verdict verdict = Verdict::ask;
  std::string reason = {};  // for the user and the model
};

/// The settings of one tool. Unset members leave the decision to the manifest.
struct ToolPreference {
  std::optional<bool> enabled = {};
  std::optional<Verdict> approval = {};  // ask ("require") or allow ("skip")
  std::vector<Permission> permissions = {};
  std::chrono::seconds cache{0};  // how long a result is valid; zero: not remembered
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
///      "*": {…}}}                                       for every tool that has no entry of its own
///
/// It fails closed: a tool whose entry has anything wrong or unknown in it needs approval, one whose `enabled` is wrong
/// is not offered, and where the file as a whole cannot be read every tool needs approval.
class Preferences {
 public:
  Preferences() = default;
  /// Never throws for what the text holds. `file` is how problems call it.
  static Preferences read(std::string_view text, const std::string& file, std::vector<ManifestProblem>& problems);
  static Preferences read_file(const std::string& file, std::vector<ManifestProblem>& problems);

  bool is_enabled(const ToolDefinition& tool) const;
  /// Whether a call with these arguments may run, must be asked about, or may not.
  Judgement judge(const ToolDefinition& tool, const Json& arguments) const;
  std::chrono::seconds cache_time(std::string_view tool) const { return preference(tool).cache; }

 private:
  const ToolPreference& preference(std::string_view tool) const;

  std::map<std::string, ToolPreference, std::less<>> tools_;
  ToolPreference others_;
};

}  // namespace toolwire::bridge
