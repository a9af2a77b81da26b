// Splits the arguments of a call into meta fields and parameters. Takes values, returns values.
#pragma once

#include <optional>
#include <string>

#include <toolwire/bridge/call.hpp>
#include <toolwire/bridge/resolution.hpp>
#include <toolwire/bridge/tool_registry.hpp>

namespace toolwire::bridge {

/// Whether `_tool` and `_activity` must be there (a document a model filled) or may be (arguments of a client).
enum class Identity { required, optional };

/// The Call in an object of arguments with meta fields. Throws InvalidArguments listing the problems of these: a
/// `_tool` or `_activity` other than the resolved ones, a `_reasoningForCall` that is no string, reserved and unknown
/// names. The parameters are not looked at.
Call split_call(const RegisteredTool& tool, const Resolution& resolution, const Json& arguments, Identity identity);

/// Every way in which the parameters do not fit the tool, one a line; nothing if they fit.
std::optional<std::string> misfit(const RegisteredTool& tool, const Json& parameters);

/// The Call as a model fills it, meta fields first.
JsonObject filled(const Call& call);

}  // namespace toolwire::bridge
