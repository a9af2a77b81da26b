// What a call of an operation sends: the parameters of the tool, and the template of the request in which they stand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

#include "manifest/findings.hpp"
#include "manifest/tool_name.hpp"
#include "openapi/document.hpp"
#include "openapi/schema_import.hpp"

namespace toolwire::bridge::openapi {

/// For one operation, in the order of the functions. One thread.
class RequestImport {
 public:
  RequestImport(const Document& document, Findings& notes)
      : document_(document), notes_(notes), schemas_(document, notes) {}

  /// The parameters of the path item, then those of the operation, which take their places.
  void take_parameters(const JsonObject& path_item, const std::string& path_place, const JsonObject& operation,
                       const std::string& place);
  void take_body(const JsonObject& operation, const std::string& method, const std::string& place);

  /// Whether what has to be sent can be.
  bool is_possible() const { return possible_; }
  /// The tool's `parameters`.
  Json take_parameters_schema();
  /// A binding of the kind "http", but for the security.
  JsonObject binding(const std::string& base_url, std::string_view path, const std::string& method);

 private:
  struct Stated {
    const JsonObject* parameter;
    std::string place;
  };
  std::vector<Stated> stated_parameters(const JsonObject& holder, const std::string& place);
  void take_parameter(const JsonObject& parameter, const std::string& place);
  void take_query(const JsonObject& parameter, const Json& schema, const std::string& name, bool required,
                  const std::string& place);
  void take_path(const JsonObject& parameter, Json schema, const std::string& name, const std::string& place);
  void take_deep_object(const Json& schema, const std::string& name, bool required, const std::string& place,
                        JsonObject& fields);
  void take_deep_field(const Json& schema, const std::string& field, const std::string& wanted, bool required,
                       const std::string& place, JsonObject& fields);
  void take_json_body(const Json& schema, bool required, const std::string& place);
  void take_form(const Json& schema, const JsonObject& media, bool required, const std::string& place);
  void cannot_send(bool required, const std::string& place, const std::string& why);
  std::string add(std::string_view wanted, Json schema, std::string_view description, bool required);

  const Document& document_;
  Findings& notes_;
  SchemaImport schemas_;
  NameMapping names_;
  bool possible_ = true;
  JsonObject properties_;
  JsonArray required_;
  JsonObject path_names_;  // names in the path, with the placeholders that take their places
  JsonObject query_;
  JsonObject headers_;
  Json body_ = nullptr;
  JsonObject form_;
  bool is_form_ = false;
};

}  // namespace toolwire::bridge::openapi
