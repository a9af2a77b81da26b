// The names that begin with an underscore and belong to the system.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace toolwire::bridge {

/// Those the bridge understands.
inline constexpr std::array<std::string_view, 4> known_meta_fields{"_tool", "_activity", "_reasoningForCall",
                                                                   "_output"};
/// Names of later documents of the native protocols.
inline constexpr std::array<std::string_view, 7> reserved_meta_fields{
    "_outputPath", "_outputMethod", "_instance", "_scopes", "_imports", "_delegate", "_module"};

/// The description of `_reasoningForCall` for a model.
inline constexpr std::string_view reasoning_description = "Why this call is made";

inline bool is_meta_field(std::string_view name) {
  return std::ranges::find(known_meta_fields, name) != known_meta_fields.end() ||
         std::ranges::find(reserved_meta_fields, name) != reserved_meta_fields.end();
}

}  // namespace toolwire::bridge
