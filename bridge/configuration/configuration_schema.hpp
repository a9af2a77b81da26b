// The JSON Schema of configurations (configuration.schema.json) as text.
#pragma once

#include <string_view>

namespace toolwire::bridge {

std::string_view configuration_schema_text();

}  // namespace toolwire::bridge
