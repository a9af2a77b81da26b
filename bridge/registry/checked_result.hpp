// The last checks of a result: whether it fits its tool's `_output`, and how much a model may be sent at once. Takes
// values, returns values.
#pragma once

#include <toolwire/bridge/registry.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// The result as it may be sent: structured content that fits `_output`, else the failure "invalid_output". For an
/// Activity that returns only text (a process, for example) the text is the output if it fits, or the JSON in it if
/// that does.
ToolResult checked_output(const RegisteredTool& tool, ToolResult&& result);

/// Which part of a long text is more useful to a model: results of a search begin with the best, output of a command
/// ends with how it went.
enum class Keep { head, head_and_tail, tail };

/// Text beyond the bounds is cut at whole lines, with a notice saying what is missing. Structured content beyond them
/// becomes the failure "too_large".
ToolResult bounded(ToolResult&& result, const OutputBounds& bounds, Keep keep);

}  // namespace toolwire::bridge
