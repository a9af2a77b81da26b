#include "workspace/commands/command_pattern.hpp"

#include <algorithm>
#include <stdexcept>
#include <toolwire/text.hpp>

namespace workspace {
namespace {

using Word = std::vector<std::string>;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

[[noreturn]] void refuse(std::string_view pattern, const std::string& why) {
  throw std::invalid_argument("the pattern of commands \"" + toolwire::text::visible(pattern) + "\" " + why);
}

/// NAME=…
bool is_setting(std::string_view word) {
  const std::size_t sign = word.find('=');
  return sign != 0 && sign != std::string_view::npos &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(sign),
                     [](char c) { return is_letter_or_digit(c) || c == '_'; });
}

bool is_operand(std::string_view word) {
  return word.empty() || (std::string_view("-+@").find(word.front()) == std::string_view::npos && !is_setting(word));
}

bool climbs(std::string_view word) {
  return word == ".." || word.starts_with("../") || word.ends_with("/..") ||
         word.find("/../") != std::string_view::npos;
}

/// Whether the texts stand in the word in this order, the first at its start and the last at its end, with no slash
/// between. The leftmost place for each is the right one, as what is between may be anything else.
bool fits_stars(const Word& texts, std::string_view word) {
  if (texts.front().empty() && !is_operand(word)) return false;
  if (climbs(word) || !word.starts_with(texts.front())) return false;
  word.remove_prefix(texts.front().size());
  if (word.size() < texts.back().size() || !word.ends_with(texts.back())) return false;
  word.remove_suffix(texts.back().size());
  for (std::size_t i = 1; i + 1 < texts.size(); ++i) {
    const std::size_t at = word.find(texts[i]);
    if (at == std::string_view::npos || word.substr(0, at).find('/') != std::string_view::npos) return false;
    word.remove_prefix(at + texts[i].size());
  }
  return word.find('/') == std::string_view::npos;
}

/// One word that is a star alone may be a path.
bool fits_word(const Word& texts, std::string_view word) {
  if (texts.size() == 1) return texts.front() == word;
  const bool is_star_alone = texts.size() == 2 && texts.front().empty() && texts.back().empty();
  return is_star_alone ? is_operand(word) : fits_stars(texts, word);
}

std::string in_quotes(std::string_view word) {
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::string shown_word(const std::string& word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return is_letter_or_digit(c) || std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
  });
  return is_plain ? word : toolwire::text::visible(in_quotes(word));
}

}  // namespace

std::vector<CommandPattern::Word> CommandPattern::words_of(std::string_view text) {
  std::vector<Word> words;
  bool in_word = false;
  char quote = '\0';
  for (const char c : text) {
    if (quote == '\0' && is_blank(c)) {
      in_word = false;
      continue;
    }
    if (!in_word) words.push_back({""});
    in_word = true;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote == '\0' && c == '*') {
      words.back().emplace_back();
    } else {
      words.back().back() += c;
    }
  }
  if (quote != '\0') refuse(text, "has a quote without its end");
  return words;
}

CommandPattern CommandPattern::parse(std::string_view text) {
  CommandPattern pattern;
  pattern.text_ = text;
  pattern.words_ = words_of(text);
  const Word any_words{"", "", ""};
  if (!pattern.words_.empty() && pattern.words_.back() == any_words) {
    pattern.rest_ = true;
    pattern.words_.pop_back();
  }
  pattern.check();
  std::string& program = pattern.words_.front().front();
  if (program.find('/') != std::string::npos && program.front() != '/' && !program.starts_with("./"))
    program.insert(0, "./");
  return pattern;
}

void CommandPattern::check() const {
  if (words_.empty() || words_.front().size() != 1 || words_.front().front().empty())
    refuse(text_, "names no program; expected one, without a star, as the first word, as in 'cargo test *'");
  for (const Word& word : words_) {
    for (std::size_t i = 1; i + 1 < word.size(); ++i) {
      if (word[i].empty()) refuse(text_, "has ** elsewhere than as its last word; expected * there");
    }
  }
  if (const std::string problem = problem_for(program_kind(words_.front().front()), 0); !problem.empty())
    refuse(text_, problem);
}

bool CommandPattern::has_star() const {
  return rest_ || std::any_of(words_.begin(), words_.end(), [](const Word& word) { return word.size() > 1; });
}

/// A word without a star that is no option.
bool CommandPattern::names(std::size_t at) const {
  return words_.size() > at && words_[at].size() == 1 && !words_[at].front().empty() &&
         std::string_view("-+@").find(words_[at].front().front()) == std::string_view::npos;
}

/// Of the program at this word.
std::string CommandPattern::problem_for(ProgramKind kind, std::size_t at) const {
  const std::string& program = words_[at].front();
  if (kind == ProgramKind::plain) return {};
  if (kind == ProgramKind::shell || has_shell(kind, at))
    return "would approve what a shell is given by " + program +
           ", which no pattern does; expected the programs themselves, or a file of the workspace that holds the "
           "lines, as in ./tools/check, and else each is shown to the person";
  if (!has_star()) return {};
  if (kind == ProgramKind::launcher)
    return "would approve whatever text or program " + program +
           " is given; expected one command without a star, or none for it";
  return problem_of_named(kind, at);
}

/// Whether one of the words behind the program at this word is a shell, or has a line for one. What an interpreter is
/// given is for itself.
bool CommandPattern::has_shell(ProgramKind kind, std::size_t at) const {
  if (kind == ProgramKind::interpreter) return false;
  bool is_before_named = kind == ProgramKind::runner, is_value = false;
  for (std::size_t i = at + 1; i < words_.size(); ++i) {
    const std::string& word = words_[i].front();
    const bool is_launched = kind == ProgramKind::launcher && program_kind(word) == ProgramKind::shell;
    if (words_[i].size() == 1 && (is_launched || names_shell(word))) return true;
    if (is_before_named && runs_shell_by(word)) return true;
    is_before_named =
        is_before_named && (is_value || word.starts_with('-') || runs_next_word(words_[at].front(), word));
    is_value = !is_value && has_value(word);
  }
  return false;
}

std::string CommandPattern::problem_of_named(ProgramKind kind, std::size_t at) const {
  const std::string& program = words_[at].front();
  const bool runs_module = kind == ProgramKind::interpreter && runs_modules(program) && words_.size() > at + 2 &&
                           words_[at + 1] == Word{"-m"} && names(at + 2);
  if (runs_module && !runs_text_as_module(words_[at + 2].front())) return {};
  if (names(at + 1) && !runs_text_after(words_[at + 1].front())) {
    const std::size_t named = at + (runs_next_word(program, words_[at + 1].front()) ? 2 : 1);
    if (names(named)) return kind == ProgramKind::runner ? problem_for(program_kind(words_[named].front()), named) : "";
  }
  if (kind == ProgramKind::runner)
    return "would approve whatever program or command " + program +
           " is given; expected it before the first star, as in 'npx eslint **' or 'git log *'";
  return "would approve whatever text " + program +
         " is given; expected its script before the first star, as in 'python3 tools/check.py *', or for Python a "
         "module, as in 'python3 -m pytest **'";
}

bool CommandPattern::fits(const AskedCommand& command) const {
  const std::vector<std::string>& words = command.words;
  if (words.size() < words_.size() || (words.size() > words_.size() && !rest_)) return false;
  if (words_.front().front() != command.program) return false;
  if (!problem_for(program_kind(words.front(), command.file), 0).empty()) return false;
  return std::equal(words_.begin() + 1, words_.end(), words.begin() + 1, fits_word);
}

std::string shown_command(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shown_word(word);
  return text;
}

}  // namespace workspace
