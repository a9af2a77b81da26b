#include "json/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "json/skip.hpp"
#include "toolwire/text.hpp"

namespace toolwire::json {
namespace {

constexpr std::size_t max_path = 160;
constexpr std::size_t max_name = 60;

struct Level {
  bool is_array;
  std::string_view name;  // as written, without quotes
  std::size_t index = 0;
};

/// Follows a text token by token up to an offset. One use.
class Walk {
 public:
  Walk(std::string_view text, std::size_t offset) : text_(text.substr(0, offset)) {}

  Place run() {
    while (at_ < text_.size() && !in_string_) step(text_[at_]);
    return {path(), in_string_ ? Expected::string_content : expected_, !levels_.empty() && levels_.back().is_array};
  }

 private:
  void step(char c) {
    switch (c) {
      case '{':
        return open(false);
      case '[':
        return open(true);
      case '}':
      case ']':
        return close();
      case ',':
        return next();
      case ':':
        expected_ = Expected::value;
        break;
      case '"':
        return string();
      case ' ':
      case '\t':
      case '\r':
      case '\n':
        break;
      default:
        expected_ = after_value();
    }
    ++at_;
  }

  Expected after_value() const { return levels_.empty() ? Expected::nothing : Expected::comma_or_end; }

  void open(bool is_array) {
    levels_.push_back({is_array, {}});
    expected_ = is_array ? Expected::value_or_end : Expected::name_or_end;
    ++at_;
  }

  void close() {
    if (!levels_.empty()) levels_.pop_back();
    expected_ = after_value();
    ++at_;
  }

  void next() {
    ++at_;
    if (levels_.empty()) return;
    Level& level = levels_.back();
    expected_ = level.is_array ? Expected::value : Expected::name;
    level.name = {};
    ++level.index;
  }

  void string() {
    const std::size_t end = skip_string(text_, at_);
    in_string_ = end == std::string_view::npos;
    if (in_string_) return;
    const bool is_name = expected_ == Expected::name || expected_ == Expected::name_or_end;
    if (is_name) levels_.back().name = text_.substr(at_ + 1, end - at_ - 2);
    expected_ = is_name ? Expected::colon : after_value();
    at_ = end;
  }

  static bool is_plain(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
             c == '$';
    });
  }

  static void add(std::string& path, const Level& level) {
    if (level.is_array) {
      path += fmt::format("[{}]", level.index);
    } else if (level.name.data() == nullptr) {
      return;
    } else if (level.name.size() > max_name) {
      path += fmt::format("[\"{}…\"]", text::visible(text::head(level.name, max_name)));
    } else if (!is_plain(level.name)) {
      path += fmt::format("[\"{}\"]", text::visible(level.name));
    } else {
      path += fmt::format("{}{}", path.empty() ? "" : ".", level.name);
    }
  }

  std::string path() const {
    std::string path;
    for (const Level& level : levels_) add(path, level);
    if (path.size() <= max_path) return path;
    return fmt::format("{}…{}", text::head(path, max_path / 2), text::tail(path, max_path / 2));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Level> levels_;
  Expected expected_ = Expected::value;
  bool in_string_ = false;
};

std::string found(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte < 0x20 || byte == 0x7F) return fmt::format("control character 0x{:02x}", byte);
  const text::Character character = text::first_character(text.substr(offset));
  if (!character.is_valid) return fmt::format("byte 0x{:02x}, which is not UTF-8 here", byte);
  return fmt::format("'{}'", text::visible(text.substr(offset, character.length)));
}

std::string_view expected_text(const Place& place) {
  switch (place.expected) {
    case Expected::value:
      return "a value";
    case Expected::value_or_end:
      return "a value or ']'";
    case Expected::name:
      return "a member name in double quotes";
    case Expected::name_or_end:
      return "a member name in double quotes or '}'";
    case Expected::colon:
      return "':' after the member name";
    case Expected::comma_or_end:
      return place.in_array ? "',' or ']'" : "',' or '}'";
    case Expected::string_content:
      return "a character or an escape of a string, or '\"' to end it";
    case Expected::nothing:
      return "nothing after the value";
  }
  return "a value";
}

}  // namespace

Place place_at(std::string_view text, std::size_t offset) { return Walk(text, offset).run(); }

std::string expectation(std::string_view text, std::size_t offset, const Place& place) {
  return fmt::format("expected {}, found {}", expected_text(place), found(text, offset));
}

std::string location(std::size_t offset, const std::string& path) {
  return path.empty() ? fmt::format("at byte {}: ", offset) : fmt::format("at byte {} ({}): ", offset, path);
}

}  // namespace toolwire::json
