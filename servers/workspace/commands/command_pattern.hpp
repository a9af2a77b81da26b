// Patterns of commands that need no question (--run-allow). A pattern is compared with the words of a command, one by
// one, never with a line of text: no quoting, operator or blank in an argument can make it mean something else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workspace/commands/interpreters.hpp"

namespace workspace {

/// A command as it is to be run.
struct AskedCommand {
  std::vector<std::string> words;  // the program as it is called, then its arguments; not empty
  std::string called = {};         // the path of the program's file, as it was found
  std::string file = {};           // the same, all links resolved
  /// How patterns name the program: as it is called if that is a name, else its path from the root on ("./tools/x").
  std::string program = {};
  std::string directory = ".";           // relative to the workspace, for people
  std::string folder = {};               // the same, absolute
  bool changes_what_runs_later = false;  // what it changes of that is kept
};

/// Words with blanks between, in which '…' and "…" keep blanks and stars as they are. `*` as a word stands for one word
/// that is no option (-x, +x), no setting (NAME=…) and no list of arguments (@file); inside a word for any characters
/// but a slash; `**`, as the last word, for any further words.
class CommandPattern {
 public:
  /// Throws std::invalid_argument that says what was expected.
  static CommandPattern parse(std::string_view text);

  /// No pattern fits a shell (ProgramKind), nor what is given one by its words. One with a star fits no launcher, an
  /// interpreter only if it names the script or module, and a runner only if it names what is run, for which the same
  /// holds.
  bool fits(const AskedCommand& command) const;

  const std::string& text() const { return text_; }

 private:
  /// The texts between the stars of a word; one: no star.
  using Word = std::vector<std::string>;

  static std::vector<Word> words_of(std::string_view text);
  void check() const;
  bool has_star() const;
  bool names(std::size_t at) const;
  bool has_shell(ProgramKind kind, std::size_t at) const;
  std::string problem_for(ProgramKind kind, std::size_t at) const;
  std::string problem_of_named(ProgramKind kind, std::size_t at) const;

  std::string text_;
  std::vector<Word> words_;
  bool rest_ = false;  // ends in `**`, which is not among the words
};

/// The words as a person reads them: hidden characters made visible, and in quotes what is empty or has anything but
/// letters, digits and the usual marks.
std::string shown_command(const std::vector<std::string>& words);

}  // namespace workspace
