// The names of Unicode properties: ECMA-262's long forms and RE2's short ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire::schema {

/// "Letter", "gc=Lu", "Script=Greek" … as RE2 writes it; nothing for properties that RE2 does not have.
std::optional<std::string> re2_property(std::string_view ecma);

}  // namespace toolwire::schema
