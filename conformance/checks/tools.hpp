// The checks of tools, each table in the file of its name (tools_<topic>.cpp), and what they share.
#pragma once

#include <string>

#include "probe/check.hpp"

namespace toolwire::conformance {

std::span<const Check> tools_call_checks();
std::span<const Check> tools_changes_checks();
std::span<const Check> tools_input_checks();
std::span<const Check> tools_list_checks();
std::span<const Check> tools_structured_checks();

/// Skips if the server lists no tool.
void need_tools(const Probe& probe);
/// The texts of a tool result in a row.
std::string text_in(const Json& result);

}  // namespace toolwire::conformance
