// The lines of an audit log: from a call and its end to JSON. Knows no file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/bridge/policy.hpp>
#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// What is known of a call when it begins, without secrets.
struct AuditEntry {
  std::string tool = {};
  std::string client = {};     // "name/version"
  std::string arguments = {};  // JSON text
  std::string reasoning = {};
  std::string decision = {};              // of an Approval; empty: follows from the end of the call
  std::vector<std::string> secrets = {};  // longest first
  bool approval_answered = false;
  bool sensitive = false;  // what the tool returns must not be written down
};

/// `arguments` without meta fields; `secrets` are values that are left out besides what is found.
AuditEntry audit_entry(std::string tool, const Json& arguments, std::string_view reasoning, const Json& input_schema,
                       const Context& context, std::vector<std::string> secrets = {});

/// One line without its end, see AuditLog. `max_size` in bytes.
std::string audit_line(const AuditEntry& call, const CallEnd& end, std::size_t max_size);

}  // namespace toolwire::bridge
