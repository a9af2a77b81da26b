// Tools of the native protocols as an MCP server: the class a C++ program embeds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/bridge/registry.hpp>
#include <toolwire/server.hpp>

namespace toolwire::bridge {

struct BridgeOptions {
  RegistryOptions registry = {};
  ServerOptions server = {};
  bool offer_reasoning = true;  // list `_reasoningForCall` among the arguments; it is accepted in any case
  /// Called with the description of a tool before it is served: hints, icons, `_meta` that only its source knows.
  std::function<void(const ToolDefinition&, ToolInfo&)> adjust = {};
};

class Serving;

/// Registries and a server that follows them: whatever is registered, removed or enabled is offered at once, from any
/// thread, also while serving; clients are told when a tool's description has changed. Must outlive its sessions.
///
///   toolwire::bridge::Bridge bridge{{.name = "weather", .version = "1.0.0"}};
///   bridge.tool(schema);
///   bridge.activities().add("weatherCheck", [](const toolwire::Json& parameters) { … });
///   return bridge.serve_stdio(argc, argv);
class Bridge {
 public:
  explicit Bridge(ServerInfo info, BridgeOptions options = {});
  ~Bridge();
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  Registry& registry() { return registry_; }
  ActivityRegistry& activities() { return registry_.activities(); }
  /// As ToolRegistry: a native tool schema, or a definition.
  template <class... A>
  void tool(A&&... schema_or_definition) {
    registry_.tool(std::forward<A>(schema_or_definition)...);
  }
  void provider(std::string name, std::vector<ToolDefinition> tools, std::vector<ToolCategory> categories = {}) {
    registry_.tools().provider(std::move(name), std::move(tools), std::move(categories));
  }

  /// As Registry::approve_with; in addition, answers to questions of tools that need approval count only once from then
  /// on.
  void approve_with(std::shared_ptr<Approval> approval);
  /// Updates what is offered after something other than the registries has changed (what an Approval asks
  /// about, say).
  void refresh();
  /// `_meta` of tools/list besides categories, time of the last change and protocol version, or instead of these:
  /// "dev.toolwire/generated_at", "dev.toolwire/base_url" …
  void describe_list(JsonObject meta);

  /// The server underneath: plain tools, resources, prompts, middleware.
  Server& server() { return server_; }

  /// While one of these lives, changes are collected; they are offered in one step at the end.
  class Pause {
   public:
    explicit Pause(Serving& serving);
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Serving& serving_;
  };
  Pause pause() { return Pause(*serving_); }

  /// As Server::run_stdio, after writing the registries' diagnostics to standard error.
  int serve_stdio();
  int serve_stdio(int argc, const char* const* argv);
  int serve_stdio(const CommandLine& line);

 private:
  void report() const;

  Registry registry_;
  Server server_;
  const std::shared_ptr<Serving> serving_;
};

}  // namespace toolwire::bridge
