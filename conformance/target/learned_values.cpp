#include "target/learned_values.hpp"

#include <algorithm>
#include <cctype>

#include "driver/arguments.hpp"
#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_values = 200;
constexpr std::size_t max_text = 4096;  // of a value, and of a text in which paths are looked for
constexpr int max_depth = 6;

/// "noteId", "note_id" and "note-id" are one name.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

bool is_value(const Json& json) {
  return json.is_int64() || json.is_uint64() || (json.is_string() && json.get_string().size() <= max_text);
}

/// The first word of a text that begins with "/", without the punctuation behind it.
std::string_view path_in(std::string_view text) {
  text = text.substr(0, max_text);
  constexpr std::string_view separators = " \t\r\n\"'`,;()[]<>";
  for (std::size_t begin = 0; (begin = text.find('/', begin)) != std::string_view::npos; ++begin) {
    if (begin > 0 && separators.find(text[begin - 1]) == std::string_view::npos) continue;
    std::string_view word = text.substr(begin);
    word = word.substr(0, word.find_first_of(separators));
    while (word.size() > 1 && (word.back() == '.' || word.back() == ':')) word.remove_suffix(1);
    if (word.size() > 1) return word;
  }
  return {};
}

bool names_a_path(std::string_view plain_name) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"path", "file", "dir", "folder"},
                             [&](std::string_view part) { return plain_name.find(part) != std::string_view::npos; });
}

}  // namespace

void LearnedValues::learn(std::string_view name, const Json& value) {
  if (values_.size() < max_values && is_value(value)) values_.emplace(plain(name), value);
}

void LearnedValues::learn_members(const Json& json, int depth) {
  if (depth == max_depth) return;
  if (const JsonArray* array = json.if_array()) {
    for (const Json& item : *array) learn_members(item, depth + 1);
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr) return;
  for (const auto& [name, value] : *object) {
    learn(name, value);
    const JsonArray* several = value.if_array();
    if (std::string_view(name).ends_with('s') && several != nullptr && !several->empty())
      learn(std::string_view(name).substr(0, name.size() - 1), several->front());
  }
  for (const auto& [name, value] : *object) learn_members(value, depth + 1);
}

void LearnedValues::learn(const Json& result) {
  learn_members(get(result, "structuredContent"), 0);
  const JsonArray* content = get(result, "content").if_array();
  for (const Json& block : content != nullptr ? *content : JsonArray{}) {
    const std::string_view text = text_of(get(block, "text"));
    if (text.starts_with('{') || text.starts_with('[')) {
      try {
        learn_members(parse_json(text), 0);
      } catch (const JsonError&) {
        continue;  // a text that only begins like JSON
      }
    }
    if (const std::string_view path = path_in(text); !path.empty()) learn("path", Json(path));
  }
}

const Json* LearnedValues::value_for(std::string_view name) const {
  const std::string wanted = plain(name);
  auto found = values_.find(wanted);
  for (const std::string_view ending : {"id", "uri"}) {
    if (found == values_.end() && wanted.ends_with(ending)) found = values_.find(ending);
  }
  if (found == values_.end() && names_a_path(wanted)) found = values_.find("path");
  return found != values_.end() ? &found->second : nullptr;
}

std::optional<JsonObject> LearnedValues::better(const Json& schema, const JsonObject& arguments) const {
  JsonObject changed = arguments;
  const JsonArray* required = get(schema, "required").if_array();
  for (const Json& name : required != nullptr ? *required : JsonArray{}) {
    const Json* value = value_for(text_of(name));
    if (value == nullptr) continue;
    for (const Json& one : {*value, Json(JsonArray{*value})}) {
      JsonObject tried = changed;
      tried[text_of(name)] = one;
      if (!may_fit(schema, tried)) continue;
      changed = std::move(tried);
      break;
    }
  }
  if (changed == arguments) return std::nullopt;
  return changed;
}

}  // namespace toolwire::conformance
