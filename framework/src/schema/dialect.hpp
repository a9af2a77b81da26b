// The keywords of the two dialects: which shape each must have, which of them hold subschemas, and to which vocabulary
// each belongs. One table; the compiler, the search for identifiers and the meta-schemas are all driven by it.
// Independent of what a keyword means.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "toolwire/schema.hpp"

namespace toolwire::schema {

enum class Keyword : std::uint8_t {
  id,
  schema,
  ref,
  anchor,
  dynamic_ref,
  dynamic_anchor,
  vocabulary,
  comment,
  defs,
  definitions,
  prefix_items,
  items,
  additional_items,
  contains,
  properties,
  pattern_properties,
  additional_properties,
  property_names,
  dependent_schemas,
  dependencies,
  all_of,
  any_of,
  one_of,
  not_,
  if_,
  then,
  else_,
  unevaluated_items,
  unevaluated_properties,
  type,
  enum_,
  const_,
  multiple_of,
  maximum,
  exclusive_maximum,
  minimum,
  exclusive_minimum,
  max_length,
  min_length,
  pattern,
  max_items,
  min_items,
  unique_items,
  max_contains,
  min_contains,
  max_properties,
  min_properties,
  required,
  dependent_required,
  format,
  content_encoding,
  content_media_type,
  content_schema,
  title,
  description,
  default_,
  deprecated,
  read_only,
  write_only,
  examples,
  count
};
constexpr std::size_t keyword_count = static_cast<std::size_t>(Keyword::count);

enum class Shape : std::uint8_t {
  anything,
  text,
  anchor,
  boolean,
  number,
  positive_number,
  count,
  type,
  texts,
  text_lists,
  values,
  vocabularies,
  schema,
  schemas,
  schema_map,
  schema_or_schemas,
  dependencies
};

enum Vocabulary : std::uint16_t {
  core = 1,
  applicator = 2,
  unevaluated = 4,
  validation = 8,
  meta_data = 16,
  format_annotation = 32,
  content = 64,
  format_assertion = 128
};
constexpr std::uint16_t standard_vocabularies = 127;

struct KeywordInfo {
  std::string_view name;
  Keyword keyword;
  Shape shape;
  Vocabulary vocabulary;
  bool in_2020_12, in_draft_07;
};

std::span<const KeywordInfo> keyword_table();

/// The keyword of that name, or nullptr.
const KeywordInfo* find_keyword(std::string_view name);
std::string_view keyword_name(Keyword keyword);

/// The rules of one schema resource.
struct Dialect {
  SchemaDialect draft = SchemaDialect::draft_2020_12;
  std::uint16_t vocabularies = standard_vocabularies;

  bool is_draft_07() const { return draft == SchemaDialect::draft_07; }
  bool knows(const KeywordInfo& keyword) const;
};

/// The dialect that `$schema` names, looking for custom meta-schemas among `documents`. Throws SchemaError
/// for others.
Dialect dialect_of(std::string_view uri, const std::string& where,
                   const std::map<std::string, Json, std::less<>>& documents);

/// Whether the value of a keyword has the required shape; else what was expected. Does not look into subschemas.
std::optional<std::string_view> wrong_shape(Shape shape, const Json& value);

}  // namespace toolwire::schema
