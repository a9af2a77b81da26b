#include "schema/dialect.hpp"

#include <algorithm>
#include <array>

#include "schema/key_table.hpp"

namespace toolwire::schema {
namespace {

using K = Keyword;
using S = Shape;

constexpr std::string_view uri_2020_12 = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view uri_draft_07 = "http://json-schema.org/draft-07/schema";
constexpr std::string_view vocabulary_prefix = "https://json-schema.org/draft/2020-12/vocab/";

// `definitions` and `dependencies` stay in 2020-12 as its meta-schema keeps them: old schemas use both.
constexpr std::array<KeywordInfo, keyword_count> keywords = {{
    {"$id", K::id, S::text, core, true, true},
    {"$schema", K::schema, S::text, core, true, true},
    {"$ref", K::ref, S::text, core, true, true},
    {"$anchor", K::anchor, S::anchor, core, true, false},
    {"$dynamicRef", K::dynamic_ref, S::text, core, true, false},
    {"$dynamicAnchor", K::dynamic_anchor, S::anchor, core, true, false},
    {"$vocabulary", K::vocabulary, S::vocabularies, core, true, false},
    {"$comment", K::comment, S::text, core, true, true},
    {"$defs", K::defs, S::schema_map, core, true, false},
    {"definitions", K::definitions, S::schema_map, core, true, true},
    {"prefixItems", K::prefix_items, S::schemas, applicator, true, false},
    {"items", K::items, S::schema_or_schemas, applicator, true, true},
    {"additionalItems", K::additional_items, S::schema, applicator, false, true},
    {"contains", K::contains, S::schema, applicator, true, true},
    {"properties", K::properties, S::schema_map, applicator, true, true},
    {"patternProperties", K::pattern_properties, S::schema_map, applicator, true, true},
    {"additionalProperties", K::additional_properties, S::schema, applicator, true, true},
    {"propertyNames", K::property_names, S::schema, applicator, true, true},
    {"dependentSchemas", K::dependent_schemas, S::schema_map, applicator, true, false},
    {"dependencies", K::dependencies, S::dependencies, applicator, true, true},
    {"allOf", K::all_of, S::schemas, applicator, true, true},
    {"anyOf", K::any_of, S::schemas, applicator, true, true},
    {"oneOf", K::one_of, S::schemas, applicator, true, true},
    {"not", K::not_, S::schema, applicator, true, true},
    {"if", K::if_, S::schema, applicator, true, true},
    {"then", K::then, S::schema, applicator, true, true},
    {"else", K::else_, S::schema, applicator, true, true},
    {"unevaluatedItems", K::unevaluated_items, S::schema, unevaluated, true, false},
    {"unevaluatedProperties", K::unevaluated_properties, S::schema, unevaluated, true, false},
    {"type", K::type, S::type, validation, true, true},
    {"enum", K::enum_, S::values, validation, true, true},
    {"const", K::const_, S::anything, validation, true, true},
    {"multipleOf", K::multiple_of, S::positive_number, validation, true, true},
    {"maximum", K::maximum, S::number, validation, true, true},
    {"exclusiveMaximum", K::exclusive_maximum, S::number, validation, true, true},
    {"minimum", K::minimum, S::number, validation, true, true},
    {"exclusiveMinimum", K::exclusive_minimum, S::number, validation, true, true},
    {"maxLength", K::max_length, S::count, validation, true, true},
    {"minLength", K::min_length, S::count, validation, true, true},
    {"pattern", K::pattern, S::text, validation, true, true},
    {"maxItems", K::max_items, S::count, validation, true, true},
    {"minItems", K::min_items, S::count, validation, true, true},
    {"uniqueItems", K::unique_items, S::boolean, validation, true, true},
    {"maxContains", K::max_contains, S::count, validation, true, false},
    {"minContains", K::min_contains, S::count, validation, true, false},
    {"maxProperties", K::max_properties, S::count, validation, true, true},
    {"minProperties", K::min_properties, S::count, validation, true, true},
    {"required", K::required, S::texts, validation, true, true},
    {"dependentRequired", K::dependent_required, S::text_lists, validation, true, false},
    {"format", K::format, S::text, format_annotation, true, true},
    {"contentEncoding", K::content_encoding, S::text, content, true, true},
    {"contentMediaType", K::content_media_type, S::text, content, true, true},
    {"contentSchema", K::content_schema, S::schema, content, true, false},
    {"title", K::title, S::text, meta_data, true, true},
    {"description", K::description, S::text, meta_data, true, true},
    {"default", K::default_, S::anything, meta_data, true, true},
    {"deprecated", K::deprecated, S::boolean, meta_data, true, false},
    {"readOnly", K::read_only, S::boolean, meta_data, true, true},
    {"writeOnly", K::write_only, S::boolean, meta_data, true, true},
    {"examples", K::examples, S::values, meta_data, true, true},
}};

constexpr std::array<std::string_view, 8> vocabulary_names = {
    "core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content", "format-assertion"};

std::uint16_t vocabulary_bit(std::string_view uri) {
  if (!uri.starts_with(vocabulary_prefix)) return 0;
  const auto name = std::find(vocabulary_names.begin(), vocabulary_names.end(), uri.substr(vocabulary_prefix.size()));
  return name == vocabulary_names.end() ? std::uint16_t{0}
                                        : static_cast<std::uint16_t>(1U << (name - vocabulary_names.begin()));
}

Dialect dialect_of_vocabularies(const JsonObject& listed, const std::string& where) {
  Dialect dialect{SchemaDialect::draft_2020_12, core};
  for (const auto& member : listed) {
    const std::uint16_t bit = vocabulary_bit({member.key().data(), member.key().size()});
    if (bit == 0 && member.value() == Json(true)) {
      throw SchemaError(where, "the meta-schema requires the unknown vocabulary \"" + std::string(member.key()) + "\"");
    }
    dialect.vocabularies = static_cast<std::uint16_t>(dialect.vocabularies | bit);
  }
  return dialect;
}

}  // namespace

std::span<const KeywordInfo> keyword_table() { return keywords; }

const KeywordInfo* find_keyword(std::string_view name) {
  static const KeyTable table = [] {
    KeyTable names;
    for (const KeywordInfo& info : keywords) names.add(info.name);
    return names;
  }();
  const std::uint32_t index = table.find(name);
  return index == KeyTable::none ? nullptr : &keywords[index];
}

std::string_view keyword_name(Keyword keyword) { return keywords[static_cast<std::size_t>(keyword)].name; }

bool Dialect::knows(const KeywordInfo& keyword) const {
  if (is_draft_07()) return keyword.in_draft_07;
  if (keyword.vocabulary == format_annotation)
    return keyword.in_2020_12;  // an annotation costs nothing, and may be asserted
  return keyword.in_2020_12 && (vocabularies & keyword.vocabulary) != 0;
}

Dialect dialect_of(std::string_view uri, const std::string& where,
                   const std::map<std::string, Json, std::less<>>& documents) {
  const std::string_view plain = uri.ends_with('#') ? uri.substr(0, uri.size() - 1) : uri;
  if (plain == uri_2020_12) return {SchemaDialect::draft_2020_12, standard_vocabularies};
  if (plain == uri_draft_07) return {SchemaDialect::draft_07, standard_vocabularies};
  if (const auto own = documents.find(plain); own != documents.end() && own->second.is_object()) {
    const JsonObject& meta = own->second.get_object();
    if (const Json* listed = meta.if_contains("$vocabulary"); listed && listed->is_object()) {
      return dialect_of_vocabularies(listed->get_object(), where);
    }
    const Json* base = meta.if_contains("$schema");
    if (base && base->is_string() && base->get_string() != uri) {
      const auto& text = base->get_string();
      const std::string_view next{text.data(), text.size()};
      if (next == uri_2020_12 || next.starts_with(uri_draft_07)) return dialect_of(next, where, documents);
    }
  }
  throw SchemaError(where, "\"" + std::string(uri) + "\" is not a dialect this validator knows; it knows \"" +
                               std::string(uri_2020_12) + "\" and \"" + std::string(uri_draft_07) + "#\"");
}

}  // namespace toolwire::schema
