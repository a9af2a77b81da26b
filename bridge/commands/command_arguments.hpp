// What a command of the program takes on its command line: the one place that sees the library for it, which is slow to
// compile.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace toolwire::bridge {

/// Options, flags and operands of one command. Names that begin with "--" are options; others are operands. What is
/// named must live until `parse` has returned.
class CommandArguments {
 public:
  /// `command` as in "check"; `summary` is the first line of --help.
  CommandArguments(const std::string& command, const std::string& summary);
  CommandArguments(const CommandArguments&) = delete;
  CommandArguments& operator=(const CommandArguments&) = delete;
  ~CommandArguments();

  void option(const std::string& name, std::string& into, const std::string& help);
  /// May stand more than once.
  void option(const std::string& name, std::vector<std::string>& into, const std::string& help);
  void required(const std::string& name, std::string& into, const std::string& help);
  void required(const std::string& name, std::vector<std::string>& into, const std::string& help);
  /// All from the first operand on, also what looks like an option of this command's.
  void required_rest(const std::string& name, std::vector<std::string>& into, const std::string& help);
  void flag(const std::string& name, bool& into, const std::string& help);

  struct Flag {
    std::string name;
    bool& into;
    std::string help;
  };
  /// Exactly one of them must stand.
  void one_of(const std::string& group, const std::vector<Flag>& flags);

  /// What follows is of the command's second word, as in "import openapi"; it must stand.
  void second_word(const std::string& name, const std::string& summary);
  /// The last line of --help.
  void footer(const std::string& text);

  /// Nothing when the command is to run; else its exit status: 0 after --help, 2 after a mistake, which is printed.
  std::optional<int> parse(int argc, const char* const* argv);
  /// The same up to "--"; what stands behind it goes into `behind`, as it is.
  std::optional<int> parse(int argc, const char* const* argv, std::vector<std::string>& behind);
  /// Says that something `parse` cannot see is missing; returns the exit status.
  int missing(const std::string& what);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace toolwire::bridge
