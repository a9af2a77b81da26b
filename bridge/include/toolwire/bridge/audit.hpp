// A record of every tool call for people who must be able to account for it later: one JSON line per call, in a file. A
// middleware for any toolwire server, and an Observer for registries. Never holds what a tool returned.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <toolwire/bridge/policy.hpp>
#include <toolwire/middleware.hpp>

namespace toolwire::bridge {

struct AuditSettings {
  std::string file = {};
  std::vector<std::string> secrets = {};  // values that are taken out of every line, besides what is found
  std::size_t max_line = 16u << 10;       // bytes; what does not fit is left out and counted
};

/// Appends lines to a file made with mode 0600. Each line is one write(2), so several processes may share the file, and
/// a file that was moved away is made anew. A line:
///
///   {"time":"2026-11-22T01:30:00.123Z","client":"name/1.0","tool":"send_email","arguments":{…},"decision":"approved",
///    "duration_ms":12.5,"outcome":"ok"}
///
/// `decision` is that of an Approval in its own words, or "run", "asked" (for approval), "approved", "declined" or
/// "refused" (before the tool ran). `outcome` is
/// "ok", "asked", "error", "cancelled" or the code of a failure; "error" gives the text the model read, unless the
/// tool's output is sensitive (`sensitive_output` in `_meta["dev.toolwire/metadata"]`). Arguments are redacted (see
/// toolwire/redact.hpp), also what the schema marks `writeOnly` or `format: password`, and no such value is repeated in
/// an error. `reasoning` is the caller's `_reasoningForCall`. Thread-safe.
class AuditLog {
 public:
  /// Throws std::runtime_error naming the file and the reason if it cannot be written or is no regular file.
  explicit AuditLog(AuditSettings settings);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  /// Appends a line, which has no newline. A write that fails is reported on stderr once, and calls continue.
  void append(const std::string& line);
  std::size_t max_line() const;
  const std::vector<std::string>& secrets() const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

/// For Server::around_call: records every call that reaches its tool or a middleware behind this one.
Middleware audited(std::shared_ptr<AuditLog> log);

/// For Server::on_refused_call: records every call that no middleware sees.
RefusedLook refused_calls_audited(std::shared_ptr<AuditLog> log);

/// For Registry::observe_with: records every call of the registry, also those refused before anything ran.
std::shared_ptr<Observer> audit_observer(std::shared_ptr<AuditLog> log);

}  // namespace toolwire::bridge
