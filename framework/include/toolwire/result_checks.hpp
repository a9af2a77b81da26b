// The last steps of a tool's result, for programs that run tools by themselves: an exception becomes a result, a result
// is checked against its schema, its texts are cut to what a model should read. A server does all of this for the tools
// that are registered with it. Independent of requests and the wire.
#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <string_view>

#include "toolwire/output_budget.hpp"
#include "toolwire/result.hpp"
#include "toolwire/schema.hpp"

namespace toolwire {

/// What an exception becomes for the model: the text of a ToolError, every violation of InvalidArguments. Of any other
/// exception it reads only that the tool failed; the details go to stderr, never to the wire. `thrown` must not be
/// null.
ToolResult result_of_exception(const std::exception_ptr& thrown, std::string_view tool);

/// What a caller reads when a tool has not answered in time.
std::string timed_out_text(std::string_view tool, std::chrono::milliseconds limit);

/// Every way in which the value does not fit, one per line, as a model reads them; empty if it fits.
std::string violations_of(const Schema& schema, const Json& value);

/// The failure "invalid_output" that is sent instead of a result that breaks what its tool has promised. `why` is for
/// the model, and is written to stderr as well.
ToolResult held_back(std::string_view tool, std::string_view why);

/// Replaces a result by such a failure if it does not fit the output schema of its tool (specification: server/tools,
/// structured content). Error results are left as they are.
void check_output(const Schema& schema, std::string_view tool, ToolResult& result);

/// The result with its texts cut, one after the other, each to what is left of the budget after those before it.
/// Structured content stays whole.
ToolResult truncate_each_text(ToolResult&& result, const OutputBudget& budget);

}  // namespace toolwire
