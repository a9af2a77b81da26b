#include "toml_edit.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace toolwire::edit {
namespace {

using Kind = TomlStatement::Kind;

struct Range {
  std::size_t begin = 0, end = 0;
};

bool begins_with(const TomlKeys& path, const TomlKeys& beginning) {
  return path.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), path.begin());
}

std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : to_json_text(Json(text))) out += c == 0x7F ? std::string("\\u007F") : std::string(1, c);
  return out;
}

std::string rendered_key(std::string_view key) {
  const bool is_bare = !key.empty() && key.find_first_not_of(
                                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_-") == std::string_view::npos;
  return is_bare ? std::string(key) : quoted(key);
}

std::string rendered(const Json& value) {
  std::string out;
  if (const JsonObject* const object = value.if_object()) {
    for (const auto& [name, member] : *object)
      out.append(out.empty() ? " " : ", ").append(rendered_key(name)).append(" = ").append(rendered(member));
    return out.empty() ? "{}" : "{" + out + " }";
  }
  if (const JsonArray* const array = value.if_array()) {
    for (const Json& element : *array) out.append(out.empty() ? "" : ", ").append(rendered(element));
    return "[" + out + "]";
  }
  return value.is_string() ? quoted(value.get_string()) : to_json_text(value);
}

std::string rendered_table(const TomlKeys& path, const JsonObject& value, std::string_view line_end) {
  std::string out = "[" + rendered_key(path[0]) + "." + rendered_key(path[1]) + "]";
  for (const auto& [name, member] : value)
    out.append(line_end).append(rendered_key(name)).append(" = ").append(rendered(member));
  return out;
}

/// The statement that defines the outer table as a value, or null.
const TomlStatement* outer_value(const TomlTree& tree, const TomlKeys& path) {
  const auto is_outer = [&](const TomlStatement& statement) {
    return statement.kind == Kind::key_value && statement.path.size() == 1 && statement.path.front() == path.front();
  };
  const auto found = std::ranges::find_if(tree.statements, is_outer);
  return found == tree.statements.end() ? nullptr : &*found;
}

/// The tables of others must be members of a table.
const JsonObject* outer_table(std::string_view text, const TomlTree& tree, const TomlKeys& path) {
  const Json* const outer = tree.value.get_object().if_contains(path.front());
  if (outer == nullptr || outer->is_object()) return outer == nullptr ? nullptr : &outer->get_object();
  const auto first = std::ranges::find_if(
      tree.statements, [&](const TomlStatement& statement) { return statement.path.front() == path.front(); });
  throw Malformed(text, first->begin, "expected a table under \"" + path.front() + "\"");
}

std::string appended(std::string_view text, const std::string& table, std::string_view line_end) {
  if (text.size() == byte_order_mark(text)) return std::string(text).append(table).append(line_end);
  if (text.ends_with('\n')) return std::string(text).append(line_end).append(table).append(line_end);
  return std::string(text).append(line_end).append(line_end).append(table);
}

std::string with_inline(std::string_view text, const TomlValue& outer, const std::string& name,
                        const JsonObject& value) {
  const std::string member = rendered_key(name) + " = " + rendered(value);
  if (outer.members.empty()) {
    const std::size_t at = outer.begin + 1;
    std::string out = std::string(text.substr(0, at)) + " " + member;
    if (at + 1 == outer.end) out += ' ';
    return out.append(text.substr(at));
  }
  const TomlMember& last = outer.members.back();
  const bool has_comma = last.comma != TomlMember::no_comma;
  const std::size_t at = has_comma ? last.comma + 1 : last.value.end;
  std::string out(text.substr(0, at));
  out.append(has_comma ? " " : ", ").append(member).append(has_comma ? "," : "");
  return out.append(text.substr(at));
}

/// From a header to its last key: all of one table with a header.
std::size_t end_of_table(const TomlTree& tree, std::size_t header) {
  std::size_t last = header;
  while (last + 1 < tree.statements.size() && tree.statements[last + 1].kind == Kind::key_value) ++last;
  return last;
}

bool is_empty_line_before(std::string_view text, std::size_t begin, std::size_t* line) {
  if (begin == 0 || text[begin - 1] != '\n') return false;
  *line = begin - (text.substr(0, begin).ends_with("\r\n") ? 2 : 1);
  return *line == byte_order_mark(text) || (*line > 0 && text[*line - 1] == '\n');
}

/// The lines of a table with the empty line before it, and the line end before it if it ends the text without one.
Range lines_with_gap(std::string_view text, Range lines) {
  std::size_t empty = 0;
  if (is_empty_line_before(text, lines.begin, &empty)) lines.begin = empty;
  if (lines.end == text.size() && !text.ends_with('\n') && text.substr(0, lines.begin).ends_with('\n'))
    lines.begin -= text.substr(0, lines.begin).ends_with("\r\n") ? 2U : 1U;
  return lines;
}

bool has_comments(std::string_view text, const TomlValue& inline_table) {
  std::size_t at = inline_table.begin;
  for (const TomlMember& member : inline_table.members) {
    if (text.substr(at, member.begin - at).find('#') != std::string_view::npos) return true;
    at = member.value.end;
  }
  return text.substr(at, inline_table.end - at).find('#') != std::string_view::npos;
}

/// The members of an inline table that begin with these keys, with a comma each.
void add_inline_members(std::string_view text, const TomlValue& table, const TomlKeys& keys, std::vector<Range>& gone) {
  std::size_t left = table.members.size();
  for (std::size_t i = 0; i < table.members.size(); ++i) {
    const TomlMember& member = table.members[i];
    if (!begins_with(member.keys, keys)) continue;
    const std::size_t begin = text.find_last_not_of(" \t", member.begin - 1) + 1;
    if (member.comma != TomlMember::no_comma) {
      gone.push_back({begin, member.comma + 1});
    } else {
      gone.push_back({begin, member.value.end});
      // The comma of the last one that stays.
      for (std::size_t before = i; before > 0; --before) {
        if (begins_with(table.members[before - 1].keys, keys)) continue;
        gone.push_back({table.members[before - 1].comma, table.members[before - 1].comma + 1});
        break;
      }
    }
    --left;
  }
  if (left == 0 && !has_comments(text, table)) gone.push_back({table.begin + 1, table.end - 1});
}

std::vector<Range> ranges_of(std::string_view text, const TomlTree& tree, const TomlKeys& path) {
  std::vector<Range> gone;
  for (std::size_t i = 0; i < tree.statements.size(); ++i) {
    const TomlStatement& statement = tree.statements[i];
    if (statement.kind != Kind::key_value && begins_with(statement.path, path)) {
      const std::size_t last = end_of_table(tree, i);
      gone.push_back(lines_with_gap(text, {statement.begin, tree.statements[last].end}));
      i = last;
    } else if (statement.kind == Kind::key_value && begins_with(statement.path, path)) {
      gone.push_back({statement.begin, statement.end});
    } else if (statement.kind == Kind::key_value && statement.path.size() < path.size() &&
               begins_with(path, statement.path) && statement.value.is_inline_table) {
      const TomlKeys rest(path.begin() + static_cast<std::ptrdiff_t>(statement.path.size()), path.end());
      const bool has_it = std::ranges::any_of(statement.value.members,
                                              [&](const TomlMember& member) { return begins_with(member.keys, rest); });
      if (has_it) add_inline_members(text, statement.value, rest, gone);
    }
  }
  return gone;
}

struct Edit {
  Range range = {};
  std::string text = {};
};

bool ends_in_line(std::string_view text, std::size_t end) { return end > 0 && text[end - 1] == '\n'; }

/// Changes a table with a header, and the tables with headers in it, key by key, so that comments and blanks stay where
/// they stand.
class EditInPlace {
 public:
  EditInPlace(std::string_view text, const TomlTree& tree) : text_(text), tree_(tree), line_end_(line_end_of(text)) {}

  /// The text in which the table at the path is this one; nothing if it is no table with a header of its own, nor a
  /// value of its own.
  std::optional<std::string> edited(const TomlKeys& path, const JsonObject& value) {
    const auto own = std::ranges::find(tree_.statements, path, &TomlStatement::path);
    if (own == tree_.statements.end() || own->kind == Kind::array_of_tables) return std::nullopt;
    if (own->kind == Kind::table) {
      edit_table(static_cast<std::size_t>(own - tree_.statements.begin()), value);
    } else {
      edits_.push_back({{own->value.begin, own->value.end}, rendered(value)});
    }
    return with_edits();
  }

 private:
  /// Nothing if they are in the way of each other.
  std::optional<std::string> with_edits() {
    std::ranges::stable_sort(edits_, [](const Edit& one, const Edit& other) {
      return std::pair(one.range.begin, one.range.end) < std::pair(other.range.begin, other.range.end);
    });
    std::string out;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      if (edit.range.begin < at) return std::nullopt;
      out.append(text_.substr(at, edit.range.begin - at)).append(edit.text);
      at = edit.range.end;
    }
    return out.append(text_.substr(at));
  }

  void edit_table(std::size_t header, const JsonObject& value) {
    JsonObject missing = value;
    const std::size_t last = end_of_table(tree_, header);
    for (std::size_t i = header + 1; i <= last; ++i) edit_key(tree_.statements[i], missing, header);
    for (std::size_t i = 0; i < tree_.statements.size(); ++i) {
      if (is_outermost_in(i, header)) i = edit_inner(i, depth_of(header), missing);
    }
    add(missing, last);
  }

  std::size_t depth_of(std::size_t header) const { return tree_.statements[header].path.size(); }

  /// Of a table in the table.
  bool is_outermost_in(std::size_t index, std::size_t header) const {
    const TomlStatement& statement = tree_.statements[index];
    return statement.kind != Kind::key_value && statement.path.size() > depth_of(header) &&
           begins_with(statement.path, tree_.statements[header].path);
  }

  void edit_key(const TomlStatement& statement, JsonObject& missing, std::size_t header) {
    const std::string& key = statement.path[depth_of(header)];
    const Json* const wanted = statement.path.size() == depth_of(header) + 1 ? missing.if_contains(key) : nullptr;
    if (wanted == nullptr) return take_out({statement.begin, statement.end});
    if (!is_already(statement.value, *wanted))
      edits_.push_back({{statement.value.begin, statement.value.end}, rendered(*wanted)});
    missing.erase(key);
  }

  /// A date has the same value as the text of its letters.
  bool is_already(const TomlValue& value, const Json& wanted) const {
    const bool is_text = text_[value.begin] == '"' || text_[value.begin] == '\'';
    return value.value == wanted && is_text == wanted.is_string();
  }

  /// Whether no other header leads into the table of this one.
  bool is_only_header(std::size_t index) const {
    return std::ranges::count_if(tree_.statements, [&](const TomlStatement& statement) {
             return statement.kind != Kind::key_value && begins_with(statement.path, tree_.statements[index].path);
           }) == 1;
  }

  /// The last statement of the inner table.
  std::size_t edit_inner(std::size_t index, std::size_t depth, JsonObject& missing) {
    const TomlStatement& inner = tree_.statements[index];
    const Json* const wanted = inner.path.size() == depth + 1 ? missing.if_contains(inner.path.back()) : nullptr;
    const std::size_t last = end_of_table(tree_, index);
    if (wanted != nullptr && wanted->is_object() && inner.kind == Kind::table && is_only_header(index)) {
      edit_table(index, JsonObject(wanted->get_object()));
      missing.erase(inner.path.back());
    } else {
      take_out(lines_with_gap(text_, {inner.begin, tree_.statements[last].end}));
    }
    return last;
  }

  void take_out(Range lines) { edits_.push_back({lines, ""}); }

  /// Behind the last key of the table.
  void add(const JsonObject& members, std::size_t last) {
    if (members.empty()) return;
    const TomlStatement& before = tree_.statements[last];
    const std::string_view line = text_.substr(before.begin, before.end - before.begin);
    const std::string_view blanks = line.substr(0, line.find_first_not_of(" \t"));
    const bool is_open = !ends_in_line(text_, before.end);  // the text ends there
    std::string lines;
    for (const auto& [name, member] : members) {
      if (is_open) lines += line_end_;
      lines.append(blanks).append(rendered_key(name)).append(" = ").append(rendered(member));
      if (!is_open) lines += line_end_;
    }
    edits_.push_back({{before.end, before.end}, std::move(lines)});
  }

  std::string_view text_;
  const TomlTree& tree_;
  std::string_view line_end_;
  std::vector<Edit> edits_;
};

/// The value with this table in place of what stands there, or without it. Nothing is left of an outer table without
/// members: it may be gone.
Json with_table(Json whole, const TomlKeys& path, const JsonObject* value) {
  Json& outer = whole.get_object()[path[0]];
  if (!outer.is_object()) outer = JsonObject();
  outer.get_object().erase(path[1]);
  if (value != nullptr) outer.get_object()[path[1]] = *value;
  if (outer.get_object().empty()) whole.get_object().erase(path[0]);
  return whole;
}

bool means(const std::string& text, const Json& expected, const TomlKeys& path, const JsonObject* value) {
  try {
    const std::optional<Json> found = toml_member(text, path);
    const bool is_there = value == nullptr ? !found.has_value() : found == Json(*value);
    return is_there && with_table(read_toml_tree(text).value, path, value) == expected;
  } catch (const Malformed&) {
    return false;
  }
}

/// No text leaves this file that does not mean what it should.
std::string checked(std::string result, const Json& before, const TomlKeys& path, const JsonObject* value) {
  if (!means(result, with_table(before, path, value), path, value))
    throw std::logic_error("this file cannot be edited safely; nothing was changed");
  return result;
}

}  // namespace

std::optional<Json> toml_member(std::string_view text, const TomlKeys& path) {
  const TomlTree tree = read_toml_tree(text);
  const JsonObject* const outer = outer_table(text, tree, path);
  if (outer == nullptr) return std::nullopt;
  if (path.size() == 1) return Json(*outer);
  const Json* const found = outer->if_contains(path[1]);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::string with_toml_table(std::string_view text, const TomlKeys& path, const JsonObject& value) {
  require_utf8(path, value);
  const TomlTree before = read_toml_tree(text);
  (void)outer_table(text, before, path);
  if (auto edited = EditInPlace(text, before).edited(path, value);
      edited && means(*edited, with_table(before.value, path, &value), path, &value))
    return std::move(*edited);
  const std::string free = without_toml_table(text, path);
  const TomlTree tree = read_toml_tree(free);
  const std::string_view line_end = line_end_of(text);
  const TomlStatement* const outer = outer_value(tree, path);
  return checked(outer != nullptr ? with_inline(free, outer->value, path[1], value)
                                  : appended(free, rendered_table(path, value, line_end), line_end),
                 before.value, path, &value);
}

std::string without_toml_table(std::string_view text, const TomlKeys& path) {
  const TomlTree tree = read_toml_tree(text);
  const JsonObject* const outer = outer_table(text, tree, path);
  if (outer == nullptr || !outer->contains(path[1])) return std::string(text);
  const std::vector<Range> gone = ranges_of(text, tree, path);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::ranges::none_of(gone, [&](const Range& range) { return i >= range.begin && i < range.end; }))
      out += text[i];
  }
  return checked(std::move(out), tree.value, path, nullptr);
}

}  // namespace toolwire::edit
