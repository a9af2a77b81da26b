#include "features/served_tool.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "features/check_written.hpp"
#include "features/parameter_header.hpp"
#include "features/registry.hpp"
#include "log/log.hpp"

namespace toolwire::features {
namespace {

[[noreturn]] void refuse(const std::string& tool, const std::string& why) {
  throw std::invalid_argument("tool \"" + tool + "\": " + why);
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

bool has_object_root(const Json& schema) {
  const JsonObject* object = schema.if_object();
  const Json* type = object != nullptr ? object->if_contains("type") : nullptr;
  return type != nullptr && *type == "object";
}

/// Throws std::runtime_error if a schema could not be listed. That of a C++ type may have a default that is no number.
void expect_written(const std::string& which, const Json& schema) {
  try {
    check_written(schema);
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error("its " + which + " schema is unusable: " + error.what());
  }
}

/// Compiles a schema that does not come from a C++ type. Throws std::runtime_error saying which schema is unusable and
/// why.
void compile(ServedTool& served) {
  const ToolInfo& info = served.tool.info;
  expect_written("input", info.input_schema);
  expect_written("output", info.output_schema);
  if (!has_object_root(info.input_schema))
    throw std::runtime_error("its input schema must be an object with \"type\": \"object\"");
  if (const auto wrong = wrong_parameter_header(info.input_schema)) throw std::runtime_error(*wrong);
  try {
    if (served.tool.takes_json) served.input = Schema::compile(info.input_schema);
  } catch (const SchemaError& error) {
    throw std::runtime_error(std::string("its input schema is unusable: ") + error.what());
  }
  try {
    if (served.tool.checks_output) served.output = Schema::compile(info.output_schema);
  } catch (const SchemaError& error) {
    throw std::runtime_error(std::string("its output schema is unusable: ") + error.what());
  }
  const bool is_typed = !served.tool.checks_output && !info.output_schema.is_null();
  if (is_typed) served.typed_output = std::make_shared<const LateSchema>();
}

std::shared_ptr<SerialLine> line_of(const ToolInfo& info, SerialLines& lines) {
  if (!info.serial_group.empty()) return lines.of_group(info.serial_group);
  return info.serial ? lines.of_tool(info.name) : nullptr;
}

}  // namespace

const Schema* LateSchema::get(const ToolInfo& tool) const {
  std::call_once(once_, [&] {
    try {
      compiled_ = Schema::compile(tool.output_schema);
    } catch (const SchemaError& error) {
      process::log(LogLevel::error, "tool \"" + tool.name + "\": its output schema is unusable: " + error.what());
    }
  });
  return compiled_ ? &*compiled_ : nullptr;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_name_character);
}

void check_name(const std::string& name) {
  if (!is_name(name) || name.size() > 128)
    refuse(name, "a name has 1 to 128 of the characters A-Z, a-z, 0-9, '_', '-' and '.'");
}

std::shared_ptr<const ServedTool> serve(Tool tool, BadSchema on_bad_schema, SerialLines& lines) {
  check_name(tool.info.name);
  try {
    check_scopes(tool.info.scopes);
    check_meta(tool.info.meta);
  } catch (const std::invalid_argument& error) {
    refuse(tool.info.name, error.what());
  }
  if (tool.info.only_as_task && !tool.info.long_running)
    refuse(tool.info.name, "only_as_task is for tools that are long_running");
  if (tool.info.asks_before_task && !tool.info.long_running)
    refuse(tool.info.name, "asks_before_task is for tools that are long_running");
  auto served = std::make_shared<ServedTool>();
  served->tool = std::move(tool);
  served->line = line_of(served->tool.info, lines);
  try {
    compile(*served);
  } catch (const std::runtime_error& error) {
    if (on_bad_schema == BadSchema::refuse) refuse(served->tool.info.name, error.what());
    served->unusable = error.what();
    served->tool.info.input_schema = JsonObject{{"type", "object"}};
    served->tool.info.output_schema = nullptr;
  }
  return served;
}

}  // namespace toolwire::features
