#include "jsonrpc/message.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "json/fast.hpp"
#include "json/member_scan.hpp"
#include "json/parse.hpp"
#include "json/skip.hpp"
#include "json/writer.hpp"
#include "jsonrpc/plain_message.hpp"
#include "toolwire/detail/error_code.hpp"
#include "toolwire/text.hpp"

namespace toolwire::jsonrpc {
namespace {

Malformed not_a_request(std::string id_text, std::string reason) {
  return Malformed{std::move(id_text), error_code::invalid_request, "Invalid Request: " + std::move(reason)};
}

/// The members of a message, found in one walk. Null where there is none.
struct Members {
  Json* version = nullptr;
  Json* id = nullptr;
  Json* method = nullptr;
  Json* params = nullptr;
  Json* result = nullptr;
  Json* error = nullptr;

  explicit Members(JsonObject& envelope) {
    for (auto& [key, value] : envelope) {
      if (Json** member = member_named(key)) *member = &value;
    }
  }

 private:
  Json** member_named(std::string_view key) {
    switch (key.size()) {
      case 2:
        return key == "id" ? &id : nullptr;
      case 5:
        return key == "error" ? &error : nullptr;
      case 6:
        return key == "method" ? &method : key == "params" ? &params : key == "result" ? &result : nullptr;
      case 7:
        return key == "jsonrpc" ? &version : nullptr;
      default:
        return nullptr;
    }
  }
};

/// `params` by move, so that it keeps its arena; an empty object if there is no usable one.
Json taken_params(Json* params) {
  return params != nullptr && params->is_object() ? Json(std::move(*params)) : Json(JsonObject{});
}

Message request_or_notification(Members& members, std::optional<Id> id) {
  std::string known_id = id ? id->text : std::string();
  if (!members.method->is_string()) return not_a_request(std::move(known_id), "\"method\" must be a string");
  if (members.result != nullptr || members.error != nullptr) {
    return not_a_request(std::move(known_id), "a message with \"method\" must not have \"result\" or \"error\"");
  }
  if (members.id != nullptr && !id) return not_a_request("", "\"id\" must be a string or an integer");
  std::string method(members.method->get_string());
  if (members.id == nullptr) return Notification{std::move(method), taken_params(members.params)};
  bool usable = members.params == nullptr || members.params->is_object() || members.params->is_null();
  return Request{std::move(*id), std::move(method), taken_params(members.params), usable, 0};
}

Message response(Members& members, std::optional<Id> id) {
  if (members.result == nullptr && members.error == nullptr) {
    return not_a_request(id ? id->text : std::string(), "expected \"method\", \"result\" or \"error\"");
  }
  if (!id || (members.result != nullptr && members.error != nullptr)) return Ignored{};
  bool is_error = members.error != nullptr;
  return Response{std::move(*id), is_error, Json(std::move(is_error ? *members.error : *members.result))};
}

Message message_of(Json& value, std::string id_text) {
  JsonObject* envelope = value.if_object();
  if (envelope == nullptr) return not_a_request("", "a message must be a JSON object");
  Members members(*envelope);
  std::optional<Id> id;
  if (auto key = members.id != nullptr ? key_of(*members.id) : std::nullopt) {
    if (*key == id_text) key->clear();
    id = Id{std::move(id_text), std::move(*key)};
  }
  if (members.version == nullptr || *members.version != "2.0") {
    return not_a_request(id ? id->text : std::string(), "\"jsonrpc\" must be \"2.0\"");
  }
  return members.method != nullptr ? request_or_notification(members, std::move(id)) : response(members, std::move(id));
}

/// `line` is the text of the batch; `bytes` of memory are those of all members.
Incoming batch_of(std::string_view line, JsonArray& members, std::size_t max_batch, std::size_t bytes) {
  if (members.empty()) return Message(not_a_request("", "a batch must have at least one message"));
  if (members.size() > max_batch)
    return Message(not_a_request("", "a batch may have " + std::to_string(max_batch) + " messages at most"));
  Batch batch;
  batch.reserve(members.size());
  std::size_t end = line.find('[');  // or the comma before a member
  for (Json& member : members) {
    const std::size_t begin = json::skip_space(line, end + 1);
    end = json::skip_value(line, begin);
    batch.push_back(message_of(member, std::string(json::raw_id(line.substr(begin, end - begin)))));
    if (auto* request = std::get_if<Request>(&batch.back())) request->bytes = bytes / members.size();
  }
  return batch;
}

/// The content of a line, with the problem if it is not a message.
Incoming parse_any(std::string_view line, const Bounds& bounds) {
  const json::Arena* arena = nullptr;
  auto parsed = json::parse_envelope(line, bounds.text,
                                     json::arena_for(line.size(), std::numeric_limits<std::size_t>::max(), arena));
  if (auto* error = std::get_if<json::ParseError>(&parsed)) {
    return Message(Malformed{json::salvage_id(line).value_or(""), error_code::parse_error,
                             "Parse error: " + std::move(error->message)});
  }
  auto& envelope = std::get<json::Envelope>(parsed);
  if (!envelope.duplicate.empty()) {
    return Message(not_a_request("", "the member \"" + text::visible(envelope.duplicate) + "\" occurs more than once"));
  }
  const std::size_t bytes = std::max(line.size(), arena->used());
  if (JsonArray* members = envelope.value.if_array()) return batch_of(line, *members, bounds.batch, bytes);
  Message message = message_of(envelope.value, std::move(envelope.id_text));
  if (auto* request = std::get_if<Request>(&message)) request->bytes = bytes;
  return message;
}

Message without_memory_for(std::string_view line) {
  return Malformed{json::salvage_id(line).value_or(""), error_code::internal_error,
                   "Internal error: not enough memory for a message of " + std::to_string(line.size()) + " bytes"};
}

}  // namespace

Incoming parse(std::string_view line, const Bounds& bounds, json::KeptMember* kept) {
  Incoming incoming;
  try {
    if (!read_plain_message(line, bounds.text, std::get<Message>(incoming), kept)) incoming = parse_any(line, bounds);
  } catch (const std::bad_alloc&) {
    incoming = without_memory_for(line);
  }
  return incoming;
}

std::optional<std::string> key_of(const Json& id) {
  std::string key;
  if (const JsonString* text = id.if_string()) {
    json::write_string(key, *text);
  } else if (id.is_int64() || id.is_uint64()) {
    json::write(key, id);
  } else if (const double* number = id.if_double(); number != nullptr && std::trunc(*number) == *number) {
    const bool fits = *number >= -9.2e18 && *number <= 9.2e18;
    fits ? json::write_integer(key, static_cast<std::int64_t>(*number)) : json::write_double(key, *number);
  } else {
    return std::nullopt;
  }
  return key;
}

}  // namespace toolwire::jsonrpc
