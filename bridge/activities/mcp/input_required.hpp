// The questions in a back-end's result, and the form in which it gets the user's answers. Takes values, returns values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/ask.hpp>
#include <toolwire/json.hpp>

namespace toolwire::bridge::mcp {

/// A result that asks, 2026-07-28 basic/patterns/mrtr. A plain value.
struct InputRequired {
  Questions questions =
      {};  // under the server's keys, which the host sees, too; none if it only wants to be called again
  std::vector<std::string> keys = {};  // of these
  JsonObject next = {};                // members to send with the answers
};

/// Nothing if it asks what a server may not ask.
std::optional<InputRequired> input_required_from(const JsonObject& result);

/// The answers under `keys`, each of which was asked with `prefix` before it.
JsonObject responses_from(const JsonObject& answers, const std::string& prefix, const std::vector<std::string>& keys);

/// Whether the user has answered a request of a legacy server for this method. An older host that could not is reported
/// by the framework as {"action":"cancel"}, whatever was asked.
bool is_answer(std::string_view method, const Json& answer);

}  // namespace toolwire::bridge::mcp
