// One MCP server as the hosts' files describe it, in any of their spellings. Starts nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "configuration/expansion.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// A plain value: a program to start, or else the address of a server.
struct ServerEntry {
  std::string name = {};
  std::string pointer = {};  // where it stands in its file
  std::vector<std::string> command = {};
  std::map<std::string, std::string> environment = {};
  std::string directory = {};  // absolute
  std::string url = {};        // empty for programs
  std::map<std::string, std::string> headers = {};
  Json oauth = {};  // how it is logged in at, with the places in its texts filled in; null if nothing is said
  bool enabled = true;
  std::optional<std::vector<std::string>> only_tools = {};  // by their own names; nothing: all
  std::vector<std::string> excluded_tools = {};
  std::vector<std::string> secrets = {};  // values that nobody else is to read
};

/// Adds what of a header's value nobody else is to read: all of it, and the credentials behind a word such as "Bearer".
void add_secrets_of_header(const std::string& value, std::vector<std::string>& into);

/// Reads an entry. Places in its values are filled in; relative paths count from `directory`. Members that only matter
/// to a host, like `autoApprove`, are hints; unknown ones are problems. Nothing if it has problems.
std::optional<ServerEntry> read_server_entry(const std::string& name, const Json& json, const std::string& pointer,
                                             const std::string& directory, Expansion& expansion, Findings& findings);

}  // namespace toolwire::bridge
