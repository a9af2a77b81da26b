#include "inspect/asked_questions.hpp"

#include <algorithm>
#include <utility>

#include <toolwire/json_members.hpp>

namespace toolwire::inspect {
namespace {

constexpr std::string_view of_server = "server ", of_client = "client ";  // each counts its requests by itself

Json message_in(std::string_view line) {
  try {
    return parse_json(line);
  } catch (const JsonError&) {
    return {};
  }
}

/// The id of the request that the message cancels.
std::optional<std::string> cancelled_in(const Json& message) {
  if (text_or(message, "method") != "notifications/cancelled") return std::nullopt;
  const Json* const params = find_member(message, "params");
  const Json* const id = params == nullptr ? nullptr : find_member(*params, "requestId");
  return id == nullptr ? std::nullopt : std::optional(to_json_text(*id));
}

}  // namespace

std::optional<std::string> AskedQuestions::from_server(std::string_view line) {
  const Json message = message_in(line);
  if (const JsonArray* const batch = message.if_array()) {
    for (const Json& one : *batch) note(one);
    return std::nullopt;
  }
  note(message);
  const auto id = cancelled_in(message);
  return id ? std::optional(withdrawn(std::string(of_server) + *id)) : std::nullopt;
}

std::optional<std::string> AskedQuestions::to_server(std::string_view line) {
  const auto id = cancelled_in(message_in(line));
  return id ? std::optional(withdrawn(std::string(of_client) + *id)) : std::nullopt;
}

std::optional<AskedQuestions::Origin> AskedQuestions::take(std::string_view method, const Json& params) {
  const auto found =
      std::ranges::find_if(asked_, [&](const Asked& one) { return one.method == method && one.params == params; });
  if (found == asked_.end()) return std::nullopt;
  Origin origin = std::move(found->origin);
  asked_.erase(found);
  return origin;
}

bool AskedQuestions::is_of_server(std::string_view message) { return message.starts_with(of_server); }

/// What asks in it: a request of the server, or the requests in a result.
void AskedQuestions::note(const Json& message) {
  const Json* const id = find_member(message, "id");
  if (id == nullptr) return;
  if (find_member(message, "method") != nullptr) return note(std::string(of_server) + to_json_text(*id), message);
  const Json* const result = find_member(message, "result");
  const Json* const requests = result == nullptr ? nullptr : find_member(*result, "inputRequests");
  if (requests == nullptr || !requests->is_object()) return;
  for (const auto& [key, request] : requests->get_object()) note(std::string(of_client) + to_json_text(*id), request);
}

void AskedQuestions::note(std::string message, const Json& request) {
  const std::string method = text_or(request, "method");
  if (method == "ping" || method == "roots/list") return;  // nobody is shown those
  const Json* const params = find_member(request, "params");
  if (asked_.size() == max_asked) asked_.pop_front();
  asked_.push_back(
      {.method = method, .params = params == nullptr ? Json{} : *params, .origin = {.message = std::move(message)}});
}

std::string AskedQuestions::withdrawn(std::string message) {
  for (Asked& one : asked_) one.origin.is_withdrawn |= one.origin.message == message;
  return message;
}

}  // namespace toolwire::inspect
