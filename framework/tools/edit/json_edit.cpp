#include "json_edit.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "json_layout.hpp"

namespace toolwire::edit {
namespace {

/// Where a path leads: `object` is the innermost object that there is, and `member` what stands there under the next
/// name, or null.
struct Found {
  const JsonNode* object = nullptr;
  std::size_t depth = 0;  // names that lead to `object`
  const JsonMember* member = nullptr;
};

bool is_blank_text(std::string_view text, Comments comments) {
  return skip_blanks(text, byte_order_mark(text), comments) == text.size();
}

Found find(std::string_view text, const JsonNode& root, const MemberPath& path) {
  Found found{.object = &root};
  for (;; ++found.depth) {
    const JsonNode& object = *found.object;
    if (object.kind != JsonNode::Kind::object)
      throw Malformed(text, object.begin,
                      "expected an object" + (found.depth == 0 ? "" : " under \"" + path[found.depth - 1] + "\""));
    const std::string& name = path.at(found.depth);
    if (std::ranges::count(object.members, name, &JsonMember::name) > 1)
      throw Malformed(text, object.find(name)->begin, "expected \"" + name + "\" once, found it twice");
    found.member = object.find(name);
    if (found.member == nullptr || found.depth + 1 == path.size()) return found;
    found.object = &found.member->value;
  }
}

/// The value inside of objects of these names.
Json wrapped(const MemberPath& path, std::size_t from, const Json& value) {
  Json result = value;
  for (std::size_t i = path.size(); i > from; --i) result = JsonObject{{path[i - 1], std::move(result)}};
  return result;
}

/// What the text means once the value is there (or gone), to hold the result against.
Json expected_value(Json whole, const MemberPath& path, const Json* value) {
  Json* at = &whole;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (at->get_object().if_contains(path[i]) == nullptr) at->get_object()[path[i]] = JsonObject();
    at = &at->get_object()[path[i]];
  }
  if (value != nullptr)
    at->get_object()[path.back()] = *value;
  else
    at->get_object().erase(path.back());
  return whole;
}

bool means(const std::string& text, Comments comments, const Json& expected) {
  try {
    return value_of(text, read_json_tree(text, comments)) == expected;
  } catch (const Malformed&) {
    return false;
  }
}

/// No text leaves this file that does not mean what it should.
std::string checked(std::string result, Comments comments, const Json& expected) {
  if (!means(result, comments, expected))
    throw std::logic_error("this file cannot be edited safely; nothing was changed");
  return result;
}

/// A text without a value: the new one stands behind its comments, before its blanks.
std::string with_first_value(std::string_view text, const Json& whole) {
  const std::string_view nl = line_end_of(text);
  const std::string document = rendered(whole, {.line_end = nl}, "");
  const std::size_t mark = byte_order_mark(text);
  if (text.find_first_not_of(" \t\r\n", mark) == std::string_view::npos) {
    const std::string_view blanks = text.substr(mark);
    return std::string(text.substr(0, mark)) + document + std::string(blanks.empty() ? nl : blanks);
  }
  return std::string(text) + std::string(text.ends_with('\n') ? "" : nl) + document + std::string(nl);
}

std::string with_replaced(std::string_view text, const JsonNode& root, const JsonMember& member, const Json& value) {
  const Layout layout = layout_of(text, root);
  std::string out(text.substr(0, member.value.begin));
  out += stands_on_one_line(text, member.value) && !member.value.members.empty()
             ? rendered_on_one_line(value, layout)
             : rendered(value, layout, indentation_at(text, member.begin));
  return out.append(text.substr(member.value.end));
}

/// The end of the comments behind `at` that begin on the same line: they belong to what stands before them.
std::size_t behind_own_comments(std::string_view text, std::size_t at) {
  for (;;) {
    const std::size_t next = text.find_first_not_of(" \t", at);
    if (next == std::string_view::npos || text[next] != '/') return at;
    const bool is_line = text.substr(next, 2) == "//";
    const std::size_t stop = is_line ? std::min(text.find('\n', next), text.size()) : text.find("*/", next) + 2;
    at = is_line && text[stop - 1] == '\r' ? stop - 1 : stop;
    if (is_line) return at;
  }
}

std::string with_added(std::string_view text, const JsonNode& object, const std::string& member, const Separators& use,
                       Comments comments) {
  const JsonMember& last = object.members.back();
  const bool has_comma = last.comma != JsonMember::no_comma;
  std::size_t at = has_comma ? last.comma + 1 : last.value.end;
  if (comments != Comments::refused) at = behind_own_comments(text, at);
  std::string out(text.substr(0, last.value.end));
  if (!has_comma) out += ',';
  out.append(text.substr(last.value.end, at - last.value.end)).append(use.before).append(member);
  if (has_comma) out += ',';
  return out.append(text.substr(at));
}

std::string with_only(std::string_view text, const JsonNode& object, const std::string& member, const Separators& use) {
  const std::string_view inside = text.substr(object.begin + 1, object.end - object.begin - 2);
  const std::size_t comment = inside.find_last_not_of(" \t\r\n");  // its last byte, if there is one
  const std::size_t at = object.begin + 1 + (comment == std::string_view::npos ? 0 : comment + 1);
  const std::string_view rest = text.substr(at, object.end - 1 - at);
  std::string out(text.substr(0, at));
  out.append(use.before).append(member);
  if (rest.find('\n') == std::string_view::npos) out.append(use.behind);
  return out.append(text.substr(at));
}

std::string with_new(std::string_view text, const JsonNode& root, const Found& found, const MemberPath& path,
                     const Json& value, Comments comments) {
  const Layout layout = layout_of(text, root);
  const bool one_line = new_stands_on_one_line(text, root, *found.object);
  const Separators use =
      one_line ? one_line_separators(text, *found.object, layout) : line_separators(text, *found.object, layout);
  const Json inner = wrapped(path, found.depth + 1, value);
  const std::string member =
      to_json_text(Json(path[found.depth])) + layout.colon +
      (one_line ? rendered_on_one_line(inner, layout) : rendered(inner, layout, use.indentation));
  return found.object->members.empty() ? with_only(text, *found.object, member, use)
                                       : with_added(text, *found.object, member, use, comments);
}

/// Whether the last comment between `at` and `end`, where nothing but blanks and comments stands, ends with its line.
bool ends_in_line_comment(std::string_view text, std::size_t at, std::size_t end) {
  bool is_line = false;
  for (at = text.find('/', at); at < end; at = text.find('/', at)) {
    is_line = text[at + 1] == '/';
    at = is_line ? text.find('\n', at) : text.find("*/", at + 2) + 2;
  }
  return is_line;
}

/// Where the blanks before a member begin that go with it, up to `end`. A comment of one line has to keep its line end.
std::size_t begin_with_blanks(std::string_view text, const JsonNode& object, std::size_t index, std::size_t end) {
  const std::size_t at = object.members[index].begin;
  const std::size_t begin = text.find_last_not_of(" \t\r\n", at - 1) + 1;
  const std::size_t gap = index == 0 ? object.begin + 1 : object.members[index - 1].comma + 1;
  if (!ends_in_line_comment(text, gap, at)) return begin;
  const std::size_t next = text.find_first_not_of(" \t\r", end);
  return next != std::string_view::npos && text[next] == '\n' ? begin : at;
}

std::string without_member(std::string_view text, const JsonNode& object, const JsonMember& member) {
  const auto index = static_cast<std::size_t>(&member - object.members.data());
  const bool has_comma = member.comma != JsonMember::no_comma;
  const std::size_t comma_before = has_comma || index == 0 ? JsonMember::no_comma : object.members[index - 1].comma;
  const bool is_plain_to_comma =
      has_comma && text.substr(member.value.end, member.comma - member.value.end).find('/') == std::string_view::npos;
  const std::size_t end = is_plain_to_comma ? member.comma + 1 : member.value.end;
  const std::size_t begin = begin_with_blanks(text, object, index, end);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool goes = (i >= begin && i < end) || (has_comma && i == member.comma) || i == comma_before;
    if (!goes) out += text[i];
  }
  if (object.members.size() > 1) return out;
  const std::size_t close = out.find_first_not_of(" \t\r\n", object.begin + 1);
  if (out[close] == '}') out.erase(object.begin + 1, close - object.begin - 1);
  return out;
}

}  // namespace

std::optional<Json> json_member(std::string_view text, Comments comments, const MemberPath& path) {
  require_utf8(text);
  if (is_blank_text(text, comments)) return std::nullopt;
  const JsonNode root = read_json_tree(text, comments);
  const Found found = find(text, root, path);
  if (found.member == nullptr) return std::nullopt;
  return value_of(text, found.member->value);
}

std::string with_json_member(std::string_view text, Comments comments, const MemberPath& path, const Json& value) {
  require_utf8(text);
  require_utf8(path, value);
  const Json whole = wrapped(path, 0, value);
  if (is_blank_text(text, comments)) return checked(with_first_value(text, whole), comments, whole);
  const JsonNode root = read_json_tree(text, comments);
  const Found found = find(text, root, path);
  const Json expected = expected_value(value_of(text, root), path, &value);
  return checked(found.member != nullptr ? with_replaced(text, root, *found.member, value)
                                         : with_new(text, root, found, path, value, comments),
                 comments, expected);
}

std::string without_json_member(std::string_view text, Comments comments, const MemberPath& path) {
  require_utf8(text);
  if (is_blank_text(text, comments)) return std::string(text);
  const JsonNode root = read_json_tree(text, comments);
  const Found found = find(text, root, path);
  if (found.member == nullptr) return std::string(text);
  return checked(without_member(text, *found.object, *found.member), comments,
                 expected_value(value_of(text, root), path, nullptr));
}

}  // namespace toolwire::edit
