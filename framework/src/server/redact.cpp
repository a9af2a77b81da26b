#include "toolwire/redact.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "json/parse.hpp"
#include "json/skip.hpp"
#include "json/writer.hpp"

namespace toolwire {
namespace {

constexpr std::string_view replacement = "\"(redacted)\"";
using Values = std::vector<std::string>;
constexpr int deepest_text = 8;  // JSON in a string of JSON in a string …

/// What the name of a member says about its value.
enum class Name { plain, secret, token, state, schema };
/// How values inside an object or array are treated.
enum class Inside { plain, schema, secret };

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '_' || c == '-' || c == '.' || c == ' ') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

Name meaning_of(std::string_view member) {
  constexpr std::array schemas{"inputschema", "outputschema", "requestedschema"};
  constexpr std::array secrets{"password",   "passwd",     "passphrase", "secret", "apikey", "authorization",
                               "credential", "privatekey", "accesskey",  "cookie", "bearer"};
  const std::string name = folded(member);
  const auto contains = [&name](std::string_view word) { return name.find(word) != std::string::npos; };
  if (name == "requeststate") return Name::state;
  if (std::ranges::find(schemas, name) != schemas.end()) return Name::schema;
  if (std::ranges::any_of(secrets, contains) || name == "pwd" || name == "pin" || name == "auth") return Name::secret;
  return contains("token") && name != "progresstoken" ? Name::token : Name::plain;
}

/// "Bearer abc…": a scheme and one word, unlike prose that happens to begin so. `content` ends with its quote if it has
/// one.
bool is_authorization(std::string_view content) {
  const std::size_t space = content.find(' ');
  if (space == std::string_view::npos || content.find(' ', space + 1) != std::string_view::npos) return false;
  const std::string scheme = folded(content.substr(0, space));
  return scheme == "bearer" || scheme == "basic";
}

/// The value of a quoted string, or nothing if it is not a JSON string.
std::optional<std::string> content_of(std::string_view quoted) {
  auto parsed = json::parse(quoted, {});
  const Json* const value = std::get_if<Json>(&parsed);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

bool is_json(std::string_view text) {
  return std::holds_alternative<Json>(json::parse(text, {.max_depth = greatest_json_depth}));
}

/// Values that no string and no number holds alone: they would take brackets and quotes with them.
std::string without_across(std::string text, const Values& secrets) {
  std::string clean = without(text, secrets);
  return clean == text || is_json(clean) || !is_json(text) ? clean : std::string(replacement);
}

/// One pass from left to right, without recursion but for JSON in strings.
class Redactor {
 public:
  Redactor(std::string_view text, const Values& secrets, int depth) : text_(text), secrets_(secrets), depth_(depth) {
    out_.reserve(text.size());
  }

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    switch (text_[at_]) {
      case '"':
        return string();
      case '{':
      case '[':
        return open();
      case '}':
      case ']':
        return close();
      case ',':
        return comma();
      case ':':
      case ' ':
      case '\t':
      case '\r':
      case '\n':
        return copy(1);
      default:
        return scalar();
    }
  }

  void copy(std::size_t count) {
    out_.append(text_.substr(at_, count));
    at_ += count;
  }

  void comma() {
    name_ = Name::plain;
    copy(1);
  }

  void open() {
    inside_.push_back(inside_of_next());
    name_ = Name::plain;
    copy(1);
  }

  void close() {
    if (!inside_.empty()) inside_.pop_back();
    name_ = Name::plain;
    copy(1);
  }

  Inside around() const { return inside_.empty() ? Inside::plain : inside_.back(); }

  Inside inside_of_next() const {
    if (around() != Inside::plain) return around();  // a property named "password" in a schema is no secret
    if (name_ == Name::schema) return Inside::schema;
    return name_ == Name::secret || name_ == Name::token ? Inside::secret : Inside::plain;
  }

  void string() {
    const std::size_t end = std::min(json::skip_string(text_, at_), text_.size());
    const std::string_view quoted = text_.substr(at_, end - at_);
    const std::size_t behind = json::skip_space(text_, end);
    if (behind < text_.size() && text_[behind] == ':') {
      name_ = meaning_of(content_of(quoted).value_or(std::string(quoted)));
      without_values(quoted);
    } else {
      value(quoted);
    }
    at_ = end;
  }

  void value(std::string_view quoted) {
    const bool is_secret = around() == Inside::secret || name_ == Name::secret || name_ == Name::token;
    if (is_secret || (name_ != Name::state && is_authorization(quoted.substr(1)))) {
      out_.append(replacement);
    } else if (name_ == Name::state) {
      out_.append("\"(requestState, ").append(std::to_string(quoted.size() - std::min<std::size_t>(2, quoted.size())));
      out_.append(" bytes)\"");
    } else if (quoted.find("\\\"") != std::string_view::npos || quoted.find("\\u0022") != std::string_view::npos) {
      text_with_quotes(quoted);
    } else {
      without_values(quoted);
    }
  }

  /// A quoted string without the values; as it stands if it has none. One that cannot be read, as it was cut, is kept
  /// only if no escape can hide a value.
  void without_values(std::string_view quoted) {
    if (secrets_.empty()) return void(out_.append(quoted));
    const std::optional<std::string> content = content_of(quoted);
    if (!content && quoted.find('\\') != std::string_view::npos) return void(out_.append(replacement));
    if (!content) return void(out_.append(without(std::string(quoted), secrets_)));
    const std::string clean = without(*content, secrets_);
    if (clean == *content) return void(out_.append(quoted));
    json::write_string(out_, clean);
  }

  /// A string that may hold JSON. One that cannot be read, as it was cut, is not kept.
  void text_with_quotes(std::string_view quoted) {
    const std::optional<std::string> content = content_of(quoted);
    if (!content || depth_ == 0) return void(out_.append(replacement));
    const std::string clean = without_across(Redactor(*content, secrets_, depth_ - 1).run(), secrets_);
    if (clean == *content) return void(out_.append(quoted));
    json::write_string(out_, clean);
  }

  void scalar() {
    const std::size_t end = std::min(text_.find_first_of("\",:{}[] \t\r\n", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    const bool is_number = word.front() == '-' || (word.front() >= '0' && word.front() <= '9');
    const bool is_value = is_number || word == "true" || word == "false" || word == "null";
    const bool is_secret = (is_number && (around() == Inside::secret || name_ == Name::secret)) ||
                           (is_value && without(std::string(word), secrets_) != word);
    if (!is_secret) return copy(word.size());
    out_.append(replacement);
    at_ = end;
  }

  std::string_view text_;
  const Values& secrets_;
  int depth_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<Inside> inside_;  // the open objects and arrays, outermost first
  Name name_ = Name::plain;     // of the member whose value comes next
};

}  // namespace

std::string redact(std::string_view text) { return Redactor(text, {}, deepest_text).run(); }

std::string redact(std::string_view text, const std::vector<std::string>& secrets) {
  const auto by_length = [](const std::string& one, const std::string& other) { return one.size() > other.size(); };
  if (!std::ranges::is_sorted(secrets, by_length)) {
    Values sorted = secrets;
    std::ranges::sort(sorted, by_length);
    return redact(text, sorted);
  }
  return without_across(Redactor(text, secrets, deepest_text).run(), secrets);
}

std::string without(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + redacted_text.size()))
      text.replace(at, secret.size(), redacted_text);
  }
  return text;
}

bool names_a_secret(std::string_view member) {
  const Name meaning = meaning_of(member);
  return meaning == Name::secret || meaning == Name::token;
}

}  // namespace toolwire
