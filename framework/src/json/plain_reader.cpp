#include "json/plain_reader.hpp"

#include <algorithm>

#include "json/builder.hpp"
#include "json/number.hpp"
#include "json/unescape.hpp"
#include "json/utf8.hpp"

namespace toolwire::json {
namespace {

constexpr std::size_t most_levels = 64;  // a level costs stack; deeper texts are rare
constexpr std::size_t most_digits = 18;  // fit into 64 bits without a look
constexpr std::size_t most_exponent_digits = 8;
constexpr std::size_t most_members = 64;  // larger objects need the builder's care, which the other way has

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void PlainReader::skip_space() {
  while (at_ != end_ && is_space(*at_)) ++at_;
}

bool PlainReader::take_behind_space(char expected) {
  skip_space();
  if (at_ == end_ || *at_ != expected) return false;
  ++at_;
  return true;
}

/// The string at `at_` that has a character beyond ASCII or, at `stop`, something else than its end.
bool PlainReader::unusual_string(const char* stop, bool beyond_ascii) {
  const char* const from = at_;
  if (stop != end_ && *stop == '"' && beyond_ascii) {
    at_ = stop + 1;
    is_verbatim_ = true;
    text_ = {from, static_cast<std::size_t>(stop - from)};
    return is_utf8(text_);
  }
  if (stop == end_ || *stop != '\\') return false;
  // Never too small for a later string: what is left of the text only becomes less.
  if (!unescaped_) unescaped_.emplace(static_cast<std::size_t>(end_ - from) + unescape_slack);
  const auto read = unescape(from, end_, unescaped_->bytes());
  if (!read) return false;
  at_ = from + read->read;
  is_verbatim_ = false;
  text_ = {unescaped_->bytes(), read->written};
  return !read->beyond_ascii || is_utf8({from, read->read});
}

std::size_t PlainReader::digits() {
  const char* const from = at_;
  while (at_ != end_ && is_digit(*at_)) ++at_;
  return static_cast<std::size_t>(at_ - from);
}

std::optional<std::string_view> PlainReader::integer() {
  skip_space();
  const char* const from = at_;
  if (at_ != end_ && *at_ == '-') ++at_;
  const char* const first = at_;
  const std::size_t count = digits();
  if (count == 0 || count > most_digits || (*first == '0' && (count > 1 || first != from))) return std::nullopt;
  if (at_ != end_ && (*at_ == '.' || *at_ == 'e' || *at_ == 'E')) return std::nullopt;
  return std::string_view(from, static_cast<std::size_t>(at_ - from));
}

std::optional<Json> PlainReader::value(std::size_t levels, const boost::json::storage_ptr& storage) {
  Builder builder({at_, static_cast<std::size_t>(end_ - at_)}, false, storage);
  if (!value(builder, std::min(levels, most_levels))) return std::nullopt;
  return builder.release();
}

bool PlainReader::value(Builder& into, std::size_t levels) {
  switch (peek()) {
    case '{':
      return levels > 0 && object(into, levels - 1);
    case '[':
      return levels > 0 && array(into, levels - 1);
    case '"':
      return string() && into.on_string(text_, text_.size(), ignored_);
    case 't':
      return literal("true") && into.on_bool(true, ignored_);
    case 'f':
      return literal("false") && into.on_bool(false, ignored_);
    case 'n':
      return literal("null") && into.on_null(ignored_);
    default:
      return number(into);
  }
}

bool PlainReader::object(Builder& into, std::size_t levels) {
  into.on_object_begin(ignored_);
  ++at_;
  std::size_t members = 0;
  if (peek() != '}') {
    do {
      if (++members > most_members || !string()) return false;
      into.on_key(text_, text_.size(), ignored_);
      if (!take(':') || !value(into, levels)) return false;
    } while (take(','));
  }
  return take('}') && into.on_object_end(members, ignored_);
}

bool PlainReader::array(Builder& into, std::size_t levels) {
  into.on_array_begin(ignored_);
  ++at_;
  std::size_t elements = 0;
  if (peek() != ']') {
    do {
      if (!value(into, levels)) return false;
      ++elements;
    } while (take(','));
  }
  return take(']') && into.on_array_end(elements, ignored_);
}

bool PlainReader::literal(std::string_view word) {
  if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, word.size()) != word) return false;
  at_ += word.size();
  return true;
}

bool PlainReader::number(Builder& into) {
  const char* const from = at_;
  const bool negative = at_ != end_ && *at_ == '-';
  if (negative) ++at_;
  const char* const first = at_;
  const std::size_t count = digits();
  if (count == 0 || count > most_digits || (*first == '0' && count > 1)) return false;
  bool is_whole = true;
  if (at_ != end_ && *at_ == '.') {
    ++at_;
    if (digits() == 0) return false;
    is_whole = false;
  }
  if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
    ++at_;
    if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    if (const std::size_t length = digits(); length == 0 || length > most_exponent_digits) return false;
    is_whole = false;
  }
  const std::string_view raw(from, static_cast<std::size_t>(at_ - from));
  if (!is_whole) return into.on_double(0, raw, ignored_);
  std::int64_t size = 0;
  for (std::size_t i = 0; i < count; ++i) size = size * 10 + (first[i] - '0');
  return into.on_int64(negative ? -size : size, raw, ignored_);
}

}  // namespace toolwire::json
