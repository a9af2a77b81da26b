#include "json_layout.hpp"

#include <algorithm>

namespace toolwire::edit {
namespace {

/// The blanks before `at`, if nothing else stands before it on its line.
bool begins_line(std::string_view text, std::size_t at, std::string* blanks) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line = before.find_last_not_of(" \t");
  if (line == std::string_view::npos || before[line] != '\n') return false;
  *blanks = before.substr(line + 1);
  return true;
}

/// How deep the members of the outermost object, or of one in it, are indented.
std::string unit_of(std::string_view text, const JsonNode& root) {
  std::string blanks;
  for (const JsonMember& member : root.members) {
    if (begins_line(text, member.begin, &blanks) && !blanks.empty()) return blanks;
  }
  for (const JsonMember& member : root.members) {
    for (const JsonMember& inner : member.value.members) {
      if (begins_line(text, inner.begin, &blanks) && !blanks.empty()) return blanks;
    }
  }
  return "  ";
}

std::string colon_of(std::string_view text, const JsonNode& root) {
  if (root.members.empty()) return ": ";
  const JsonMember& first = root.members.front();
  const std::size_t colon = text.find_last_not_of(" \t\r\n", first.value.begin - 1);
  const bool is_tight = colon + 1 == first.value.begin && text[colon] == ':';
  return is_tight ? ":" : ": ";
}

}  // namespace

Layout layout_of(std::string_view text, const JsonNode& root) {
  Layout layout{.line_end = line_end_of(text), .unit = unit_of(text, root), .colon = colon_of(text, root)};
  layout.comma = layout.colon == ":" ? "," : ", ";
  return layout;
}

bool stands_on_one_line(std::string_view text, const JsonNode& node) {
  return text.substr(node.begin, node.end - node.begin).find('\n') == std::string_view::npos;
}

bool new_stands_on_one_line(std::string_view text, const JsonNode& root, const JsonNode& object) {
  if (!stands_on_one_line(text, object)) return false;
  return !object.members.empty() || (stands_on_one_line(text, root) && !root.members.empty());
}

Separators one_line_separators(std::string_view text, const JsonNode& object, const Layout& layout) {
  if (object.members.empty()) return {};
  if (object.members.size() == 1) return {.before = layout.comma.substr(1), .behind = {}, .indentation = {}};
  const std::size_t comma = object.members[object.members.size() - 2].comma;
  const bool is_tight = text[comma + 1] != ' ';
  return {.before = is_tight ? "" : " ", .behind = {}, .indentation = {}};
}

Separators line_separators(std::string_view text, const JsonNode& object, const Layout& layout) {
  const std::string outer = indentation_at(text, object.begin);
  std::string inner;
  if (object.members.empty() || !begins_line(text, object.members.back().begin, &inner)) inner = outer + layout.unit;
  const std::string line_end(layout.line_end);
  return {.before = line_end + inner, .behind = line_end + outer, .indentation = inner};
}

std::string indentation_at(std::string_view text, std::size_t at) {
  std::size_t begin = text.rfind('\n', at == 0 ? 0 : at - 1);
  begin = begin == std::string_view::npos ? byte_order_mark(text) : begin + 1;
  const std::size_t end = std::min({text.find_first_not_of(" \t", begin), at, text.size()});
  return begin < end ? std::string(text.substr(begin, end - begin)) : std::string();
}

std::string rendered(const Json& value, const Layout& layout, const std::string& indentation) {
  const JsonObject* const object = value.if_object();
  if (object == nullptr || object->empty()) return rendered_on_one_line(value, layout);
  std::string out = "{";
  for (const auto& [name, member] : *object) {
    const std::string inner = indentation + layout.unit;
    out.append(out.size() == 1 ? "" : ",").append(layout.line_end).append(inner);
    out.append(to_json_text(Json(name))).append(layout.colon).append(rendered(member, layout, inner));
  }
  return out.append(layout.line_end).append(indentation).append("}");
}

std::string rendered_on_one_line(const Json& value, const Layout& layout) {
  std::string out;
  if (const JsonObject* const object = value.if_object()) {
    for (const auto& [name, member] : *object) {
      out.append(out.empty() ? "" : layout.comma);
      out.append(to_json_text(Json(name))).append(layout.colon).append(rendered_on_one_line(member, layout));
    }
    return "{" + out + "}";
  }
  if (const JsonArray* const array = value.if_array()) {
    for (const Json& element : *array)
      out.append(out.empty() ? "" : layout.comma).append(rendered_on_one_line(element, layout));
    return "[" + out + "]";
  }
  return to_json_text(value);
}

}  // namespace toolwire::edit
