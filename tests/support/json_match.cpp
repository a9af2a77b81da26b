#include "json_match.hpp"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace toolwire_test {
namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using toolwire::to_json_text;

constexpr std::string_view open_ended = "...";

/// Inside "<word rest>": word and rest; nothing if the text is an ordinary string.
std::optional<std::pair<std::string_view, std::string_view>> directive(const Json& value) {
  const toolwire::JsonString* string = value.if_string();
  std::string_view text = string != nullptr ? std::string_view(*string) : std::string_view();
  if (text.size() < 3 || text.front() != '<' || text.back() != '>') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::pair(text, std::string_view());
  return std::pair(text.substr(0, space), text.substr(space + 1));
}

bool is_whole(const Json& value) {
  const double* number = value.if_double();
  return value.is_int64() || value.is_uint64() || (number != nullptr && std::trunc(*number) == *number);
}

bool is_of_kind(std::string_view kind, const Json& value) {
  if (kind == "any") return true;
  if (kind == "string") return value.is_string();
  if (kind == "integer") return is_whole(value);
  if (kind == "number") return value.is_number();
  if (kind == "object") return value.is_object();
  if (kind == "array") return value.is_array();
  throw std::invalid_argument("an expectation has the unknown word <" + std::string(kind) + ">");
}

/// One comparison; the place is kept for the message.
class Match {
 public:
  explicit Match(Saved& saved) : saved_(saved) {}

  std::string values(const Json& expected, const Json& actual, const std::string& place) {
    if (auto word = directive(expected)) return directed(word->first, word->second, actual, place);
    if (const JsonObject* object = expected.if_object()) return objects(*object, actual, place);
    if (const JsonArray* array = expected.if_array()) return arrays(*array, actual, place);
    return expected == actual ? "" : differs(to_json_text(expected), actual, place);
  }

 private:
  static std::string differs(const std::string& expected, const Json& actual, const std::string& place) {
    return (place.empty() ? "message" : place) + ": expected " + expected + ", got " + to_json_text(actual);
  }

  std::string directed(std::string_view word, std::string_view rest, const Json& actual, const std::string& place) {
    const toolwire::JsonString* text = actual.if_string();
    bool fits = false;
    if (word == "contains") {
      fits = text != nullptr && std::string_view(*text).find(rest) != std::string_view::npos;
    } else if (word == "save") {
      fits = text != nullptr;
      if (fits) saved_.insert_or_assign(std::string(rest), std::string(std::string_view(*text)));
    } else if (word == "saved") {
      auto found = saved_.find(rest);
      fits = text != nullptr && found != saved_.end() && found->second == std::string_view(*text);
    } else {
      fits = is_of_kind(word, actual);
    }
    if (fits) return "";
    return differs("<" + std::string(word) + (rest.empty() ? "" : " " + std::string(rest)) + ">", actual, place);
  }

  std::string objects(const JsonObject& expected, const Json& actual, const std::string& place) {
    const JsonObject* object = actual.if_object();
    if (object == nullptr) return differs(to_json_text(expected), actual, place);
    for (const auto& [name, value] : expected) {
      if (std::string_view(name) == open_ended) continue;
      const std::string where = place + "." + std::string(std::string_view(name));
      const Json* member = object->if_contains(name);
      if (value == "<absent>") {
        if (member != nullptr) return where + ": must not be there, but is " + to_json_text(*member);
        continue;
      }
      if (member == nullptr) return where + ": is missing";
      if (std::string why = values(value, *member, where); !why.empty()) return why;
    }
    return expected.contains(open_ended) ? "" : unexpected(expected, *object, place);
  }

  static std::string unexpected(const JsonObject& expected, const JsonObject& actual, const std::string& place) {
    for (const auto& [name, value] : actual) {
      if (!expected.contains(name)) {
        return place + "." + std::string(std::string_view(name)) + ": not expected, but is " + to_json_text(value);
      }
    }
    return "";
  }

  std::string arrays(const JsonArray& expected, const Json& actual, const std::string& place) {
    const JsonArray* array = actual.if_array();
    if (array == nullptr || array->size() != expected.size()) return differs(to_json_text(expected), actual, place);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::string why = values(expected[i], (*array)[i], place + "[" + std::to_string(i) + "]");
      if (!why.empty()) return why;
    }
    return "";
  }

  Saved& saved_;
};

std::string repeated(std::string_view rest) {
  const std::size_t space = rest.find(' ');
  if (space == std::string_view::npos) throw std::invalid_argument("<repeat COUNT TEXT> needs a count and a text");
  std::string text;
  for (auto left = std::strtoul(std::string(rest.substr(0, space)).c_str(), nullptr, 10); left > 0; --left) {
    text.append(rest.substr(space + 1));
  }
  return text;
}

std::string remembered(std::string_view word, std::string_view name, const Saved& saved) {
  auto found = saved.find(name);
  if (found == saved.end()) throw std::invalid_argument("nothing was saved as \"" + std::string(name) + "\"");
  std::string text = found->second;
  if (word == "cut") text.resize(text.size() < 4 ? 0 : text.size() - 4);
  if (word == "flipped") text[text.size() / 2] = text[text.size() / 2] == 'A' ? 'B' : 'A';
  return text;
}

}  // namespace

std::string mismatch(const Json& expected, const Json& actual, Saved& saved) {
  return Match(saved).values(expected, actual, "");
}

Json filled_in(const Json& message, const Saved& saved) {
  if (auto word = directive(message)) {
    if (word->first == "saved" || word->first == "cut" || word->first == "flipped") {
      return toolwire::JsonString(remembered(word->first, word->second, saved));
    }
    if (word->first == "repeat") return toolwire::JsonString(repeated(word->second));
  }
  Json copy = message;
  if (JsonObject* object = copy.if_object()) {
    for (auto& [name, value] : *object) value = filled_in(value, saved);
  } else if (JsonArray* array = copy.if_array()) {
    for (Json& element : *array) element = filled_in(element, saved);
  }
  return copy;
}

}  // namespace toolwire_test
