#include "protocol/tools/structured_root.hpp"

#include <utility>

namespace toolwire::protocol {

bool has_object_root(const Json& schema) {
  const JsonObject* object = schema.if_object();
  const Json* type = object != nullptr ? object->if_contains("type") : nullptr;
  return type != nullptr && *type == "object";
}

bool wraps_structured(const Revision& revision, const Json& output_schema) {
  if (!revision.structured_output || revision.any_structured_root) return false;
  if (!output_schema.is_object() || has_object_root(output_schema)) return false;
  return to_json_text(output_schema).find(R"("$ref":"#)") == std::string::npos;
}

Json wrapped(Json value) { return JsonObject{{"result", std::move(value)}}; }

Json wrapped_schema(const Json& output_schema) {
  return JsonObject{
      {"type", "object"}, {"properties", JsonObject{{"result", output_schema}}}, {"required", JsonArray{"result"}}};
}

}  // namespace toolwire::protocol
