#include "manifest/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toolwire::bridge {

std::string camel_case(std::string_view snake) {
  std::string camel;
  bool raise = false;
  for (const char c : snake) {
    if (c == '_' && !camel.empty()) {
      raise = true;
      continue;
    }
    camel += raise && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    raise = false;
  }
  return camel;
}

JsonObject with_snake_case(const JsonObject& object, const std::vector<std::string_view>& names) {
  JsonObject renamed;
  for (const auto& member : object) {
    const auto snake = std::ranges::find_if(names, [&](std::string_view name) {
      return member.key() != name && member.key() == camel_case(name) && !object.contains(name);
    });
    renamed.emplace(snake == names.end() ? std::string_view(member.key()) : *snake, member.value());
  }
  return renamed;
}

std::string_view kind_of(const Json& value) {
  if (value.is_string()) return "a string";
  if (value.is_bool()) return "a boolean";
  if (value.is_number()) return "a number";
  if (value.is_array()) return "an array";
  return value.is_object() ? "an object" : "null";
}

namespace {

/// JSON makes no difference between 30 and 30.0.
std::optional<std::int64_t> whole_number(const Json& value) {
  constexpr double exact = 9007199254740992;  // 2^53
  if (value.is_int64()) return value.get_int64();
  if (!value.is_double() || std::abs(value.get_double()) > exact ||
      std::trunc(value.get_double()) != value.get_double())
    return {};
  return static_cast<std::int64_t>(value.get_double());
}

}  // namespace

Members::Found Members::find(std::string_view name) {
  const std::string camel = camel_case(name);
  asked_.emplace_back(name);
  asked_.push_back(camel);
  const Json* plain = object_.if_contains(name);
  const Json* other = camel == name ? nullptr : object_.if_contains(camel);
  if (plain != nullptr && other != nullptr) {
    findings_.problem(below(pointer_, camel), fmt::format("says the same as \"{}\"; expected one of the two", name));
  }
  const bool use_camel = plain == nullptr && other != nullptr;
  const Json* value = use_camel ? other : plain;
  if (null_ == Null::not_there && value != nullptr && value->is_null()) value = nullptr;
  return {value, below(pointer_, use_camel ? std::string_view(camel) : name)};
}

void Members::wrong(const Found& found, std::string_view expectation) {
  findings_.problem(found.pointer, fmt::format("expected {}, found {}", expectation, kind_of(*found.value)));
}

void Members::missing(std::string_view name, std::string_view expectation) {
  findings_.problem(below(pointer_, name), fmt::format("missing; expected {}", expectation));
}

std::optional<std::string> Members::stated_text(std::string_view name) {
  const Found found = find(name);
  if (found.value == nullptr) return {};
  if (found.value->is_string()) return std::string(found.value->get_string());
  wrong(found, "a string");
  return {};
}

std::string Members::text(std::string_view name) {
  const Found found = find(name);
  if (found.value == nullptr) {
    missing(name, "a string");
  } else if (!found.value->is_string()) {
    wrong(found, "a string");
  } else {
    return std::string(found.value->get_string());
  }
  return {};
}

std::optional<bool> Members::flag(std::string_view name) {
  const Found found = find(name);
  if (found.value == nullptr) return {};
  if (found.value->is_bool()) return found.value->get_bool();
  wrong(found, "true or false");
  return {};
}

std::optional<std::int64_t> Members::count(std::string_view name, std::int64_t most) {
  const Found found = find(name);
  if (found.value == nullptr) return {};
  const std::optional<std::int64_t> number = whole_number(*found.value);
  if (number && *number >= 1 && *number <= most) return number;
  const std::string expectation = fmt::format("a whole number from 1 to {}", most);
  if (found.value->is_number()) {
    findings_.problem(found.pointer, fmt::format("expected {}, found {}", expectation, to_json_text(*found.value)));
  } else {
    wrong(found, expectation);
  }
  return {};
}

std::vector<std::string> Members::texts(std::string_view name) {
  std::vector<std::string> list;
  const Found found = find(name);
  if (found.value == nullptr) return list;
  if (!found.value->is_array()) {
    wrong(found, "an array of strings");
    return list;
  }
  std::size_t index = 0;
  for (const Json& element : found.value->get_array()) {
    if (element.is_string()) {
      list.emplace_back(element.get_string());
    } else {
      wrong({&element, below(found.pointer, index)}, "a string");
    }
    ++index;
  }
  return list;
}

const JsonObject* Members::object(std::string_view name) {
  const Found found = find(name);
  if (found.value == nullptr) return nullptr;
  if (!found.value->is_object()) wrong(found, "an object");
  return found.value->if_object();
}

const JsonArray* Members::array(std::string_view name) {
  const Found found = find(name);
  if (found.value == nullptr) return nullptr;
  if (!found.value->is_array()) wrong(found, "an array");
  return found.value->if_array();
}

void Members::note_unknown() {
  for (const auto& member : object_) {
    const std::string_view key = member.key();
    if (key.starts_with('_') || std::ranges::find(asked_, key) != asked_.end()) continue;
    findings_.hint(below(pointer_, key), "no member of the protocol; it is kept, but nothing follows from it");
  }
}

}  // namespace toolwire::bridge
