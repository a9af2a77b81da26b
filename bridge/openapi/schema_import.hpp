// Schemas of an OpenAPI description as those of a tool: JSON Schema 2020-12 with nothing outside of itself. References
// are put in place of what they name, so that hosts that know none can use them; only what contains itself stays one.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "manifest/findings.hpp"
#include "openapi/document.hpp"

namespace toolwire::bridge::openapi {

/// For one tool. What cannot be carried over is a hint at its place in the description. One thread.
class SchemaImport {
 public:
  SchemaImport(const Document& document, Findings& notes) : document_(document), notes_(notes) {}

  /// `place` is where the schema stands.
  Json take(const Json& schema, const std::string& place);
  /// "$defs" of the tool's parameters; empty if there are none.
  JsonObject take_definitions() { return std::move(definitions_); }

 private:
  Json converted(const Json& schema, const std::string& place);
  Json from_reference(const JsonObject& schema, const std::string& reference, const std::string& place);
  JsonObject converted_members(const JsonObject& schema, const std::string& place);
  Json converted_member(const std::string& name, const Json& value, const std::string& place);
  JsonObject map_of(const JsonObject& schemas, const std::string& place, bool are_properties);
  JsonArray list_of(const JsonArray& schemas, const std::string& place);
  bool is_read_only(const Json& property) const;
  void leave_out_read_only(const JsonObject& schema, JsonObject& result) const;

  const Document& document_;
  Findings& notes_;
  std::size_t size_ = 0;
  std::vector<std::string> open_;             // references that are being put in place
  std::map<std::string, std::string> named_;  // those that contain themselves, with their names in "$defs"
  JsonObject definitions_;
};

}  // namespace toolwire::bridge::openapi
