#include "attach/json_text.hpp"

#include <algorithm>
#include <cstddef>

namespace toolwire::attach {
namespace {

constexpr std::string_view spaces = " \t\r\n";

void skip_spaces(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size())); }

/// The length of the string that the text begins with, quotes included; all of it if it does not end.
std::size_t string_length(std::string_view text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

std::size_t nested_length(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      at += string_length(text.substr(at)) - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return text.size();
}

std::string_view take_value(std::string_view& text) {
  skip_spaces(text);
  if (text.empty()) return {};
  std::size_t length = 0;
  if (text.front() == '"') {
    length = string_length(text);
  } else if (text.front() == '{' || text.front() == '[') {
    length = nested_length(text);
  } else {
    length = std::min(text.find_first_of(",}] \t\r\n"), text.size());
  }
  const std::string_view value = text.substr(0, length);
  text.remove_prefix(length);
  skip_spaces(text);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  skip_spaces(text);
  return true;
}

std::string_view inside(std::string_view text, char opening) {
  skip_spaces(text);
  return take(text, opening) ? text : std::string_view();
}

}  // namespace

Members::Members(std::string_view object) : rest_(inside(object, '{')) {}

std::optional<Member> Members::next() {
  if (!rest_.starts_with('"')) return std::nullopt;
  const std::string_view name = take_value(rest_);
  if (name.size() < 2 || !take(rest_, ':')) return std::nullopt;
  const std::string_view value = take_value(rest_);
  if (value.empty()) return std::nullopt;
  if (!take(rest_, ',')) rest_ = {};
  return Member{name.substr(1, name.size() - 2), value};
}

Elements::Elements(std::string_view array) : rest_(inside(array, '[')) {}

std::optional<std::string_view> Elements::next() {
  const std::string_view value = take_value(rest_);
  if (value.empty()) return std::nullopt;
  if (!take(rest_, ',')) rest_ = {};
  return value;
}

std::string_view member(std::string_view object, std::string_view name) {
  Members members(object);
  while (const auto one = members.next()) {
    if (one->name == name) return one->value;
  }
  return {};
}

bool is_object(std::string_view value) {
  skip_spaces(value);
  return value.starts_with('{');
}

bool is_array(std::string_view value) {
  skip_spaces(value);
  return value.starts_with('[');
}

std::string_view text_in(std::string_view value) {
  return value.size() >= 2 && value.starts_with('"') && value.ends_with('"') ? value.substr(1, value.size() - 2)
                                                                             : std::string_view();
}

}  // namespace toolwire::attach
