#include "features/uri_template.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <stdexcept>

#include "features/percent.hpp"

namespace toolwire::features {
namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// Characters RFC 6570 §2.1 allows between expressions; bytes beyond ASCII are accepted as they are.
bool may_be_literal(char c) {
  constexpr std::string_view never = " \"'<>\\^`|}";
  return static_cast<unsigned char>(c) > 0x20 && c != 0x7f && never.find(c) == std::string_view::npos;
}

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

}  // namespace

/// Turns the text into one regular expression, from left to right. Lives as long as the constructor.
class UriTemplate::Compiler {
 public:
  Compiler(std::string_view text, UriTemplate& made) : text_(text), made_(made) {}

  std::string regex() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::size_t open = std::min(text_.find('{', at), text_.size());
      literal(text_.substr(at, open - at));
      if (open == text_.size()) break;
      const std::size_t close = text_.find('}', open);
      if (close == std::string_view::npos) refuse("\"{\" without \"}\"");
      rest_ = text_.substr(close + 1);
      expression(text_.substr(open + 1, close - open - 1));
      at = close + 1;
    }
    return std::move(regex_);
  }

 private:
  void literal(std::string_view text) {
    for (char c : text) {
      if (c == '}') refuse("\"}\" without \"{\"");
      if (!may_be_literal(c)) refuse("a character that must be percent-encoded");
    }
    regex_ += RE2::QuoteMeta(re2::StringPiece(text.data(), text.size()));
    if (!text.empty()) last_ = 0;
  }

  void expression(std::string_view inside) {
    if (inside.empty()) refuse("an empty expression \"{}\"");
    constexpr std::string_view operators = "+#./;?&";
    const char kind = operators.find(inside.front()) != std::string_view::npos ? inside.front() : ' ';
    if (kind != ' ') inside.remove_prefix(1);
    const std::vector<std::string> names = names_in(inside);
    switch (kind) {
      case ' ':
        return listed(names, names.size() > 1 ? "[^/?#&,]" : "[^/?#&]", "");
      case '+':
        return listed(names, has_more_below() ? "[^?#]" : ".", "");
      case '#':
        return listed(names, ".", "#");
      case '.':
        return each(names, "\\.", "[^/?#&.]");
      case '/':
        return each(names, "/", "[^/?#&]");
      default:
        return pairs(names, kind);
    }
  }

  /// Behind `{+path}`, a query or fragment is not part of the path where the template speaks of them.
  bool has_more_below() const {
    return rest_.find("{?") != std::string_view::npos || rest_.find("{#") != std::string_view::npos ||
           rest_.find_first_of("?#") != std::string_view::npos;
  }

  std::vector<std::string> names_in(std::string_view inside) {
    std::vector<std::string> names;
    while (true) {
      const std::size_t comma = std::min(inside.find(','), inside.size());
      names.push_back(name(inside.substr(0, comma)));
      if (comma == inside.size()) return names;
      inside.remove_prefix(comma + 1);
    }
  }

  std::string name(std::string_view text) {
    if (text.ends_with('*') || text.find(':') != std::string_view::npos) {
      refuse("\"{" + std::string(text) +
             "}\" has a modifier of level 4; write {+path} for several segments, {?a,b} for single members");
    }
    const bool is_name = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return is_letter_or_digit(c) || c == '_' || c == '.';
    });
    if (!is_name) refuse("\"" + std::string(text) + "\" is not the name of a variable");
    if (std::find(made_.variables_.begin(), made_.variables_.end(), text) != made_.variables_.end())
      refuse("\"" + std::string(text) + "\" occurs twice");
    made_.variables_.emplace_back(text);
    return std::string(text);
  }

  /// `{x,y}`, `{+x,y}`, `{#x,y}`: values with commas between them.
  void listed(const std::vector<std::string>& names, const std::string& character, const std::string& prefix) {
    if (!prefix.empty()) regex_ += "(?:" + prefix;
    for (std::size_t i = 0; i < names.size(); ++i) {
      regex_ += (i > 0 ? ",(" : "(") + character + "+)";
      made_.captures_.push_back({{names[i]}, 0, !prefix.empty()});
    }
    if (!prefix.empty()) regex_ += ")?";
    last_ = 0;
  }

  /// `{/x,y}`, `{.x,y}`: each with its prefix, those at the end may be missing.
  void each(const std::vector<std::string>& names, const std::string& prefix, const std::string& character) {
    for (const std::string& variable : names) {
      regex_ += "(?:" + prefix + "(" + character + "+))?";
      made_.captures_.push_back({{variable}, 0, true});
    }
    last_ = 0;
  }

  /// `{?x,y}`, `{&x,y}`, `{;x,y}`: captured as a whole. One that continues another is read together with it.
  void pairs(const std::vector<std::string>& names, char kind) {
    const char separator = kind == ';' ? ';' : '&';
    if (kind == '&' && last_ == '?') {
      auto& variables = made_.captures_.back().variables;
      variables.insert(variables.end(), names.begin(), names.end());
      return;
    }
    regex_ += kind == '?' ? "(?:\\?([^#]*))?" : kind == '&' ? "((?:&[^&#]*)*)" : "((?:;[^;/?#]*)*)";
    made_.captures_.push_back({names, separator, true});
    last_ = kind;
  }

  const std::string_view text_;
  UriTemplate& made_;
  std::string_view rest_;  // behind the current expression
  std::string regex_;
  char last_ = 0;  // operator of the expression just before, if it catches pairs
};

UriTemplate::UriTemplate(std::string_view text) {
  if (text.empty()) refuse("a template must not be empty");
  RE2::Options options(RE2::Latin1);  // bytes: captures are checked to be UTF-8 afterwards
  options.set_log_errors(false);
  options.set_dot_nl(true);
  auto regex = std::make_shared<const RE2>(Compiler(text, *this).regex(), options);
  if (!regex->ok()) refuse("the template is too large: " + regex->error());
  regex_ = std::move(regex);
}

bool UriTemplate::may_be_absent(std::string_view variable) const {
  return std::any_of(captures_.begin(), captures_.end(), [&](const Capture& capture) {
    return capture.optional &&
           std::find(capture.variables.begin(), capture.variables.end(), variable) != capture.variables.end();
  });
}

namespace {

bool store(JsonObject& values, const std::string& variable, std::string_view encoded) {
  auto value = percent_decoded(encoded);
  return value && values.emplace(variable, *value).second;
}

/// `a=1&b=2`, also `&a=1&b=2`. Returns false for a name that is not among `names`, or occurs twice.
bool store_pairs(JsonObject& values, const std::vector<std::string>& names, char separator, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view name = pair.substr(0, equals);
    if (std::find(names.begin(), names.end(), name) == names.end()) return false;
    if (!store(values, std::string(name), pair.substr(std::min(equals + 1, pair.size())))) return false;
  }
  return true;
}

}  // namespace

std::optional<JsonObject> UriTemplate::match(std::string_view uri) const {
  std::vector<re2::StringPiece> caught(captures_.size());
  std::vector<RE2::Arg> arguments(caught.size());
  std::vector<RE2::Arg*> pointers(caught.size());
  for (std::size_t i = 0; i < caught.size(); ++i) {
    arguments[i] = RE2::Arg(&caught[i]);
    pointers[i] = &arguments[i];
  }
  if (!RE2::FullMatchN(re2::StringPiece(uri.data(), uri.size()), *regex_, pointers.data(),
                       static_cast<int>(pointers.size()))) {
    return std::nullopt;
  }
  JsonObject values;
  for (std::size_t i = 0; i < caught.size(); ++i) {
    if (caught[i].data() == nullptr) continue;
    const std::string_view text(caught[i].data(), caught[i].size());
    const Capture& capture = captures_[i];
    const bool fits = capture.separator != 0 ? store_pairs(values, capture.variables, capture.separator, text)
                                             : store(values, capture.variables.front(), text);
    if (!fits) return std::nullopt;
  }
  return values;
}

}  // namespace toolwire::features
