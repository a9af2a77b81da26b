#include "workspace/names/glob.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <toolwire/error.hpp>
#include <toolwire/text.hpp>

#include "workspace/text/re2_text.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

constexpr std::size_t max_pattern = 1024;

/// As the caller has written it.
struct Written {
  std::string_view argument;  // its name
  std::string_view pattern;
};

[[noreturn]] void refuse(const Written& written, std::string_view reason) {
  const std::string_view pattern = written.pattern;
  throw toolwire::ToolError(
      std::string(written.argument) + ": \"" + valid_utf8_prefix(pattern, 200).text + "\" " + std::string(reason) +
      "; expected a pattern of * (within a name), ** (across directories), ?, [a-z], [!a-z] and "
      "{one,other}, such as *.cpp or src/**/*.{hpp,cpp}; a backslash takes the next character as it is");
}

/// Of "[:alpha:]" and the like at the front, or 0.
std::size_t size_of_class(std::string_view text) {
  if (!text.starts_with("[:")) return 0;
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", 2);
  return text.substr(std::min(end, text.size())).starts_with(":]") ? end + 2 : 0;
}

// Translates into a regular expression: RE2 runs those in linear time, which backtracking over stars does not.
class Translation {
 public:
  Translation(std::string_view argument, std::string_view pattern) : written_{argument, pattern}, rest_(pattern) {}

  std::string text() {
    while (!rest_.empty()) next();
    if (braces_ > 0) refuse(written_, "has a { without }");
    return out_;
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void literal(char c) { out_ += re2::RE2::QuoteMeta(re2_text({&c, 1})); }

  void next() {
    switch (const char c = take()) {
      case '*':
        return star();
      case '?':
        out_ += "[^/]";
        return;
      case '[':
        return set();
      case '{':
        ++braces_;
        out_ += "(?:";
        return;
      case '}':
        if (braces_ == 0) return literal(c);
        --braces_;
        out_ += ')';
        return;
      case ',':
        out_ += braces_ > 0 ? "|" : ",";
        return;
      case '\\':
        if (rest_.empty()) refuse(written_, "ends in a backslash");
        return literal(take());
      default:
        return literal_character(c);
    }
  }

  // Bytes of a character outside ASCII go through as they are: QuoteMeta would escape each one.
  void literal_character(char c) {
    if (static_cast<unsigned char>(c) < 0x80) return literal(c);
    out_ += c;
  }

  void star() {
    if (!rest_.starts_with('*')) {
      out_ += "[^/]*";
      return;
    }
    const std::string_view pattern = written_.pattern;
    const bool begins_part = rest_.size() + 1 == pattern.size() || pattern[pattern.size() - rest_.size() - 2] == '/';
    while (rest_.starts_with('*')) take();
    if (begins_part && rest_.starts_with('/')) {
      take();
      out_ += "(?:.*/)?";
    } else {
      out_ += ".*";
    }
  }

  void set() {
    const std::size_t size = size_of_set({rest_.data() - 1, rest_.size() + 1});
    if (size == std::string_view::npos) refuse(written_, "has a [ without ]");
    std::string_view members = rest_.substr(0, size - 2);
    rest_.remove_prefix(size - 1);
    out_ += '[';
    if (members.starts_with('!') || members.starts_with('^')) {
      out_ += "^/";
      members.remove_prefix(1);
    }
    for (std::size_t i = 0; i < members.size();) {
      if (const std::size_t length = size_of_class(members.substr(i)); length > 0) {
        out_ += members.substr(i, length);
        i += length;
        continue;
      }
      const bool is_taken_as_it_is = members[i] == '\\' && i + 1 < members.size();
      if (is_taken_as_it_is) ++i;
      const char c = members[i];
      const bool is_plain_dash = c == '-' && (is_taken_as_it_is || i == 0 || i + 1 == members.size());
      if (is_plain_dash || c == '[' || c == ']' || c == '\\' || c == '^') out_ += '\\';
      out_ += c;
      ++i;
    }
    out_ += ']';
  }

  Written written_;
  std::string_view rest_;
  std::string out_;
  int braces_ = 0;
};

std::string_view without_leading_dot(std::string_view pattern) {
  while (pattern.starts_with("./")) pattern.remove_prefix(2);
  return pattern;
}

re2::RE2::Options options(Case letters) {
  re2::RE2::Options result;
  result.set_log_errors(false);
  result.set_never_capture(true);
  result.set_dot_nl(true);
  result.set_case_sensitive(letters == Case::matters);
  return result;
}

}  // namespace

std::size_t size_of_set(std::string_view text) {
  std::size_t at = text.substr(1).starts_with('!') || text.substr(1).starts_with('^') ? 2 : 1;
  for (const std::size_t first = at; at < text.size();) {
    if (text[at] == ']' && at > first) return at + 1;
    const std::size_t length = size_of_class(text.substr(at));
    at += length > 0 ? length : text[at] == '\\' ? 2 : 1;
  }
  return std::string_view::npos;
}

Glob::Glob(std::string_view pattern, Case letters, std::string_view argument) {
  const Written written{argument, pattern};
  if (pattern.empty()) refuse(written, "is empty");
  if (pattern.size() > max_pattern) refuse(written, "is longer than 1024 bytes");
  if (pattern.find('\0') != std::string_view::npos) refuse(written, "has a NUL byte");
  std::string_view wanted = without_leading_dot(pattern);
  whole_path_ = wanted.find('/') != std::string_view::npos;
  if (wanted.starts_with('/')) wanted.remove_prefix(1);
  expression_ = std::make_unique<re2::RE2>(Translation{argument, wanted}.text(), options(letters));
  if (!expression_->ok()) refuse(written, "cannot be used (" + expression_->error() + ")");
}

Glob::Glob(Glob&&) noexcept = default;
Glob::~Glob() = default;

bool Glob::matches(std::string_view path) const {
  if (!whole_path_) path.remove_prefix(path.rfind('/') + 1);
  if (!toolwire::text::is_valid(path)) return re2::RE2::FullMatch(valid_utf8(path), *expression_);
  return re2::RE2::FullMatch(re2_text(path), *expression_);
}

}  // namespace workspace
