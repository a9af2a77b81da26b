// The rewriting of ECMA-262 patterns: what RE2 spells the same is copied, what it spells differently is translated, and
// what cannot run in linear time is refused with the reason.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "schema/pattern.hpp"
#include "schema/pattern_names.hpp"

namespace toolwire::schema {
namespace {

constexpr std::size_t re2_repeats = 1000;
constexpr std::size_t max_repeats = 10'000;
constexpr std::size_t max_translation = 1 << 16;
constexpr std::string_view all_characters = "\\x{0}-\\x{10ffff}";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

class Translation {
 public:
  explicit Translation(std::string_view ecma) : text_(ecma) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason, bool unsupported = false) const {
    throw PatternError("\"" + std::string(text_) + "\": " + reason, unsupported);
  }

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    const char c = text_[at_];
    if (c == '{') return brace();
    if (c == ')') {
      if (groups_.empty()) fail("a ')' closes no group");
      atom_ = groups_.back();
      groups_.pop_back();
      out_ += text_[at_++];
      return;
    }
    const bool continues = (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;  // a byte within a character
    if (c != '*' && c != '+' && c != '?' && !continues) atom_ = out_.size();
    if (c == '\\') {
      escape(false);
    } else if (c == '[') {
      character_class();
    } else if (c == '(') {
      group();
    } else if (c == '}' || c == ']') {
      out_ += '\\';
      out_ += text_[at_++];
    } else {
      out_ += text_[at_++];
    }
  }

  // Groups need not capture; names matter only to back-references, which are refused.
  void group() {
    ++at_;
    groups_.push_back(out_.size());
    out_ += "(?:";
    if (peek() != '?') return;
    const char kind = peek(1);
    const bool behind = kind == '<' && (peek(2) == '=' || peek(2) == '!');
    if (kind == '=' || kind == '!') fail("look-ahead cannot run in linear time", true);
    if (behind) fail("look-behind cannot run in linear time", true);
    if (kind == ':') {
      at_ += 2;
    } else if (kind == '<') {
      const auto end = text_.find('>', at_);
      if (end == text_.npos || end == at_ + 2) fail("a group's name does not end with '>'");
      at_ = end + 1;
    } else {
      fail("\"(?\" must be followed by ':' or a name in angle brackets");
    }
  }

  // Digits from `at` on, which is moved behind them; nothing where there are none. Huge numbers stay huge.
  std::optional<std::size_t> number(std::size_t& at) const {
    const std::size_t begin = at;
    std::size_t value = 0;
    for (; at < text_.size() && is_digit(text_[at]); ++at) {
      value = std::min<std::size_t>(value * 10 + static_cast<std::size_t>(text_[at] - '0'), 1'000'000);
    }
    return at == begin ? std::nullopt : std::optional(value);
  }

  // A brace that begins no repetition stands for itself, as in patterns written without the `u` flag.
  void brace() {
    std::size_t end = at_ + 1;
    const auto least = number(end);
    auto most = least;
    bool open = false;
    if (end < text_.size() && text_[end] == ',') {
      most = number(++end);
      open = !most;
    }
    if (!least || end >= text_.size() || text_[end] != '}') {
      atom_ = out_.size();
      out_ += "\\{";
      ++at_;
      return;
    }
    if (std::max(*least, most.value_or(0)) > re2_repeats) {
      repeat(*least, open ? std::nullopt : most);
    } else {
      out_ += text_.substr(at_, end + 1 - at_);
    }
    at_ = end + 1;
  }

  // RE2 repeats at most 1000 times at once; more is written as several repetitions one after the other.
  void repeat(std::size_t least, std::optional<std::size_t> most) {
    if (std::max(least, most.value_or(0)) > max_repeats) fail("more than 10000 repetitions", true);
    if (most && *most < least) fail("a repetition whose bounds are in the wrong order");
    const std::string atom = out_.substr(atom_);
    out_.resize(atom_);
    out_ += "(?:";
    for (std::size_t left = least; left > 0; left -= std::min(left, re2_repeats)) {
      out_ += atom + "{" + std::to_string(std::min(left, re2_repeats)) + "}";
    }
    for (std::size_t left = most.value_or(least) - least; left > 0; left -= std::min(left, re2_repeats)) {
      out_ += atom + "{0," + std::to_string(std::min(left, re2_repeats)) + "}";
    }
    out_ += most ? ")" : atom + "*)";
    if (out_.size() > max_translation) fail("repetitions that are too large together", true);
  }

  void character_class() {
    ++at_;
    const bool negated = peek() == '^';
    if (negated) ++at_;
    if (peek() == ']') {
      ++at_;
      out_.append(negated ? "[" : "[^").append(all_characters).append("]");
      return;
    }
    out_ += negated ? "[^" : "[";
    while (peek() != ']') {
      if (at_ >= text_.size()) fail("a character class is not closed");
      if (peek() == '\\') {
        escape(true);
      } else {
        if (peek() == '[') out_ += '\\';
        out_ += text_[at_++];
      }
    }
    out_ += text_[at_++];
  }

  void code_point(std::uint32_t code) {
    static constexpr std::array<char, 16> digits = {'0', '1', '2', '3', '4', '5', '6', '7',
                                                    '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    if (code > 0x10ffff) fail("a code point beyond U+10FFFF");
    out_ += "\\x{";
    bool begun = false;
    for (int shift = 20; shift >= 0; shift -= 4) {
      const std::uint32_t digit = code >> shift & 0xf;
      begun = begun || digit != 0 || shift == 0;
      if (begun) out_ += digits[digit];
    }
    out_ += '}';
  }

  std::optional<std::uint32_t> hexadecimal(std::size_t from, std::size_t count) const {
    if (count == 0 || count > 8 || from + count > text_.size()) return std::nullopt;
    std::uint32_t code = 0;
    for (const char c : text_.substr(from, count)) {
      if (!is_digit(c) && !(is_letter(c) && (c | 0x20) <= 'f')) return std::nullopt;
      code = code * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return code;
  }

  // \uXXXX, a pair of them for a character beyond U+FFFF, \u{X…}.
  void unicode_escape() {
    if (peek() == '{') {
      const auto end = text_.find('}', at_);
      const auto code = end == text_.npos ? std::nullopt : hexadecimal(at_ + 1, end - at_ - 1);
      if (!code) fail("\\u{…} needs hexadecimal digits");
      code_point(*code);
      at_ = end + 1;
      return;
    }
    const auto code = hexadecimal(at_, 4);
    if (!code) fail("\\u needs four hexadecimal digits");
    at_ += 4;
    if (*code < 0xd800 || *code > 0xdfff) return code_point(*code);
    const auto low = peek() == '\\' && peek(1) == 'u' ? hexadecimal(at_ + 2, 4) : std::nullopt;
    if (*code > 0xdbff || !low || *low < 0xdc00 || *low > 0xdfff) fail("half a surrogate pair matches no text");
    at_ += 6;
    code_point(0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00));
  }

  void property(bool negated) {
    const auto end = peek() == '{' ? text_.find('}', at_) : text_.npos;
    if (end == text_.npos) fail("\\p must be followed by a property in braces");
    const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
    const auto known = re2_property(name);
    if (!known) fail("RE2 does not know the Unicode property \"" + std::string(name) + "\"", true);
    out_.append(negated ? "\\P{" : "\\p{").append(*known).append("}");
    at_ = end + 1;
  }

  void control_escape(char c) {
    static constexpr std::string_view letters = "tnvfr";
    static constexpr std::array<std::uint32_t, 5> codes = {0x9, 0xa, 0xb, 0xc, 0xd};
    code_point(codes[letters.find(c)]);
  }

  void control_letter() {
    if (!is_letter(peek())) fail("\\c must be followed by a letter");
    code_point(static_cast<std::uint32_t>(text_[at_++]) & 0x1f);
  }

  void byte_escape() {
    const auto code = hexadecimal(at_, 2);
    if (!code) fail("\\x needs two hexadecimal digits");
    at_ += 2;
    code_point(*code);
  }

  void escape(bool in_class) {
    if (++at_ >= text_.size()) fail("ends with a backslash");
    const char c = text_[at_++];
    if (c >= '1' && c <= '9') fail("back-references cannot run in linear time", true);
    if (c == 'k' && peek() == '<') fail("back-references cannot run in linear time", true);
    if (c == '0') {
      if (is_digit(peek())) fail("octal escapes are not part of ECMA-262's Unicode syntax");
      return code_point(0);
    }
    if (!is_letter(c)) {
      if (static_cast<unsigned char>(c) < 0x80 && c != '_') out_ += '\\';
      out_ += c;
      return;
    }
    letter_escape(c, in_class);
  }

  void letter_escape(char c, bool in_class) {
    constexpr std::string_view classes = "dDwWsS";
    constexpr std::string_view controls = "tnvfr";
    if (classes.find(c) != classes.npos) return void(out_.append("\\").append(1, c));
    if (controls.find(c) != controls.npos) return control_escape(c);
    switch (c) {
      case 'b':
        if (in_class)
          code_point(8);
        else
          out_ += "\\b";
        break;
      case 'B':
        if (in_class) fail("\\B has no meaning in a character class");
        out_ += "\\B";
        break;
      case 'c':
        control_letter();
        break;
      case 'x':
        byte_escape();
        break;
      case 'u':
        unicode_escape();
        break;
      case 'p':
      case 'P':
        property(c == 'P');
        break;
      default:
        fail(std::string("\\") + c + " is not an escape of ECMA-262");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::size_t atom_ = 0;             // where in `out_` begins what a quantifier repeats
  std::vector<std::size_t> groups_;  // where in `out_` the open groups begin
};

}  // namespace

std::string translate_pattern(std::string_view ecma) { return Translation(ecma).run(); }

}  // namespace toolwire::schema
