// The last steps of a tool's result, for programs that run tools by themselves: an exception becomes a result, a result
// is held against its schema, its texts are cut to what a model should read. A server does all of this for the tools
// that are registered with it. Takes values, returns values; knows no requests and no wire.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "toolwire/output_budget.hpp"
#include "toolwire/result.hpp"
#include "toolwire/schema.hpp"

namespace toolwire {

/// What an exception becomes for the model: the text of a ToolError, every violation of InvalidArguments. Of all others
/// it reads only that the tool failed; their details go to stderr, never to the wire. `thrown` must not be null.
ToolResult result_of_exception(const std::exception_ptr& thrown, std::string_view tool);

/// Every way in which the value does not fit, one a line, as a model reads them; empty if it fits.
std::string violations_of(const Schema& schema, const Json& value);

/// The failure "invalid_output" that is sent instead of a result that breaks its tool's promise. `why` is for the
/// model; stderr hears of it, too.
ToolResult held_back(std::string_view tool, std::string_view why);

/// Makes such a failure of a result that does not fit the output schema of its tool (specification: server/tools,
/// structured content). Errors are left alone.
void check_output(const Schema& schema, std::string_view tool, ToolResult& result);

/// The result with its texts cut one by one, each to what those before it have left of the budget. Structured content
/// stays whole.
ToolResult truncate_each_text(ToolResult&& result, const OutputBudget& budget);

}  // namespace toolwire
