#include "json/fast/plain_reader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "json/fast.hpp"
#include "json/fast/unescape.hpp"
#include "json/number.hpp"
#include "toolwire/text.hpp"

namespace toolwire::json {
namespace {

constexpr std::size_t max_levels = 64;  // a level costs stack; deeper texts are rare
constexpr std::size_t max_digits = 18;  // fit into 64 bits without a look
constexpr std::size_t max_exponent_digits = 8;
constexpr std::size_t usual_members = 3;  // an object that grows member by member takes +3.9 % (modern)
constexpr std::size_t max_members = 64;   // larger objects need care (see builder.cpp), which the other way has

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

/// The string at `at_` if the first sixteen bytes do not have all of it, or it is not plain.
bool PlainReader::long_string() {
  bool beyond_ascii = false;
  const char* const stop = skip_to_special(at_, end_, beyond_ascii);
  if (stop == end_ || *stop != '"' || beyond_ascii) return unusual_string(stop, beyond_ascii);
  text_ = {at_, static_cast<std::size_t>(stop - at_)};
  at_ = stop + 1;
  is_verbatim_ = true;
  return true;
}

/// The string at `at_` that has a character beyond ASCII or, at `stop`, something else than its end.
bool PlainReader::unusual_string(const char* stop, bool beyond_ascii) {
  const char* const from = at_;
  if (stop != end_ && *stop == '"' && beyond_ascii) {
    at_ = stop + 1;
    is_verbatim_ = true;
    text_ = {from, static_cast<std::size_t>(stop - from)};
    return text::is_valid(text_);
  }
  if (stop == end_ || *stop != '\\') return false;
  // Large enough for every later string, too: none becomes longer than it is in the text.
  if (!unescaped_) {
    const std::size_t size = static_cast<std::size_t>(end_ - from) + unescape_slack;
    unescaped_ = {static_cast<char*>(system::take_memory(size)), {size}};
    unescaped_end_ = unescaped_.get();
  }
  const auto read = unescape(from, end_, unescaped_end_);
  if (!read) return false;
  at_ = from + read->read;
  is_verbatim_ = false;
  text_ = {unescaped_end_, read->written};
  unescaped_end_ += read->written;
  return !read->beyond_ascii || text::is_valid({from, read->read});
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
  if (count == 0 || count > max_digits || (*first == '0' && (count > 1 || first != from))) return std::nullopt;
  if (at_ != end_ && (*at_ == '.' || *at_ == 'e' || *at_ == 'E')) return std::nullopt;
  return std::string_view(from, static_cast<std::size_t>(at_ - from));
}

std::optional<RelocatableJson> PlainReader::value(std::size_t levels, const boost::json::storage_ptr& storage) {
  std::optional<RelocatableJson> result(std::in_place, storage);
  if (!value(*result, std::min(levels, max_levels))) result.reset();
  return result;
}

bool PlainReader::value(Json& into, std::size_t levels) {
  switch (peek()) {
    case '{':
      return levels > 0 && object(into.emplace_object(), levels - 1);
    case '[':
      return levels > 0 && array(into.emplace_array(), levels - 1);
    case '"':
      if (!string()) return false;
      into.emplace_string().assign(text_);
      return true;
    case 't':
      into.emplace_bool() = true;
      return literal("true");
    case 'f':
      into.emplace_bool() = false;
      return literal("false");
    case 'n':
      into.emplace_null();
      return literal("null");
    default:
      return number(into);
  }
}

bool PlainReader::object(JsonObject& into, std::size_t levels) {
  ++at_;
  std::size_t members = 0;
  if (peek() != '}') {
    do {
      if (++members > max_members || !string()) return false;
      if (members == 1) into.reserve(usual_members);
      Json& named = into.emplace(text_, nullptr).first->value();  // of members of one name the last counts
      if (!take(':') || !value(named, levels)) return false;
    } while (take(','));
  }
  return take('}');
}

std::optional<RelocatableJson> PlainReader::payload(std::size_t levels, const boost::json::storage_ptr& storage,
                                                    KeptMember& kept, std::size_t& memory) {
  std::optional<RelocatableJson> result(std::in_place, storage);
  levels = std::min(levels, max_levels);
  const bool is_object = peek() == '{' && levels > 0;
  if (!is_object || !payload(result->emplace_object(), levels - 1, kept, memory)) result.reset();
  return result;
}

/// As `object`, but a second `_meta` is left to the other way.
bool PlainReader::payload(JsonObject& into, std::size_t levels, KeptMember& kept, std::size_t& memory) {
  ++at_;
  std::size_t members = 0;
  bool has_meta = false;
  if (peek() != '}') {
    do {
      if (++members > max_members || !string()) return false;
      if (members == 1) into.reserve(usual_members);
      if (text_ == "_meta") {
        if (std::exchange(has_meta, true) || !take(':') || !meta(into, levels, kept, memory)) return false;
      } else {
        Json& named = into[text_];
        if (!take(':') || !value(named, levels)) return false;
      }
    } while (take(','));
  }
  return take('}');
}

bool PlainReader::meta(JsonObject& into, std::size_t levels, KeptMember& kept, std::size_t& memory) {
  peek();
  const char* const from = at_;
  if (!kept.is_next({at_, static_cast<std::size_t>(end_ - at_)})) {
    if (!value(into["_meta"], levels)) return false;
    kept.note({from, static_cast<std::size_t>(at_ - from)});
    return true;
  }
  if (kept.has_value()) {
    at_ += kept.length();
  } else if (!kept_value(levels, kept)) {
    return false;
  }
  if (kept.of() == KeptMember::Of::results) {
    into.emplace("_meta", kept.value());
  } else {
    memory = kept.share();
  }
  return true;
}

/// Reads the kept text a second time.
bool PlainReader::kept_value(std::size_t levels, KeptMember& kept) {
  Arena* arena = nullptr;
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  Json read(boost::json::make_shared_resource<Arena>(kept.length() + kept.length() / 4, most, arena));
  if (!value(read, levels)) return false;
  kept.keep(read, arena->used());
  return true;
}

bool PlainReader::array(JsonArray& into, std::size_t levels) {
  ++at_;
  if (peek() != ']') {
    do {
      if (!value(into.emplace_back(nullptr), levels)) return false;
    } while (take(','));
  }
  return take(']');
}

bool PlainReader::literal(std::string_view word) {
  if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, word.size()) != word) return false;
  at_ += word.size();
  return true;
}

bool PlainReader::exponent() {
  ++at_;
  if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
  const std::size_t length = digits();
  return length > 0 && length <= max_exponent_digits;
}

bool PlainReader::number(Json& into) {
  const char* const from = at_;
  const bool negative = at_ != end_ && *at_ == '-';
  if (negative) ++at_;
  const char* const first = at_;
  const std::size_t count = digits();
  if (count == 0 || count > max_digits || (*first == '0' && count > 1)) return false;
  bool is_whole = true;
  if (at_ != end_ && *at_ == '.') {
    ++at_;
    if (digits() == 0) return false;
    is_whole = false;
  }
  if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
    if (!exponent()) return false;
    is_whole = false;
  }
  std::int64_t size = 0;
  for (std::size_t i = 0; is_whole && i < count; ++i) size = size * 10 + (first[i] - '0');
  if (is_whole && !(negative && size == 0)) {
    into.emplace_int64() = negative ? -size : size;
    return true;
  }
  const auto real = nearest_double({from, static_cast<std::size_t>(at_ - from)});
  if (real) into.emplace_double() = *real;
  return real.has_value();
}

std::optional<RelocatableJson> read_plain(std::string_view text, std::size_t max_depth,
                                          const boost::json::storage_ptr& storage) {
  PlainReader reader(text);
  auto value = reader.value(max_depth, storage);
  if (value && !reader.at_end()) value.reset();
  return value;
}

}  // namespace toolwire::json
