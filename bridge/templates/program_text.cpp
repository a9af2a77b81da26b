#include "templates/program_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace toolwire::bridge {
namespace {

using Command = std::span<const KnownArgument>;

/// How a program that runs code is given it.
struct Interpreter {
  std::string_view names;  ///< Each with a space behind it, and without a version: of "python3.11" as of "python".
  std::string_view letters = {};             ///< The argument of these short options is code,
  std::string_view words = {};               ///< and that of these long ones, each with a space behind it.
  std::string_view other_letters = {};       ///< Of these it is something else.
  bool is_shell = false;                     ///< Code is the first operand, not what follows the option.
  bool mixes_operands = false;               ///< Options may stand behind operands.
  std::size_t code_operand = 0;              ///< The operand that is code where no option has brought any; 0: none.
  bool runs_later_operands = false;          ///< and those behind it,
  std::string_view instead_of_operand = {};  ///< unless there is one of these options.
};

constexpr std::string_view of_su = "--command --session-command ";
constexpr std::string_view of_perl = "CDFIMmVix";
constexpr std::string_view of_ruby = "CEFIKTWirx";
constexpr std::string_view of_ssh = "BbcDEeFIiJLlmOoPpQRSWw";
constexpr std::array interpreters{
    Interpreter{.names = "sh bash ", .letters = "c", .other_letters = "oO", .is_shell = true},
    Interpreter{.names = "dash ash zsh ksh mksh ", .letters = "c", .other_letters = "o", .is_shell = true},
    Interpreter{.names = "csh tcsh ", .letters = "c", .is_shell = true},
    Interpreter{.names = "fish ", .letters = "cC", .words = "--command --init-command "},
    Interpreter{.names = "su ", .letters = "c", .words = of_su, .other_letters = "gGsw", .mixes_operands = true},
    Interpreter{.names = "runuser ", .letters = "c", .words = of_su, .other_letters = "gGsuw", .mixes_operands = true},
    Interpreter{
        .names = "flock ", .letters = "c", .words = "--command ", .other_letters = "wE", .mixes_operands = true},
    Interpreter{
        .names = "script ", .letters = "c", .words = "--command ", .other_letters = "IOBT", .mixes_operands = true},
    Interpreter{.names = "python pypy ", .letters = "c", .other_letters = "QWX"},
    Interpreter{.names = "perl ", .letters = "eE", .other_letters = of_perl},
    Interpreter{.names = "ruby ", .letters = "e", .other_letters = of_ruby},
    Interpreter{.names = "node ", .letters = "ep", .words = "--eval --print ", .other_letters = "rC"},
    Interpreter{.names = "bun ", .letters = "ep", .words = "--eval --print ", .other_letters = "r"},
    Interpreter{.names = "php ",
                .letters = "rBRE",
                .words = "--run --process-begin --process-code --process-end ",
                .other_letters = "cdfFStz"},
    Interpreter{.names = "lua ", .letters = "e", .other_letters = "l"},
    Interpreter{.names = "Rscript ", .letters = "e"},
    Interpreter{.names = "env ", .letters = "S", .words = "--split-string ", .other_letters = "uC"},
    Interpreter{.names = "awk gawk ",
                .letters = "e",
                .words = "--source ",
                .other_letters = "fFvil",
                .code_operand = 1,
                .instead_of_operand = "-f --file -e --source "},
    Interpreter{.names = "mawk ", .other_letters = "fFvW", .code_operand = 1, .instead_of_operand = "-f "},
    Interpreter{.names = "sed ",
                .letters = "e",
                .words = "--expression ",
                .other_letters = "fl",
                .code_operand = 1,
                .instead_of_operand = "-f --file -e --expression "},
    Interpreter{.names = "ssh ", .other_letters = of_ssh, .code_operand = 2, .runs_later_operands = true},
    Interpreter{.names = "watch ", .other_letters = "nqs", .code_operand = 1, .runs_later_operands = true},
    Interpreter{.names = "parallel ", .other_letters = "jaIPS", .code_operand = 1, .runs_later_operands = true},
};

/// Programs that start another one, which stands among their arguments.
constexpr std::array<std::string_view, 24> starters{"busybox", "chroot", "chrt",    "doas",   "env",     "find",
                                                    "flock",   "ionice", "nice",    "nohup",  "nsenter", "prlimit",
                                                    "runuser", "setsid", "stdbuf",  "strace", "sudo",    "systemd-run",
                                                    "taskset", "time",   "timeout", "toybox", "unshare", "xargs"};

std::string_view name_of(std::string_view program) { return program.substr(program.rfind('/') + 1); }

bool holds_word(std::string_view words, std::string_view word) {
  const std::size_t place = word.empty() ? std::string_view::npos : words.find(word);
  return place != std::string_view::npos && words.substr(place + word.size()).starts_with(' ') &&
         (place == 0 || words[place - 1] == ' ');
}

const Interpreter* interpreter_of(std::string_view program) {
  const std::string_view name = name_of(program);
  const std::string_view without_version = name.substr(0, name.find_last_not_of("0123456789.-") + 1);
  const auto found = std::ranges::find_if(interpreters, [&](const Interpreter& one) {
    return holds_word(one.names, name) || holds_word(one.names, without_version);
  });
  return found == interpreters.end() ? nullptr : &*found;
}

/// Reads the arguments of one interpreter from left to right.
class Reading {
 public:
  Reading(const Interpreter& interpreter, Command arguments) : interpreter_(interpreter), left_(arguments) {}

  bool finds_a_value_that_is_run() {
    while (!left_.empty()) {
      const KnownArgument& argument = left_.front();
      left_ = left_.subspan(1);
      const bool is_option = !options_have_ended_ && argument.text.starts_with('-') && argument.text.size() > 1;
      if (is_option ? option_runs_a_value(argument) : operand_runs_a_value(argument)) return true;
      if (is_done_) return false;
    }
    return false;
  }

 private:
  bool option_runs_a_value(const KnownArgument& option) {
    awaits_ = false;
    if (option.text == "--" && !option.has_value) {
      options_have_ended_ = true;
      return false;
    }
    return option.text.starts_with("--") ? word_runs_a_value(option) : letters_run_a_value(option);
  }

  bool word_runs_a_value(const KnownArgument& option) {
    const std::size_t end = option.text.find('=');
    const std::string word = option.text.substr(0, end);
    operand_is_code_ = operand_is_code_ && !holds_word(interpreter_.instead_of_operand, word);
    if (!holds_word(interpreter_.words, word)) {
      awaits_ = end == std::string::npos;  // perhaps
      return false;
    }
    return end == std::string::npos ? next_is_a_value() : option.has_value;
  }

  bool letters_run_a_value(const KnownArgument& option) {
    for (std::size_t i = 1; i < option.text.size(); ++i) {
      const char letter = option.text[i];
      const bool is_last = i + 1 == option.text.size() && !option.has_value;
      operand_is_code_ = operand_is_code_ && !holds_word(interpreter_.instead_of_operand, std::string{'-', letter});
      if (interpreter_.letters.find(letter) != std::string_view::npos) {
        const bool is_cluster = i + 1 < option.text.size() &&  // "-pe" of node
                                interpreter_.letters.find(option.text[i + 1]) != std::string_view::npos;
        if (!interpreter_.is_shell && !is_cluster) return is_last ? next_is_a_value() : option.has_value;
        code_comes_ = interpreter_.is_shell;
      } else if (interpreter_.other_letters.find(letter) != std::string_view::npos) {
        awaits_ = is_last;
        return false;
      }
    }
    return code_comes_ && option.has_value;
  }

  bool next_is_a_value() {
    const bool is_value = !left_.empty() && left_.front().has_value;
    if (!left_.empty()) left_ = left_.subspan(1);
    return is_value;
  }

  bool operand_runs_a_value(const KnownArgument& operand) {
    if (code_comes_ && operand.has_value) return true;
    if (awaits_) {  // what an option has asked for
      awaits_ = false;
      return false;
    }
    ++operands_;
    is_done_ = interpreter_.code_operand == 0 && !interpreter_.mixes_operands;  // what follows belongs to the code
    if (!operand_is_code_ || interpreter_.code_operand == 0 || operands_ < interpreter_.code_operand) return false;
    is_done_ = !interpreter_.runs_later_operands;
    options_have_ended_ = interpreter_.runs_later_operands;
    return operand.has_value;
  }

  const Interpreter& interpreter_;
  Command left_;
  bool options_have_ended_ = false;
  bool awaits_ = false;          // the argument before may have this one
  bool code_comes_ = false;      // of a shell
  bool operand_is_code_ = true;  // if any is
  bool is_done_ = false;
  std::size_t operands_ = 0;
};

}  // namespace

bool runs_a_value(Command command) {
  if (command.empty()) return false;
  const bool starts_another = std::ranges::find(starters, name_of(command.front().text)) != starters.end();
  for (std::size_t i = 0; i < (starts_another ? command.size() : 1); ++i) {
    const Interpreter* interpreter = command[i].has_value ? nullptr : interpreter_of(command[i].text);
    if (interpreter != nullptr && Reading(*interpreter, command.subspan(i + 1)).finds_a_value_that_is_run())
      return true;
  }
  return false;
}

}  // namespace toolwire::bridge
