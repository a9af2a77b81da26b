#include "manifest/line_of.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace toolwire::bridge {
namespace {

/// A place in a JSON text. Never moves beyond the end, whatever the text holds.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }

  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  /// What stands between the quotes, escapes and all.
  std::string_view take_string() {
    if (!take('"')) return {};
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2U : 1U;
    at_ = std::min(at_, text_.size());
    const std::string_view inside = text_.substr(begin, at_ - begin);
    if (at_ < text_.size()) ++at_;
    return inside;
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  void skip_value() {
    std::size_t depth = 0;
    for (skip_space(); at_ < text_.size();) {
      const char c = text_[at_];
      if (depth == 0 && (c == ',' || c == ']' || c == '}')) return;
      if (c == '"') {
        take_string();
        continue;
      }
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') --depth;
      ++at_;
    }
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string unescaped(std::string_view token) {
  std::string name;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size()) {
      name += token[++i] == '1' ? '/' : '~';
    } else {
      name += token[i];
    }
  }
  return name;
}

/// Moves to the value of the member; returns where the member's name stands. The last of several counts.
std::optional<std::size_t> enter_member(Walk& walk, std::string_view name) {
  std::optional<std::size_t> place;
  Walk value = walk;
  do {
    walk.skip_space();
    const std::size_t begin = walk.at();
    const bool wanted = walk.take_string() == name;
    if (!walk.take(':')) break;
    if (wanted) {
      place = begin;
      value = walk;
    }
    walk.skip_value();
  } while (walk.take(','));
  walk = value;
  return place;
}

std::optional<std::size_t> enter_element(Walk& walk, std::string_view index) {
  if (index.empty() || index.size() > 9 || index.find_first_not_of("0123456789") != std::string_view::npos) return {};
  for (auto left = std::stoul(std::string(index)); left > 0; --left) {
    walk.skip_value();
    if (!walk.take(',')) return {};
  }
  walk.skip_space();
  return walk.at();
}

std::optional<std::size_t> enter(Walk& walk, std::string_view token) {
  if (walk.take('{')) return enter_member(walk, unescaped(token));
  if (walk.take('[')) return enter_element(walk, token);
  return {};
}

}  // namespace

std::size_t line_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
}

std::size_t line_of(std::string_view text, std::string_view pointer) {
  Walk walk(text);
  std::size_t line = 0;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const auto place = enter(walk, pointer.substr(0, end));
    if (!place) return line;
    line = line_at(text, *place);
    pointer.remove_prefix(end);
  }
  return line;
}

}  // namespace toolwire::bridge
