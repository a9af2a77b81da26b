// The question whether a tool may run, and its answer. Takes values, returns values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <toolwire/bridge/call.hpp>
#include <toolwire/bridge/definition.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// A form with one boolean, `approve`. It shows the tool and its arguments without secrets; nothing in them can change
/// how the text around them looks.
Questions approval_question(const ToolDefinition& tool, const Call& call, std::string_view reason);

/// Whether the user said yes; nothing if there is no answer. Everything but an accepted form with `approve: true` is a
/// no.
std::optional<bool> approval_answer(const JsonObject& answers);

/// The first `max_size` bytes of the text made visible, with its lines, and how long it is if that is more.
std::string excerpt(std::string_view text, std::size_t max_size);

}  // namespace toolwire::bridge
