// What a tool's schema says about the parameters that templates name. Takes values, returns values.
#pragma once

#include <string>
#include <vector>

#include <toolwire/bridge/definition.hpp>
#include <toolwire/json.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// Finds names that no parameter of the tool has: otherwise a misspelt name would show only when the tool is called.
void check_names(const std::vector<std::string>& names, const ToolDefinition& tool, const std::string& pointer,
                 Findings& findings);

/// The `default`s of the tool's parameters.
JsonObject defaults_of(const ToolDefinition& tool);

/// The parameters, and the defaults of those that are absent.
Json with_defaults(const Json& parameters, const JsonObject& defaults);

}  // namespace toolwire::bridge
