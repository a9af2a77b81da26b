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

Failure refusal(const Json& error) {
  const Json* code = find_member(error, "code");
  const Json* data = find_member(error, "data");
  if (code == nullptr || !code->is_int64())
    return {.kind = Failure::Kind::refused,
            .text = "the server sent an error without an integer code: " + to_json_text(error),
            .code = error_code::internal_error};
  return {.kind = Failure::Kind::refused,
          .text = text_or(error, "message"),
          .code = static_cast<int>(code->get_int64()),
          .data = data == nullptr ? Json{} : *data};
}

}  // namespace

std::optional<std::int64_t> own_id(std::string_view key) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
  if (error != std::errc{} || end != key.data() + key.size()) return std::nullopt;
  return id;
}

Pending::Outcome outcome_of(jsonrpc::Response&& response) {
  if (response.is_error) return refusal(response.outcome);
  return std::move(response.outcome);
}

Failure unreadable(const std::string& reason) {
  return {.kind = Failure::Kind::refused,
          .text = "the server's answer cannot be read: " + reason,
          .code = error_code::parse_error};
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
