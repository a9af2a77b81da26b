// The quick way through a JSON text that is as it should be. Says nothing about one that is not: parse.hpp reads that
// with the library's parser, which judges it and tells what was expected. Both build their values with Builder.
#pragma once

#include <boost/json/error.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cstddef>
#include <optional>
#include <string_view>
#include <toolwire/json.hpp>

#include "json/scratch_memory.hpp"
#include "json/special_bytes.hpp"

namespace toolwire::json {

class Builder;

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
  /// Reads a string; `text` is what it stands for, until the next string is read.
  bool string() {
    if (!take('"')) return false;
    bool beyond_ascii = false;
    const char* const stop = skip_to_special(at_, end_, beyond_ascii);
    if (stop == end_ || *stop != '"' || beyond_ascii) return unusual_string(stop, beyond_ascii);
    text_ = {at_, static_cast<std::size_t>(stop - at_)};
    at_ = stop + 1;
    is_verbatim_ = true;
    return true;
  }
  std::string_view text() const { return text_; }
  /// Whether the string read last stands in the source as it is.
  bool is_verbatim() const { return is_verbatim_; }
  /// Reads an integer of at most 18 digits, as written.
  std::optional<std::string_view> integer();
  /// Reads any value. `levels` of arrays and objects are allowed; memory comes from `storage`.
  std::optional<Json> value(std::size_t levels, const boost::json::storage_ptr& storage);

  /// The next byte that is no space; NUL at the end.
  char peek() {
    if (at_ != end_ && static_cast<unsigned char>(*at_) > ' ') return *at_;
    skip_space();
    return at_ != end_ ? *at_ : '\0';
  }
  bool at_end() { return peek() == '\0' && at_ == end_; }

 private:
  bool value(Builder& into, std::size_t levels);
  bool object(Builder& into, std::size_t levels);
  bool array(Builder& into, std::size_t levels);
  bool number(Builder& into);
  bool literal(std::string_view word);
  bool take_behind_space(char expected);
  bool unusual_string(const char* stop, bool beyond_ascii);
  void skip_space();
  std::size_t digits();

  const char* at_;
  const char* end_;
  std::string_view text_;
  bool is_verbatim_ = true;
  boost::json::error_code ignored_;         // what Builder's functions want; that they failed says enough
  std::optional<ScratchMemory> unescaped_;  // as long as the text, made when it is first needed
};

}  // namespace toolwire::json
