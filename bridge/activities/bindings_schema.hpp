// The JSON Schema of bindings files (bindings.schema.json) as text.
#pragma once

#include <string_view>

namespace toolwire::bridge {

std::string_view bindings_schema_text();

}  // namespace toolwire::bridge
