// A tool as a server holds it, with its schemas compiled unless they come from C++ types.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "features/serial_line.hpp"
#include "toolwire/schema.hpp"
#include "toolwire/server_options.hpp"
#include "toolwire/tool.hpp"

namespace toolwire::features {

/// The output schema of a C++ type, compiled when it is first asked for. Thread-safe.
class LateSchema {
 public:
  /// Of the tool whose it is. Null if it cannot be used, which the log says once: a Codec may have such a one.
  const Schema* get(const ToolInfo& tool) const;

 private:
  mutable std::once_flag once_;
  mutable std::optional<Schema> compiled_;
};

/// Immutable, shared by the registry and the calls that run it.
struct ServedTool {
  static constexpr std::string_view kind = "tool";
  const std::string& key() const { return tool.info.name; }
  const Visible& visible() const { return tool.info.visible; }
  bool has_scopes() const { return !tool.info.scopes.empty() || tool.info.scopes_of_call; }

  Tool tool;
  std::optional<Schema> input;                          // of tools that take JSON
  std::optional<Schema> output;                         // of tools whose results no type has made sure of
  std::shared_ptr<const LateSchema> typed_output = {};  // of the others: for what is answered in their place
  std::shared_ptr<SerialLine> line = {};                // of tools that do not run side by side
  std::string unusable;                                 // why its schema cannot be used, if it is served all the same
};

/// Whether all characters are those of a tool's name, and there is one.
bool is_name(std::string_view text);
/// Throws std::invalid_argument, naming the tool, if its name is not allowed.
void check_name(const std::string& name);

/// Throws std::invalid_argument, naming the tool, if its name is not allowed, or its schema is unusable and that is to
/// be refused.
std::shared_ptr<const ServedTool> serve(Tool tool, BadSchema on_bad_schema, SerialLines& lines);

}  // namespace toolwire::features
