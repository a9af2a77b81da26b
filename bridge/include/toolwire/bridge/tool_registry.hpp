// Interfaces by name: what tools are called, take and give. Knows no implementations and no MCP.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/json.hpp>
#include <toolwire/schema.hpp>

#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {

/// How strict a registration is. Tools of foreign servers are accepted as they are: a pattern that cannot run in linear
/// time is left out, and a schema that does not compile checks nothing, with a note saying so.
enum class SchemaCare { refuse, note };

/// A tool with its schemas compiled. Immutable, shared by the registry and the calls that use it.
struct RegisteredTool {
  ToolDefinition definition;
  std::string provider;                      // "" for tools registered one by one
  std::optional<Schema> parameters = {};     // nothing: not checked, see `notes`
  std::optional<Schema> output = {};         // nothing: there is no `_output`, or it is not checked
  std::vector<std::string> meta_names = {};  // parameters whose names begin with `_` (in tools of foreign servers)
  std::vector<std::string> notes = {};       // remarks for people
};
using ToolPointer = std::shared_ptr<const RegisteredTool>;

/// Splits a native tool schema (`{type: object, description, properties: {_tool, _activity, _output, …parameters}}`)
/// into a definition. `name` is the one it is registered under; empty: that of `_tool`. Throws std::invalid_argument
/// listing every problem, one a line: a `_tool` that differs, reserved or unknown meta fields, no object.
ToolDefinition definition_from_schema(const Json& schema, std::string_view name = {});

/// Thread-safe. Tools are listed in the order of their registration; a provider's stand together.
class ToolRegistry {
 public:
  ToolRegistry() = default;
  ToolRegistry(const ToolRegistry&) = delete;
  ToolRegistry& operator=(const ToolRegistry&) = delete;

  /// Registers a native tool schema. All overloads throw std::invalid_argument, with every problem, and then have
  /// changed nothing: names taken or not allowed ([A-Za-z0-9_.-], 1 to 100 characters), schemas that do not compile.
  void tool(const Json& schema) { tool(definition_from_schema(schema)); }
  void tool(std::string_view name, const Json& schema) { tool(definition_from_schema(schema, name)); }
  void tool(ToolDefinition definition, SchemaCare care = SchemaCare::refuse);
  /// The tools of one provider in one step, in the place of those it had before. Categories of one id must agree
  /// between providers.
  void provider(std::string name, std::vector<ToolDefinition> tools, std::vector<ToolCategory> categories = {},
                SchemaCare care = SchemaCare::refuse);
  /// Both return false if there was none.
  bool remove(std::string_view name);
  bool remove_provider(std::string_view name);

  /// Null if there is none.
  ToolPointer find(std::string_view name) const;
  std::shared_ptr<const std::vector<ToolPointer>> list() const;
  std::vector<ToolCategory> categories() const;
  /// When it last changed, ISO 8601.
  std::string generated_at() const;

  /// As ActivityRegistry::on_change.
  void on_change(std::function<void()> listener);

 private:
  using Tools = std::vector<ToolPointer>;
  using Categories = std::vector<std::pair<std::string, std::vector<ToolCategory>>>;  // by provider
  void settle(Tools tools, Categories categories) TOOLWIRE_REQUIRES(mutex_);
  void tell();

  mutable Mutex mutex_;
  std::shared_ptr<const Tools> tools_ TOOLWIRE_GUARDED_BY(mutex_) = std::make_shared<const Tools>();
  std::unordered_map<std::string_view, ToolPointer> by_name_ TOOLWIRE_GUARDED_BY(mutex_);  // keys live in the tools
  Categories categories_ TOOLWIRE_GUARDED_BY(mutex_);
  std::string generated_at_ TOOLWIRE_GUARDED_BY(mutex_);
  std::vector<std::function<void()>> listeners_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::bridge
