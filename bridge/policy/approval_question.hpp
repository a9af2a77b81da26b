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
/// how the text around them looks. Where the arguments are too long to be shown whole, it says how much of them is not
/// shown, and the form has a second boolean, `approve_unseen`.
Questions approval_question(const ToolDefinition& tool, const Call& call, std::string_view reason);

/// Whether the user said yes to this call; nothing if there is no answer. Everything but an accepted form with
/// `approve: true`, and with `approve_unseen: true` where its question has that, is a no.
std::optional<bool> approval_answer(const JsonObject& answers, const ToolDefinition& tool, const Call& call);

/// Arguments as a question shows them.
struct ShownArguments {
  std::string text;        ///< JSON, made visible.
  std::size_t unseen = 0;  ///< Bytes that are not in it.
};

/// All of the JSON text if it has at most `max_size` bytes. Otherwise every member with the beginning and the end of
/// long texts; or, where there are too many members for that, the beginning and the end of the whole.
ShownArguments shown_arguments(const std::string& json, std::size_t max_size);

/// The first `max_size` bytes of the text made visible, with its lines, and how long it is if that is more.
std::string excerpt(std::string_view text, std::size_t max_size);

}  // namespace toolwire::bridge
