// The quick way through a valid JSON text. Says nothing about an invalid one: parse.hpp reads that with the library's
// parser, which judges it and tells what was expected.
#pragma once

#include <bit>
#include <boost/json/storage_ptr.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <toolwire/json.hpp>

#include "json/fast/kept_member.hpp"
#include "json/fast/relocatable_json.hpp"
#include "json/fast/special_bytes.hpp"
#include "system/memory.hpp"

namespace toolwire::json {

/// Goes through a text from its beginning, piece by piece. Every function but `at_end` answers false (or nothing) when
/// what comes next is not what it reads, or is rare (half a surrogate pair, a number of twenty digits, deep nesting);
/// the reader is of no further use then. The text must outlive it. One thread.
class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  /// Passes over space and then over `expected`.
  bool take(char expected) {
    if (at_ != end_ && *at_ == expected) {
      ++at_;
      return true;
    }
    return take_behind_space(expected);
  }
  /// Passes over `expected` if the text goes on with it to the letter. Space is not passed over. Without it, the names
  /// of a message being read as any strings, +2.4 % (call), +4.7 % (list).
  template <std::size_t size>
  bool take_text(const char (&expected)[size]) {
    constexpr std::size_t length = size - 1;
    if (end_ - at_ < static_cast<std::ptrdiff_t>(length) || std::memcmp(at_, expected, length) != 0) return false;
    at_ += length;
    return true;
  }
  /// Reads a string; `text` is what it stands for, as long as the reader lives. Without the look at the first sixteen
  /// bytes, in which most strings end, +8 % (call), +11 % (modern).
  bool string() {
    if (!take('"')) return false;
    if (end_ - at_ < 16) return long_string();
    const SpecialBytes found = special_in_16(at_);
    if (found.special == 0) return long_string();
    const auto length = static_cast<unsigned>(std::countr_zero(found.special));
    const std::uint64_t before = (std::uint64_t{1} << length) - 1;
    if (at_[length] != '"' || (found.beyond_ascii & before) != 0) return long_string();
    text_ = {at_, length};
    at_ += length + 1;
    is_verbatim_ = true;
    return true;
  }
  std::string_view text() const { return text_; }
  /// Whether the string read last stands in the source as it is.
  bool is_verbatim() const { return is_verbatim_; }
  /// Reads an integer of at most 18 digits, as written.
  std::optional<std::string_view> integer();
  /// Reads any value. `levels` of arrays and objects are allowed; memory comes from `storage`.
  std::optional<RelocatableJson> value(std::size_t levels, const boost::json::storage_ptr& storage);
  /// Reads an object. If its member `_meta` is the kept one, a request goes without it, and `kept` shares it then,
  /// while `memory` becomes the bytes that this takes; a result gets a copy.
  std::optional<RelocatableJson> payload(std::size_t levels, const boost::json::storage_ptr& storage, KeptMember& kept,
                                         std::size_t& memory);

  /// The next byte that is no space; NUL at the end.
  char peek() {
    if (at_ != end_ && static_cast<unsigned char>(*at_) > ' ') return *at_;
    skip_space();
    return at_ != end_ ? *at_ : '\0';
  }
  bool at_end() { return peek() == '\0' && at_ == end_; }

 private:
  bool value(Json& into, std::size_t levels);
  bool object(JsonObject& into, std::size_t levels);
  bool payload(JsonObject& into, std::size_t levels, KeptMember& kept, std::size_t& memory);
  bool meta(JsonObject& into, std::size_t levels, KeptMember& kept, std::size_t& memory);
  bool kept_value(std::size_t levels, KeptMember& kept);
  bool array(JsonArray& into, std::size_t levels);
  bool number(Json& into);
  bool exponent();
  bool literal(std::string_view word);
  bool take_behind_space(char expected);
  bool long_string();
  bool unusual_string(const char* stop, bool beyond_ascii);
  void skip_space();
  std::size_t digits();

  const char* at_;
  const char* end_;
  std::string_view text_;
  bool is_verbatim_ = true;
  /// Of all strings, one after the other; made when it is first needed.
  std::unique_ptr<char[], system::GiveBackMemory> unescaped_;
  char* unescaped_end_ = nullptr;
};

}  // namespace toolwire::json
