// The last stations of a result: the promise of its tool, and how much a model may be sent at once.
// Takes values, returns values.
#pragma once

#include <toolwire/bridge/registry.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// The result as it may be sent: structured content that fits `_output`, else the failure "invalid_output". An
/// Activity that knows only text (a process, say) is met half-way: its text counts as the output if it fits, or the
/// JSON in it if that does.
ToolResult checked_output(const RegisteredTool& tool, ToolResult&& result);

/// Which part of a long text a model is better off with: results of a search begin with the best, output of a command
/// ends with what became of it.
enum class Keep { head, head_and_tail };

/// Text beyond the bounds is cut at whole lines, with a notice saying what is missing. Structured content beyond them
/// becomes the failure "too_large".
ToolResult bounded(ToolResult&& result, const OutputBounds& bounds, Keep keep);

}  // namespace toolwire::bridge
