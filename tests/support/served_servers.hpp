// `toolwire-bridge serve` with servers behind it, as a host starts it.
#pragma once

#include <toolwire/child_process.hpp>
#include <toolwire/json.hpp>

#include <string>
#include <utility>
#include <vector>

#include "scratch_folder.hpp"

namespace toolwire_test {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::parse_json;
using toolwire::Program;
using toolwire::to_json_text;

inline JsonObject tool_named(const std::string& name) {
  return {{"name", name},
          {"description", name},
          {"parameters",
           parse_json(R"({"type":"object","properties":{"text":{"type":"string"},"count":{"type":"integer"}}})")},
          {"metadata", JsonObject{{"enabled_by_default", true}, {"requires_approval", false}}}};
}

/// A manifest, bindings, and the program that serves them.
struct ServedServers {
  ScratchFolder folder;
  JsonArray tools = {};
  JsonObject bindings = {};
  JsonObject servers = {};

  void bind(const std::string& tool, Json how) {
    tools.push_back(tool_named(tool));
    bindings[tool] = std::move(how);
  }
  /// The server `name` (tests/support/mcp_back_end.cpp), with tools "NAME_tool".
  void add_server(const std::string& name, const std::vector<std::string>& its_tools) {
    add_server(name, its_tools, {std::string(TOOLWIRE_BIN_DIR) + "/mcp_back_end"});
  }
  /// The same with another program.
  void add_server(const std::string& name, const std::vector<std::string>& its_tools, const JsonArray& command) {
    servers[name] = JsonObject{{"command", command}};
    for (const std::string& tool : its_tools)
      bind(name + "_" + tool, JsonObject{{"mcp", JsonObject{{"server", name}, {"tool", tool}}}});
  }
  Program program() const {
    const Json manifest =
        JsonObject{{"protocol_version", "1.0"},
                   {"scenario", JsonObject{{"name", "load"}, {"version", "1.0.0"}, {"description", "Slow back-ends"}}},
                   {"tools", tools},
                   {"generated_at", "2026-11-22T00:00:00Z"}};
    const auto file = folder.file("tools.json", to_json_text(manifest));
    folder.file("tools.bindings.json", to_json_text(JsonObject{{"bindings", bindings}, {"servers", servers}}));
    return {.command = {TOOLWIRE_BIN_DIR "/toolwire-bridge", "serve", file.string()},
            .environment = {{"XDG_STATE_HOME", folder.text()}}};
  }
};

}  // namespace toolwire_test
