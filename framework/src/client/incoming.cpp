#include "client/incoming.hpp"

#include <charconv>
#include <string>
#include <utility>

#include "protocol/revision.hpp"

#include <toolwire/json_members.hpp>

namespace toolwire::client {
namespace {

std::optional<std::int64_t> own_id(const Json* value) {
  if (value == nullptr) return std::nullopt;
  const auto key = jsonrpc::key_of(*value);
  return key ? client::own_id(*key) : std::nullopt;
}

std::optional<double> number(const Json* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

/// Servers that write all members of their answers write null in one of the two.
std::optional<MeantAnswer> meant_by(Json& message) {
  const JsonObject* const members = message.if_object();
  if (members == nullptr || members->contains("method")) return std::nullopt;
  const Json* const result = members->if_contains("result");
  const Json* const error = members->if_contains("error");
  const Json* const id = members->if_contains("id");
  if (result == nullptr && error == nullptr) return std::nullopt;
  const bool are_both = result != nullptr && error != nullptr;
  if (!are_both && id != nullptr && jsonrpc::key_of(*id)) return std::nullopt;
  const auto as = [&](Pending::Outcome outcome, std::string reason) {
    return MeantAnswer{.id = own_id(id), .outcome = std::move(outcome), .reason = std::move(reason)};
  };
  if (!are_both && error != nullptr && (id == nullptr || id->is_null()))
    return MeantAnswer{.id = std::nullopt,
                       .outcome = refusal(*error),
                       .reason = "an error without the id of a request",
                       .is_nameless = true};
  if (!are_both) return as(Json{}, "an answer without the id of a request");
  if (error->is_null()) return as(*result, "\"error\": null beside the result; expected one of the two");
  if (result->is_null()) return as(refusal(*error), "\"result\": null beside the error; expected one of the two");
  const std::string reason = "a result and an error in one answer; expected one of the two";
  return as(unreadable(reason), reason);
}

}  // namespace

Failure refusal(const Json& error) {
  const Json* code = find_member(error, "code");
  const Json* data = find_member(error, "data");
  if (code == nullptr || !code->is_int64() || !std::in_range<int>(code->get_int64()))
    return {.kind = Failure::Kind::refused,
            .text = "the server sent an error without an integer code: " + to_json_text(error),
            .code = error_code::internal_error};
  return {.kind = Failure::Kind::refused,
          .text = text_or(error, "message"),
          .code = static_cast<int>(code->get_int64()),
          .data = data == nullptr ? Json{} : *data};
}

std::optional<std::int64_t> own_id(std::string_view key) {
  const bool is_text = key.size() > 2 && key.front() == '"' && key.back() == '"';
  if (is_text) key = key.substr(1, key.size() - 2);
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
  if (error != std::errc{} || end != key.data() + key.size()) return std::nullopt;
  if (is_text && std::to_string(id) != key) return std::nullopt;
  return id;
}

std::vector<MeantAnswer> answers_meant_by(std::string_view line, const jsonrpc::Bounds& bounds) {
  std::vector<MeantAnswer> answers;
  const auto take = [&](Json& message) {
    if (auto answer = meant_by(message)) answers.push_back(std::move(*answer));
  };
  try {
    Json json = parse_json(line, {.max_depth = bounds.text.depth, .max_values = bounds.text.values});
    if (JsonArray* const batch = json.if_array()) {
      for (Json& message : *batch) take(message);
    } else {
      take(json);
    }
  } catch (const JsonError&) {  // it was read before
  }
  return answers;
}

Pending::Outcome outcome_of(jsonrpc::Response&& response) {
  if (response.is_error) return refusal(response.outcome);
  return std::move(response.outcome);
}

Failure unreadable(const std::string& reason) {
  return {.kind = Failure::Kind::refused,
          .text = "the server's answer cannot be read: " + reason,
          .code = error_code::parse_error,
          .data = JsonObject{{"outcome", "unknown"}}};
}

std::optional<ProgressOf> progress_of(const Json& params) {
  const auto id = own_id(find_member(params, "progressToken"));
  const auto progress = number(find_member(params, "progress"));
  if (!id || !progress) return std::nullopt;
  return ProgressOf{
      *id,
      {.progress = *progress, .total = number(find_member(params, "total")), .message = text_or(params, "message")}};
}

Addressee addressee_of(std::string_view method, const Json& params) {
  const Json* meta = find_member(params, "_meta");
  if (const Json* subscription = meta == nullptr ? nullptr : find_member(*meta, protocol::meta_key::subscription_id))
    return {Addressee::Kind::subscription, own_id(subscription)};
  // 2026-07-28 basic/patterns/cancellation: the server ends a subscription
  if (method == "notifications/cancelled")
    return {Addressee::Kind::ended_subscription, own_id(find_member(params, "requestId"))};
  return {};
}

jsonrpc::Malformed too_long(std::string_view beginning, std::size_t max_line, const jsonrpc::Bounds& bounds) {
  jsonrpc::Malformed malformed{
      .id_text = {}, .code = 0, .reason = "the line is longer than " + std::to_string(max_line) + " bytes"};
  auto read = jsonrpc::parse(beginning, bounds);
  const auto* message = std::get_if<jsonrpc::Message>(&read);
  if (const auto* cut = message == nullptr ? nullptr : std::get_if<jsonrpc::Malformed>(message))
    malformed.id_text = cut->id_text;
  return malformed;
}

}  // namespace toolwire::client
