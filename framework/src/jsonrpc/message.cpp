#include "jsonrpc/message.hpp"

#include <cmath>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "toolwire/error_code.hpp"

namespace toolwire::jsonrpc {
namespace {

Malformed not_a_request(std::string id_text, std::string reason) {
  return Malformed{std::move(id_text), error_code::invalid_request, "Invalid Request: " + std::move(reason)};
}

/// Takes `params` out of an envelope; false if they are there but no object.
bool take_params(JsonObject& envelope, Json& into) {
  Json* params = envelope.if_contains("params");
  if (params != nullptr && params->is_object()) {
    into = std::move(*params);
    return true;
  }
  into = JsonObject{};
  return params == nullptr || params->is_null();
}

struct ReadId {
  bool present = false;
  std::optional<Id> id;  // empty though present: not a legal id
};

ReadId read_id(const JsonObject& envelope, std::string id_text) {
  const Json* value = envelope.if_contains("id");
  if (value == nullptr) return {};
  std::optional<std::string> key = key_of(*value);
  if (!key) return {true, std::nullopt};
  return {true, Id{std::move(id_text), std::move(*key)}};
}

Message request_or_notification(JsonObject& envelope, ReadId id) {
  std::string known_id = id.id ? id.id->text : std::string();
  const Json& method = envelope.at("method");
  if (!method.is_string()) return not_a_request(std::move(known_id), "\"method\" must be a string");
  if (envelope.contains("result") || envelope.contains("error")) {
    return not_a_request(std::move(known_id), "a message with \"method\" must not have \"result\" or \"error\"");
  }
  if (id.present && !id.id) return not_a_request("", "\"id\" must be a string or an integer");
  std::string name(method.get_string());
  if (!id.present) {
    Notification notification{std::move(name), {}};
    take_params(envelope, notification.params);
    return notification;
  }
  Request request{std::move(*id.id), std::move(name), {}, true, 0};
  request.params_usable = take_params(envelope, request.params);
  return request;
}

Message response(JsonObject& envelope, ReadId id) {
  bool has_result = envelope.contains("result");
  bool has_error = envelope.contains("error");
  if (!has_result && !has_error) {
    return not_a_request(id.id ? id.id->text : std::string(), "expected \"method\", \"result\" or \"error\"");
  }
  if (!id.id || (has_result && has_error)) return Ignored{};
  return Response{std::move(*id.id), has_error, std::move(envelope.at(has_error ? "error" : "result"))};
}

Message message_of(Json& value, std::string id_text) {
  JsonObject* envelope = value.if_object();
  if (envelope == nullptr) return not_a_request("", "a message must be a JSON object");
  ReadId id = read_id(*envelope, std::move(id_text));
  const Json* version = envelope->if_contains("jsonrpc");
  if (version == nullptr || *version != "2.0") {
    return not_a_request(id.id ? id.id->text : std::string(), "\"jsonrpc\" must be \"2.0\"");
  }
  return envelope->contains("method") ? request_or_notification(*envelope, std::move(id)) : response(*envelope, std::move(id));
}

/// Ids inside a batch are written again: their exact text is not kept, their value is.
std::string id_text_of(const Json& member) {
  const JsonObject* object = member.if_object();
  const Json* id = object != nullptr ? object->if_contains("id") : nullptr;
  return id != nullptr ? to_json_text(*id) : std::string();
}

Incoming batch_of(JsonArray& members) {
  if (members.empty()) return Message(not_a_request("", "a batch must have at least one message"));
  Batch batch;
  batch.reserve(members.size());
  for (Json& member : members) batch.push_back(message_of(member, id_text_of(member)));
  return batch;
}

}  // namespace

Incoming parse(std::string_view line, std::size_t max_depth) {
  auto parsed = json::parse_envelope(line, max_depth);
  if (auto* error = std::get_if<json::ParseError>(&parsed)) {
    return Message(
        Malformed{json::salvage_id(line).value_or(""), error_code::parse_error, "Parse error: " + std::move(error->message)});
  }
  auto& envelope = std::get<json::Envelope>(parsed);
  if (!envelope.duplicate.empty()) {
    return Message(not_a_request("", "the member \"" + envelope.duplicate + "\" occurs more than once"));
  }
  if (JsonArray* members = envelope.value.if_array()) return batch_of(*members);
  Message message = message_of(envelope.value, std::move(envelope.id_text));
  if (auto* request = std::get_if<Request>(&message)) request->bytes = line.size();
  return message;
}

std::optional<std::string> key_of(const Json& id) {
  std::string key;
  if (const JsonString* text = id.if_string()) {
    key.reserve(text->size() + 1);
    key.push_back('s');
    key.append(text->data(), text->size());
  } else if (id.is_int64() || id.is_uint64()) {
    key.push_back('n');
    json::write(key, id);
  } else if (const double* number = id.if_double(); number != nullptr && std::trunc(*number) == *number) {
    key.push_back('n');
    bool fits = *number >= -9.2e18 && *number <= 9.2e18;
    fits ? json::write_integer(key, static_cast<std::int64_t>(*number)) : json::write_double(key, *number);
  } else {
    return std::nullopt;
  }
  return key;
}

}  // namespace toolwire::jsonrpc
