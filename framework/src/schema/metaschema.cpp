#include "schema/metaschema.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

namespace toolwire::schema {
namespace {

constexpr std::string_view base_2020_12 = "https://json-schema.org/draft/2020-12/";
constexpr std::string_view name_2020_12 = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view name_draft_07 = "http://json-schema.org/draft-07/schema";

struct Part {
  Vocabulary vocabulary;
  std::string_view name;
};
constexpr std::array<Part, 8> parts = {{{core, "core"},
                                        {applicator, "applicator"},
                                        {unevaluated, "unevaluated"},
                                        {validation, "validation"},
                                        {meta_data, "meta-data"},
                                        {format_annotation, "format-annotation"},
                                        {content, "content"},
                                        {format_assertion, "format-assertion"}}};

Json any_of(Json first, Json second) {
  JsonArray both;
  both.push_back(std::move(first));
  both.push_back(std::move(second));
  return JsonObject{{"anyOf", std::move(both)}};
}

Json object_of(Json members) { return JsonObject{{"type", "object"}, {"additionalProperties", std::move(members)}}; }

Json distinct_texts() { return JsonObject{{"type", "array"}, {"items", {{"type", "string"}}}, {"uniqueItems", true}}; }

Json schemas(const Json& self) { return JsonObject{{"type", "array"}, {"minItems", 1}, {"items", self}}; }

Json type_names() {
  const Json names = JsonObject{{"enum", {"null", "boolean", "integer", "number", "string", "array", "object"}}};
  return any_of(names, JsonObject{{"type", "array"}, {"items", names}, {"minItems", 1}, {"uniqueItems", true}});
}

// The same shapes as wrong_shape() checks, said as a schema; `self` refers to the meta-schema as a whole.
Json shape_schema(Shape shape, const Json& self, bool old) {
  switch (shape) {
    case Shape::anything:
      return true;
    case Shape::text:
      return JsonObject{{"type", "string"}};
    case Shape::anchor:
      return JsonObject{{"type", "string"}, {"pattern", "^[A-Za-z_][-A-Za-z0-9._]*$"}};
    case Shape::boolean:
      return JsonObject{{"type", "boolean"}};
    case Shape::number:
      return JsonObject{{"type", "number"}};
    case Shape::positive_number:
      return JsonObject{{"type", "number"}, {"exclusiveMinimum", 0}};
    case Shape::count:
      return JsonObject{{"type", "integer"}, {"minimum", 0}};
    case Shape::type:
      return type_names();
    case Shape::texts:
      return distinct_texts();
    case Shape::text_lists:
      return object_of(distinct_texts());
    case Shape::values:
      return JsonObject{{"type", "array"}};
    case Shape::vocabularies:
      return object_of(JsonObject{{"type", "boolean"}});
    case Shape::schema:
      return self;
    case Shape::schemas:
      return schemas(self);
    case Shape::schema_map:
      return object_of(self);
    case Shape::schema_or_schemas:
      return old ? any_of(self, schemas(self)) : self;
    case Shape::dependencies:
      return object_of(any_of(self, distinct_texts()));
  }
  return true;
}

Json properties_of(const Json& self, bool old, unsigned vocabularies) {
  JsonObject properties;
  for (const KeywordInfo& info : keyword_table()) {
    const bool wanted = old ? info.in_draft_07 : info.in_2020_12 && (info.vocabulary & vocabularies) != 0;
    if (wanted)
      properties.emplace(boost::json::string_view(info.name.data(), info.name.size()),
                         shape_schema(info.shape, self, old));
  }
  return properties;
}

std::string part_name(const Part& part) { return fmt::format("{}meta/{}", base_2020_12, part.name); }

Json part_2020_12(const Part& part) {
  const Json self = JsonObject{{"$dynamicRef", "#meta"}};
  const unsigned covered =
      part.vocabulary == format_assertion ? unsigned{format_annotation} : unsigned{part.vocabulary};
  return JsonObject{{"$schema", std::string(name_2020_12)},
                    {"$id", part_name(part)},
                    {"$dynamicAnchor", "meta"},
                    {"type", {"object", "boolean"}},
                    {"properties", properties_of(self, false, covered)}};
}

Json whole_2020_12() {
  JsonArray all;
  for (const Part& part : parts) {
    if (part.vocabulary != format_assertion) all.push_back(JsonObject{{"$ref", "meta/" + std::string(part.name)}});
  }
  return JsonObject{{"$schema", std::string(name_2020_12)},
                    {"$id", std::string(name_2020_12)},
                    {"$dynamicAnchor", "meta"},
                    {"allOf", std::move(all)},
                    {"type", {"object", "boolean"}}};
}

Json whole_draft_07() {
  const Json self = JsonObject{{"$ref", "#"}};
  return JsonObject{{"$schema", fmt::format("{}#", name_draft_07)},
                    {"$id", fmt::format("{}#", name_draft_07)},
                    {"type", {"object", "boolean"}},
                    {"properties", properties_of(self, true, 0)}};
}

std::map<std::string, Json, std::less<>> all_metaschemas() {
  std::map<std::string, Json, std::less<>> all;
  all.emplace(name_2020_12, whole_2020_12());
  all.emplace(name_draft_07, whole_draft_07());
  for (const Part& part : parts) all.emplace(part_name(part), part_2020_12(part));
  return all;
}

}  // namespace

const Json* find_metaschema(std::string_view uri) {
  static const auto all = all_metaschemas();
  const auto found = all.find(uri);
  return found == all.end() ? nullptr : &found->second;
}

Dialect dialect_of_metaschema(std::string_view uri, const std::string& where) {
  return dialect_of(uri == name_draft_07 ? name_draft_07 : name_2020_12, where, {});
}

}  // namespace toolwire::schema
