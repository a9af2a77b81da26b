// Members of what a back-end lists, made fit for terminals; those of an unexpected kind count as absent.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>
#include <toolwire/tool.hpp>

namespace toolwire::bridge::mcp {

std::string clean_member(const Json& object, std::string_view name);
JsonObject meta_of(const Json& listed);
/// Those with https: and data: URIs.
std::vector<Icon> icons_of(const Json& listed);
Annotations annotations_of(const Json& listed);

}  // namespace toolwire::bridge::mcp
