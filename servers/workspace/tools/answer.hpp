// Composes a tool's answer: text for the model, the same facts as structured content for programs, details for people
// in `_meta`. Independent of the particular tool.
#pragma once

#include <chrono>
#include <string>
#include <toolwire/convert.hpp>
#include <toolwire/result.hpp>
#include <toolwire/tool.hpp>
#include <utility>

namespace workspace {

/// The key in a result's `_meta` for what people may want to see and a model need not read.
inline constexpr std::string_view details_key = "dev.toolwire/details";

/// `structured` is a described struct.
template <class T>
toolwire::ToolResult answer(std::string text, const T& structured) {
  toolwire::ToolResult result = toolwire::ToolResult::text(std::move(text));
  result.structured = toolwire::encode(structured);
  return result;
}

enum class Effect { reads, adds, replaces };

/// The description of a tool of this server: all hints, the schema of its structured content, its deadline.
template <class T>
toolwire::ToolInfo tool_info(std::string name, std::string title, Effect effect, std::chrono::milliseconds timeout,
                             std::string description) {
  toolwire::ToolInfo info{.read_only = effect == Effect::reads,
                          .destructive = effect == Effect::replaces,
                          .idempotent = effect == Effect::reads,
                          .open_world = false,
                          .timeout = timeout,
                          .output_schema = toolwire::schema_of<T>()};
  info.name = std::move(name);
  info.description = std::move(description);
  info.title = std::move(title);
  return info;
}

}  // namespace workspace
