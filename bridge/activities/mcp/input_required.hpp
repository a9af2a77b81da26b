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
  /// Under the server's keys, which the host sees, too; none if it only wants to be called again.
  Questions questions = {};
  JsonObject next = {};  // members to send with the answers
};

/// Nothing if it asks what a server may not ask.
std::optional<InputRequired> input_required_from(const JsonObject& result);

/// Has the keys of the questions say which round of their request they are of, and what is to be sent with the answers,
/// so that any process with the same sealed state can go on. The host does not see that.
void add_to_keys(Questions& questions, unsigned round, const JsonObject& next);

/// What the last round that was answered says. A plain value.
struct NextInput {
  unsigned round = 0;
  JsonObject members = {};  // inputResponses, and what is sent with them
};

/// Nothing if no such question was answered.
std::optional<NextInput> next_input(const JsonObject& answers);

/// What a question to the user says is made fit to be shown: its message, and the prose of its form, without what
/// cannot be seen, terminal sequences and the values of `secrets`. Names and values stay, for they come back; so do
/// questions to a model.
void make_fit_to_show(Question& question, const std::vector<std::string>& secrets);

/// Whether the user has answered a request of a legacy server for this method. An older host that could not is reported
/// by the framework as {"action":"cancel"}, whatever was asked.
bool is_answer(std::string_view method, const Json& answer);

}  // namespace toolwire::bridge::mcp
