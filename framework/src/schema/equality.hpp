// Equality of JSON values as JSON Schema means it: 1 equals 1.0, the order of members does not matter. Independent of
// schemas.
#pragma once

#include <cstdint>

#include "toolwire/json.hpp"

namespace toolwire::schema {

bool json_equal(const Json& left, const Json& right);

/// Equal values have equal hashes.
std::uint64_t json_hash(const Json& value);

/// Whether no two elements are equal. Takes a table from the heap for more than 256 elements only.
bool all_different(const JsonArray& elements);

}  // namespace toolwire::schema
