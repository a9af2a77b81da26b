#include "probe/questions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// The words of a name or a title in small letters, with a space before and behind each: "apiKey" is " api key ".
std::string words_of(std::string_view text) {
  std::string words = " ";
  bool small = false;  // the letter before
  for (char c : text) {
    const bool capital = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (capital && small) words += ' ';
    small = std::islower(static_cast<unsigned char>(c)) != 0;
    words += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : ' ';
  }
  return lowered(words + " ");
}

bool names_secret(std::string_view text) {
  constexpr std::array secrets{" password ", " passwd ", " passphrase ", " secret ",      " api key ",
                               " apikey ",   " token ",  " credential ", " credentials ", " private key "};
  const std::string words = words_of(text);
  return std::any_of(secrets.begin(), secrets.end(),
                     [&](const char* it) { return words.find(it) != std::string::npos; });
}

const JsonObject& properties_of(const Json& params) {
  static const JsonObject none;
  const JsonObject* properties = get(params, "requestedSchema", "properties").if_object();
  return properties != nullptr ? *properties : none;
}

bool is_primitive(const Json& property) {
  const std::string_view type = text_of(get(property, "type"));
  const bool several = type == "array" && get(property, "items").is_object();  // choices (2025-11-25)
  return several || type == "string" || type == "number" || type == "integer" || type == "boolean";
}

/// Of a text.
bool has_known_format(const Json& property) {
  constexpr std::array known{"email", "uri", "date", "date-time"};
  const Json& format = get(property, "format");
  return format.is_null() || text_of(get(property, "type")) != "string" ||
         std::any_of(known.begin(), known.end(), [&](const char* it) { return text_of(format) == it; });
}

bool fits(const Json& property, const Json& value) {
  const std::string_view type = text_of(get(property, "type"));
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "integer") return value.is_int64() || value.is_uint64();
  if (type == "number") return value.is_number();
  return type != "array" || value.is_array();
}

bool are_strings(const Json& json) {
  const JsonArray* array = json.if_array();
  return array != nullptr && std::all_of(array->begin(), array->end(), [](const Json& it) { return it.is_string(); });
}

/// [{const, title}…]
bool are_titled(const Json& json) {
  const JsonArray* array = json.if_array();
  return array != nullptr && std::all_of(array->begin(), array->end(), [](const Json& it) {
           return get(it, "const").is_string() && get(it, "title").is_string();
         });
}

bool is_content(const Json& content) {
  const std::string_view type = text_of(get(content, "type"));
  if (type == "text") return get(content, "text").is_string();
  if (type == "image" || type == "audio")
    return get(content, "data").is_string() && get(content, "mimeType").is_string();
  return type == "tool_use" || type == "tool_result";
}

std::vector<Json> contents_of(const Json& message) {
  const Json& content = get(message, "content");
  if (const JsonArray* array = content.if_array()) return {array->begin(), array->end()};
  return {content};
}

}  // namespace

bool is_url_mode(const Json& params) { return text_of(get(params, "mode")) == "url"; }

Complaint judge_form(const Json& params) {
  if (!get(params, "message").is_string()) return "a string \"message\"";
  if (text_of(get(params, "requestedSchema", "type")) != "object") return "a requestedSchema of an object";
  if (!get(params, "requestedSchema", "properties").is_object()) return "properties in requestedSchema";
  for (const auto& [name, property] : properties_of(params)) {
    if (!is_primitive(property)) return "properties of primitive types: " + std::string(name);
    if (!has_known_format(property))
      return "one of the formats email, uri, date and date-time, or none: " + std::string(name);
  }
  return std::nullopt;
}

Complaint judge_url(const Json& params, bool needs_id) {
  if (!is_url_mode(params)) return "the mode \"url\"";
  if (!get(params, "message").is_string()) return "a string \"message\"";
  const std::string_view url = text_of(get(params, "url"));
  if (url.find("://") == std::string_view::npos || url.find(' ') != std::string_view::npos) return "a valid \"url\"";
  if (needs_id && !get(params, "elicitationId").is_string()) return "a string \"elicitationId\"";
  return std::nullopt;
}

Complaint judge_secrets(const Json& params) {
  for (const auto& [name, property] : properties_of(params)) {
    if (text_of(get(property, "type")) != "string") continue;  // "remember the password", "max_tokens"
    const bool secret = names_secret(name) || names_secret(text_of(get(property, "title")));
    if (secret || text_of(get(property, "format")) == "password")
      return "no question for a secret: " + std::string(name);
  }
  return std::nullopt;
}

Complaint judge_links(const Json& params) {
  auto has_link = [](const Json& text) {
    return text_of(text).find("http://") != std::string_view::npos ||
           text_of(text).find("https://") != std::string_view::npos;
  };
  bool found = has_link(get(params, "message"));
  for (const auto& [name, property] : properties_of(params))
    found = found || has_link(get(property, "title")) || has_link(get(property, "description"));
  return found ? Complaint("no links in a form; the mode \"url\" is for them") : std::nullopt;
}

Complaint judge_url_safety(const Json& params) {
  const std::string_view url = text_of(get(params, "url"));
  const bool local = url.starts_with("http://localhost") || url.starts_with("http://127.0.0.1");
  if (!url.starts_with("https://") && !local) return "an https URL";
  const std::string_view rest = url.substr(url.find("://") + 3);
  const std::string_view authority = rest.substr(0, rest.find('/'));
  if (authority.find('@') != std::string_view::npos) return "a URL without user and password";
  const std::string query = lowered(rest);
  if (query.find("token=") != std::string::npos || query.find("password=") != std::string::npos)
    return "a URL without credentials";
  return std::nullopt;
}

Complaint judge_defaults(const Json& params) {
  for (const auto& [name, property] : properties_of(params)) {
    const Json* value = property.is_object() ? property.get_object().if_contains("default") : nullptr;
    if (value != nullptr && !fits(property, *value)) return "a default of the type of " + std::string(name);
  }
  return std::nullopt;
}

Complaint judge_enums(const Json& params) {
  for (const auto& [name, property] : properties_of(params)) {
    const bool several = text_of(get(property, "type")) == "array";
    const Json& choices = several ? get(property, "items") : property;
    const Json& untitled = get(choices, "enum");
    const Json& titled = get(choices, several ? "anyOf" : "oneOf");
    if (!untitled.is_null() && !are_strings(untitled)) return "an enum of strings: " + std::string(name);
    if (!titled.is_null() && !are_titled(titled)) return "choices with const and title: " + std::string(name);
    if (several && untitled.is_null() && titled.is_null()) return "choices: " + std::string(name);
  }
  return std::nullopt;
}

Complaint judge_sampling(const Json& params) {
  const JsonArray* messages = get(params, "messages").if_array();
  if (messages == nullptr) return "an array \"messages\"";
  for (const Json& message : *messages) {
    const std::string_view role = text_of(get(message, "role"));
    if (role != "user" && role != "assistant") return "messages of user or assistant";
    const auto contents = contents_of(message);
    if (!std::all_of(contents.begin(), contents.end(), is_content)) return "contents of a known type";
  }
  const Json& most = get(params, "maxTokens");
  if (!most.is_int64() && !most.is_uint64()) return "an integer \"maxTokens\"";
  for (std::string_view priority : {"costPriority", "speedPriority", "intelligencePriority"}) {
    const Json& value = get(params, "modelPreferences", priority);
    if (value.is_number() && (value.to_number<double>() < 0 || value.to_number<double>() > 1))
      return "priorities from 0 to 1";
  }
  return std::nullopt;
}

Complaint judge_sampling_context(const Json& params, bool declared) {
  const std::string_view context = text_of(get(params, "includeContext"));
  if (!declared && (context == "thisServer" || context == "allServers"))
    return "no includeContext, which the client has not declared";
  return std::nullopt;
}

Complaint judge_tool_results(const Json& params) {
  std::set<std::string> open;
  const JsonArray* messages = get(params, "messages").if_array();
  for (const Json& message : messages != nullptr ? *messages : JsonArray{}) {
    const auto contents = contents_of(message);
    const auto results = std::count_if(contents.begin(), contents.end(),
                                       [](const Json& it) { return text_of(get(it, "type")) == "tool_result"; });
    if (results > 0 && static_cast<std::size_t>(results) != contents.size())
      return "nothing beside tool results in their message";
    if (results == 0 && !open.empty()) return "an answer to every tool use before the next message";
    for (const Json& content : contents) {
      if (text_of(get(content, "type")) == "tool_use") open.emplace(text_of(get(content, "id")));
      open.erase(std::string(text_of(get(content, "toolUseId"))));
    }
  }
  return open.empty() ? std::nullopt : Complaint("an answer to every tool use");
}

std::vector<std::string_view> with_those_that_ask_nothing(std::vector<std::string_view> askers) {
  askers.insert(askers.end(),
                {"tool:text", "tool:structured", "tool:image", "tool:error", "tool:progress", "tool:logging"});
  return askers;
}

}  // namespace toolwire::conformance
