// Reads what TOML statements are made of: blanks, comments, keys and values. Knows no statements.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "toml_tree.hpp"

namespace toolwire::edit {

/// Goes through a text once, from left to right. All functions throw Malformed where something else was expected.
class TomlReader {
 public:
  explicit TomlReader(std::string_view text);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  /// The next byte; 0 at the end.
  [[nodiscard]] char next() const { return at_end() ? '\0' : text_[at_]; }
  /// Whether a comment, a line end or the end of the text is next.
  [[nodiscard]] bool is_line_over() const;

  void skip_spaces();
  /// A comment, if there is one, and the line end, if there is one.
  void end_line();
  void take(char expected);

  /// One key, or several with dots between them.
  TomlKeys keys();
  TomlMember key_and_value();

 private:
  [[noreturn]] void fail(const std::string& message) const;
  bool starts_with(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void skip_comment();
  bool skip_line_end();
  void skip_lines();

  std::string key();
  TomlValue value();
  TomlValue inline_table();
  Json array();
  Json scalar();
  std::string text_value(char quote);
  std::string one_line_text(char quote);
  std::string text_of_lines(char quote);
  void escape(std::string& out);
  bool skip_escaped_line_end();
  void take_plain(std::string& out);

  std::string_view text_;
  std::size_t at_;
  std::size_t depth_ = 0;
};

}  // namespace toolwire::edit
