#include "driver/message.hpp"

#include <algorithm>
#include <cctype>

namespace toolwire::conformance {
namespace {

const Json nothing = nullptr;

Message::Kind kind_of(const JsonObject& object, std::string& problem) {
  const bool has_id = object.contains("id");
  if (const Json* method = object.if_contains("method")) {
    if (!method->is_string()) problem = "its method is no string";
    return !problem.empty() ? Message::Kind::foreign : has_id ? Message::Kind::request : Message::Kind::notification;
  }
  if (object.contains("result") || object.contains("error")) return Message::Kind::response;
  problem = "an object with neither method, result nor error";
  return Message::Kind::foreign;
}

}  // namespace

std::string Message::method() const { return std::string(text_of(member("method"))); }

std::optional<Json> Message::id() const {
  const JsonObject* object = json.if_object();
  const Json* id = object != nullptr ? object->if_contains("id") : nullptr;
  return id != nullptr ? std::optional<Json>(*id) : std::nullopt;
}

bool Message::is_error() const { return kind == Kind::response && !member("error").is_null(); }

const Json& Message::member(std::string_view name) const { return get(json, name); }

std::int64_t Message::error_code() const {
  const Json& code = get(json, "error", "code");
  return code.is_int64() ? code.get_int64() : 0;
}

bool refuses_as_too_many(const Message& response) {
  if (!response.is_error() && get(response.json, "result", "isError") != Json(true)) return false;
  std::string text = response.text;
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return c == '_' || c == '-' ? ' ' : std::tolower(c); });
  constexpr std::string_view words[] = {"rate limit",      "ratelimit",      "too many requests", "too many calls",
                                        "toomanyrequests", "throttl",        "quota exceeded",    "calls per ",
                                        "requests per ",   "limit of calls", "calls a minute",    "calls a second"};
  return std::ranges::any_of(words, [&](std::string_view it) { return text.find(it) != std::string::npos; });
}

Message read_message(std::string_view line, bool ended) {
  Message message{.text = std::string(line), .ended = ended};
  try {
    message.json = parse_json(line, {.max_depth = 512});
  } catch (const JsonError& error) {
    message.problem = std::string("it is no JSON: ") + error.what();
    return message;
  }
  if (message.json.is_array()) {
    message.kind = Message::Kind::batch;
  } else if (const JsonObject* object = message.json.if_object()) {
    message.kind = kind_of(*object, message.problem);
  } else {
    message.problem = "JSON, but no object";
  }
  return message;
}

const Json& get(const Json& json, std::string_view name) {
  const JsonObject* object = json.if_object();
  const Json* found = object != nullptr ? object->if_contains(name) : nullptr;
  return found != nullptr ? *found : nothing;
}

std::string below(const std::string& pointer, std::string_view name) {
  std::string all = pointer + "/";
  for (const char c : name) {
    if (c == '~' || c == '/')
      all += c == '~' ? "~0" : "~1";
    else
      all += c;
  }
  return all;
}

bool is_base64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return false;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  const std::string_view digits = text.substr(0, text.size() - padding);
  return std::all_of(digits.begin(), digits.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '+' || c == '/'; });
}

bool is_mime_type(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && slash > 0 && slash + 1 < text.size();
}

bool has_scheme(std::string_view uri) {
  const std::string_view scheme = uri.substr(0, std::min(uri.find(':'), uri.size()));
  return scheme.size() < uri.size() && !scheme.empty() && std::isalpha(static_cast<unsigned char>(scheme.front())) != 0;
}

bool is_date_time(std::string_view text) {
  return text.size() >= 10 && text[4] == '-' && text[7] == '-' && (text.size() == 10 || text[10] == 'T');
}

std::string shown(const Json& json) {
  constexpr std::size_t max_quote = 500;
  return to_json_text(json).substr(0, max_quote);
}

std::string_view text_of(const Json& json) {
  const JsonString* text = json.if_string();
  return text != nullptr ? std::string_view(*text) : std::string_view();
}

}  // namespace toolwire::conformance
