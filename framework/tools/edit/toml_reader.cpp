#include "toml_reader.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <toolwire/text.hpp>

#include "toml_definitions.hpp"

namespace toolwire::edit {
namespace {

constexpr std::size_t max_depth = 128;

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

/// An integer, a float, a date or a time; nothing if it is none of them.
bool scalar_value(std::string token, Json* value) {
  static const RE2 decimal("[+-]?(0|[1-9](_?[0-9])*)");
  static const RE2 other_base("0x[0-9A-Fa-f](_?[0-9A-Fa-f])*|0o[0-7](_?[0-7])*|0b[01](_?[01])*");
  static const RE2 real(
      "[+-]?(0|[1-9](_?[0-9])*)((\\.[0-9](_?[0-9])*)([eE][+-]?[0-9](_?[0-9])*)?|[eE][+-]?[0-9](_?[0-9])*)");
  static const RE2 text(
      "[+-]?(inf|nan)|[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
      "([Tt ]([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)(\\.[0-9]+)?)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?"
      "|([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)(\\.[0-9]+)?)?");
  const bool is_decimal = RE2::FullMatch(token, decimal), is_real = RE2::FullMatch(token, real);
  const bool is_other = RE2::FullMatch(token, other_base);
  if (RE2::FullMatch(token, text)) return *value = token, true;
  if (!is_decimal && !is_other && !is_real) return false;
  std::erase(token, '_');
  if (token.front() == '+') token.erase(0, 1);
  const char* const end = token.data() + token.size();
  if (is_real) {
    double number = 0;
    const auto result = std::from_chars(token.data(), end, number);
    return *value = number, result.ptr == end && result.ec == std::errc();
  }
  const int base = !is_other ? 10 : token[1] == 'x' ? 16 : token[1] == 'o' ? 8 : 2;
  std::int64_t number = 0;
  const auto result = std::from_chars(token.data() + (is_other ? 2 : 0), end, number, base);
  return *value = number, result.ptr == end && result.ec == std::errc();
}

}  // namespace

TomlReader::TomlReader(std::string_view text) : text_(text), at_(byte_order_mark(text)) {}

void TomlReader::fail(const std::string& message) const { throw Malformed(text_, at_, message); }

bool TomlReader::is_line_over() const { return at_end() || next() == '#' || next() == '\n' || starts_with("\r\n"); }

void TomlReader::skip_spaces() {
  while (next() == ' ' || next() == '\t') ++at_;
}

void TomlReader::skip_comment() {
  if (next() != '#') return;
  while (!at_end() && next() != '\n' && !starts_with("\r\n")) {
    if (is_control(next())) fail("expected no control character in a comment");
    ++at_;
  }
}

bool TomlReader::skip_line_end() {
  if (starts_with("\r\n")) return at_ += 2, true;
  if (next() == '\n') return ++at_, true;
  return false;
}

void TomlReader::end_line() {
  skip_spaces();
  skip_comment();
  if (!skip_line_end() && !at_end()) fail("expected the end of the line");
}

/// Spaces, comments and line ends, as inside of arrays.
void TomlReader::skip_lines() {
  do {
    skip_spaces();
    skip_comment();
  } while (skip_line_end());
}

void TomlReader::take(char expected) {
  if (next() != expected || at_end()) fail(std::string("expected ") + expected);
  ++at_;
}

TomlKeys TomlReader::keys() {
  TomlKeys keys;
  for (;;) {
    skip_spaces();
    keys.push_back(key());
    skip_spaces();
    if (next() != '.') return keys;
    ++at_;
  }
}

std::string TomlReader::key() {
  if (next() == '"' || next() == '\'') return one_line_text(next());
  const std::size_t begin = at_;
  while (is_bare(next())) ++at_;
  if (at_ == begin) fail("expected a key");
  return std::string(text_.substr(begin, at_ - begin));
}

TomlMember TomlReader::key_and_value() {
  TomlMember member{.begin = at_};
  member.keys = keys();
  take('=');
  skip_spaces();
  member.value = value();
  return member;
}

TomlValue TomlReader::value() {
  if (++depth_ > max_depth) fail("nested too deeply, expected at most " + std::to_string(max_depth) + " levels");
  const std::size_t begin = at_;
  TomlValue result;
  if (next() == '{') {
    result = inline_table();
  } else if (next() == '[') {
    result.value = array();
  } else if (next() == '"' || next() == '\'') {
    result.value = text_value(next());
  } else {
    result.value = scalar();
  }
  result.begin = begin;
  result.end = at_;
  --depth_;
  return result;
}

TomlValue TomlReader::inline_table() {
  TomlValue table;
  table.is_inline_table = true;
  TomlDefinition defined;
  take('{');
  skip_lines();
  bool more = true;
  while (more && next() != '}') {
    const std::size_t begin = at_;
    TomlMember member = key_and_value();
    if (!defined.define(member.keys, member.value.value))
      throw Malformed(text_, begin, "\"" + member.keys.back() + "\" is defined already, or is part of a value");
    skip_lines();
    more = next() == ',';
    if (more) member.comma = at_++;
    skip_lines();
    table.members.push_back(std::move(member));
  }
  if (next() != '}' || at_end()) fail("expected a comma or }");
  ++at_;
  table.value = defined.value();
  return table;
}

Json TomlReader::array() {
  JsonArray array;
  take('[');
  skip_lines();
  while (next() != ']' || at_end()) {
    array.push_back(value().value);
    skip_lines();
    if (next() == ']') break;
    if (next() != ',') fail("expected a comma or ]");
    ++at_;
    skip_lines();
  }
  ++at_;
  return array;
}

Json TomlReader::scalar() {
  const std::size_t begin = at_;
  const auto is_part = [](char c) { return is_bare(c) || c == '+' || c == '.' || c == ':'; };
  while (is_part(next())) ++at_;
  // A space may stand between a date and its time.
  if (at_ - begin == 10 && next() == ' ' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9') {
    ++at_;
    while (is_part(next())) ++at_;
  }
  const std::string token(text_.substr(begin, at_ - begin));
  Json value;
  if (token == "true") return true;
  if (token == "false") return false;
  if (scalar_value(token, &value)) return value;
  at_ = begin;
  fail(token.empty() ? "expected a value" : "expected a value, found \"" + token.substr(0, 40) + "\"");
}

std::string TomlReader::text_value(char quote) {
  return starts_with(std::string(3, quote)) ? text_of_lines(quote) : one_line_text(quote);
}

std::string TomlReader::one_line_text(char quote) {
  const std::size_t begin = at_++;
  std::string out;
  while (next() != quote) {
    if (at_end() || next() == '\n' || starts_with("\r\n")) {
      at_ = begin;
      fail("expected a text that ends on its line");
    }
    if (quote == '"' && next() == '\\') {
      escape(out);
    } else {
      take_plain(out);
    }
  }
  ++at_;
  return out;
}

std::string TomlReader::text_of_lines(char quote) {
  const std::size_t begin = at_;
  const std::string end(3, quote);
  at_ += 3;
  skip_line_end();
  std::string out;
  while (!starts_with(end)) {
    if (at_end()) {
      at_ = begin;
      fail("expected a text that ends");
    }
    if (const std::size_t line = at_; skip_line_end()) {
      out += text_.substr(line, at_ - line);
    } else if (quote == '"' && next() == '\\') {
      if (!skip_escaped_line_end()) escape(out);
    } else {
      take_plain(out);
    }
  }
  at_ += 3;
  for (int more = 0; more < 2 && next() == quote; ++more) out += text_[at_++];  // one or two quotes may end the text
  return out;
}

/// A backslash at the end of a line, and all blanks behind it.
bool TomlReader::skip_escaped_line_end() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
  const std::string_view rest = text_.substr(end);
  if (!rest.starts_with('\n') && !rest.starts_with("\r\n")) return false;
  at_ = end;
  do skip_spaces();
  while (skip_line_end());
  return true;
}

void TomlReader::escape(std::string& out) {
  static constexpr std::string_view letters = "btnfre\"\\", meanings = "\b\t\n\f\r\x1B\"\\";
  const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (const std::size_t which = letters.find(letter); letter != '\0' && which != letters.npos) {
    out += meanings[which];
    at_ += 2;
    return;
  }
  const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  const std::string_view code = text_.substr(std::min(at_ + 2, text_.size()), digits);
  std::uint32_t number = 0;
  const auto result = std::from_chars(code.data(), code.data() + code.size(), number, 16);
  const bool is_surrogate = number >= 0xD800 && number <= 0xDFFF;
  if (digits == 0 || code.size() != digits || result.ptr != code.data() + code.size() || number > 0x10FFFF ||
      is_surrogate)
    fail("expected one of the escapes \\b \\t \\n \\f \\r \\e \\\" \\\\ \\xXX \\uXXXX \\UXXXXXXXX");
  text::append_character(out, static_cast<char32_t>(number));
  at_ += 2 + digits;
}

void TomlReader::take_plain(std::string& out) {
  if (is_control(next())) fail("expected no control character in a text");
  out += text_[at_++];
}

}  // namespace toolwire::edit
