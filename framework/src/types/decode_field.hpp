// Reading a single member of a struct, limits included. Independent of the other
// members.
#pragma once

#include "toolwire/detail/type_table.hpp"
#include "toolwire/detail/violations.hpp"
#include "toolwire/json.hpp"

namespace toolwire::detail {

/// Reads `json` into the member that `field` describes of the struct at `owner`; violations start with the member's
/// name.
void decode_field(const FieldShape& field, const Json& json, void* owner, Violations& violations);

}  // namespace toolwire::detail
