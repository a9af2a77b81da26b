// The meta-schemas of both dialects, made from the keyword table: `$ref` to them works without anything being fetched.
// Independent of compiling.
#pragma once

#include <string>
#include <string_view>

#include "schema/dialect.hpp"

namespace toolwire::schema {

/// The meta-schema, or the part of it for one vocabulary of 2020-12, under that URI (without fragment); nullptr for
/// others.
const Json* find_metaschema(std::string_view uri);

Dialect dialect_of_metaschema(std::string_view uri, const std::string& where);

}  // namespace toolwire::schema
