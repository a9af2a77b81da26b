#include "json_tree.hpp"

#include <algorithm>
#include <utility>

namespace toolwire::edit {
namespace {

constexpr std::size_t max_depth = 256;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool ends_scalar(char c) { return is_blank(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '/'; }

/// Reads one text from left to right.
class Reader {
 public:
  Reader(std::string_view text, Comments comments) : text_(text), comments_(comments), at_(byte_order_mark(text)) {}

  JsonNode read_all() {
    skip();
    JsonNode root = value(0);
    skip();
    if (at_ != text_.size()) fail("expected the end of the file");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Malformed(text_, at_, message); }

  void skip() { at_ = skip_blanks(text_, at_, comments_); }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  JsonNode value(std::size_t depth) {
    if (at_ >= text_.size()) fail("expected a value, found the end of the file");
    if (depth > max_depth) fail("nested too deeply, expected at most " + std::to_string(max_depth) + " levels");
    if (next() == '{') return object(depth);
    if (next() == '[') return array(depth);
    return scalar();
  }

  JsonNode opened(JsonNode::Kind kind) {
    JsonNode node;
    node.kind = kind;
    node.begin = at_++;
    return node;
  }

  JsonNode scalar() {
    const std::size_t begin = at_;
    if (next() == '"') {
      skip_string();
    } else {
      while (at_ < text_.size() && !ends_scalar(text_[at_])) ++at_;
    }
    JsonNode node;
    node.begin = begin;
    node.end = at_;
    (void)value_of(text_, node);  // says what is wrong with it
    return node;
  }

  void skip_string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2U : 1U;
    if (next() != '"') {
      at_ = begin;
      fail("expected a string that ends on its line");
    }
    ++at_;
  }

  /// Whether another member or element follows; false at `close`, which is passed.
  bool goes_on(char close, std::size_t* comma, const char* what) {
    skip();
    if (next() == close) return ++at_, false;
    if (next() != ',') fail(std::string("expected a comma or ") + close);
    *comma = at_++;
    skip();
    if (next() != close) return true;
    if (comments_ != Comments::allowed) fail(std::string("expected ") + what + " behind the comma");
    return ++at_, false;
  }

  JsonNode object(std::size_t depth) {
    JsonNode node = opened(JsonNode::Kind::object);
    skip();
    bool more = next() != '}';
    if (!more) ++at_;
    while (more) {
      if (next() != '"') fail("expected the name of a member, in quotes");
      JsonMember member{.begin = at_};
      const JsonNode name = scalar();
      member.name = std::string(value_of(text_, name).get_string());
      skip();
      if (next() != ':') fail("expected a colon");
      ++at_;
      skip();
      member.value = value(depth + 1);
      more = goes_on('}', &member.comma, "a member");
      node.members.push_back(std::move(member));
    }
    node.end = at_;
    return node;
  }

  JsonNode array(std::size_t depth) {
    JsonNode node = opened(JsonNode::Kind::array);
    skip();
    bool more = next() != ']';
    if (!more) ++at_;
    while (more) {
      node.elements.push_back(value(depth + 1));
      std::size_t comma = 0;
      more = goes_on(']', &comma, "an element");
    }
    node.end = at_;
    return node;
  }

  std::string_view text_;
  Comments comments_;
  std::size_t at_;
};

/// The end of the comment that begins at `at`.
std::size_t comment_end(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") {
    const std::size_t newline = text.find('\n', at);
    if (newline == std::string_view::npos) return text.size();
    return text[newline - 1] == '\r' ? newline - 1 : newline;
  }
  const std::size_t end = text.substr(at, 2) == "/*" ? text.find("*/", at + 2) : std::string_view::npos;
  if (end == std::string_view::npos) throw Malformed(text, at, "expected a value or a comment that ends");
  return end + 2;
}

}  // namespace

const JsonMember* JsonNode::find(std::string_view name) const {
  const auto found =
      std::find_if(members.rbegin(), members.rend(), [&](const JsonMember& member) { return member.name == name; });
  return found == members.rend() ? nullptr : &*found;
}

std::size_t skip_blanks(std::string_view text, std::size_t at, Comments comments) {
  while (at < text.size()) {
    if (is_blank(text[at])) {
      ++at;
    } else if (text[at] != '/') {
      break;
    } else if (comments == Comments::refused) {
      throw Malformed(text, at, "expected JSON without comments");
    } else {
      at = comment_end(text, at);
    }
  }
  return at;
}

JsonNode read_json_tree(std::string_view text, Comments comments) {
  require_utf8(text);
  return Reader(text, comments).read_all();
}

Json value_of(std::string_view text, const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::object: {
      JsonObject object;
      for (const JsonMember& member : node.members) object.insert_or_assign(member.name, value_of(text, member.value));
      return object;
    }
    case JsonNode::Kind::array: {
      JsonArray array;
      for (const JsonNode& element : node.elements) array.push_back(value_of(text, element));
      return array;
    }
    case JsonNode::Kind::scalar:
      break;
  }
  const std::string_view scalar = text.substr(node.begin, node.end - node.begin);
  try {
    return parse_json(scalar);
  } catch (const JsonError& error) {
    const std::string what = error.what();
    const std::size_t colon = what.find(": ");
    throw Malformed(text, node.begin + std::min(error.offset, scalar.size()),
                    colon == std::string::npos ? what : what.substr(colon + 2));
  }
}

}  // namespace toolwire::edit
