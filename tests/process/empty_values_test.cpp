// No command of `toolwire`, `toolwire-schema` and `toolwire-conformance` takes an empty value: a variable of a script
// that is not set would switch off what its option asks for. The options are those that each command's help has.
#define BOOST_TEST_MODULE empty_values_test
#include <boost/test/unit_test.hpp>

#include <regex>
#include <string>
#include <vector>

#include "program_run.hpp"

using toolwire_test::ProgramRun;
using toolwire_test::run_program;

namespace {

using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

ProgramRun run(const Words& words) {
  toolwire::Program program{.command = words};
  program.command.front().insert(0, TOOLWIRE_BIN_DIR "/");
  return run_program(program);
}

/// Those that a value follows, as "  --out DIR [packages]  …" says.
Words options_with_values(const Words& command) {
  const std::string help = run(joined(command, {"--help"})).out;
  static const std::regex form("\n  (?:-[a-zA-Z],)?(--[a-z-]+) [^ \n]");
  Words options;
  for (std::sregex_iterator it(help.begin(), help.end(), form), end; it != end; ++it) options.push_back((*it)[1]);
  return options;
}

void expect_refused(const Words& words, const std::string& option) {
  const ProgramRun ended = run(words);
  BOOST_TEST_CONTEXT(ended.out << ended.errors) {
    BOOST_TEST(ended.status == 2);
    BOOST_TEST((ended.out + ended.errors).find(option + ": expected a value") != std::string::npos);
  }
}

struct Command {
  Words words = {};
  std::size_t options = 0;  ///< At least so many have values.
};

}  // namespace

BOOST_AUTO_TEST_CASE(no_option_of_a_command_takes_an_empty_value) {
  const std::vector<Command> commands = {
      {{"toolwire", "install"}, 3},
      {{"toolwire", "uninstall"}, 2},
      {{"toolwire", "list"}, 0},
      {{"toolwire", "doctor"}, 0},
      {{"toolwire", "new"}, 1},
      {{"toolwire", "dev"}, 0},
      {{"toolwire", "inspect"}, 3},
      {{"toolwire", "pack"}, 15},
      {{"toolwire-schema"}, 2},
      {{"toolwire-conformance"}, 22},
      {{"toolwire-conformance", "client"}, 15},
      {{"toolwire-conformance", "bench"}, 6},
  };
  for (const Command& command : commands) {
    const Words options = options_with_values(command.words);
    BOOST_TEST(options.size() >= command.options, command.words.back() << ": " << options.size());
    for (const std::string& option : options) {
      BOOST_TEST_CONTEXT(command.words.back() << " " << option) {
        expect_refused(joined(command.words, {option, ""}), option);
        expect_refused(joined(command.words, {option + "="}), option);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(no_argument_of_a_command_is_empty) {
  for (const Words& words : {Words{"toolwire", "install", "", "--", "server"},
                             {"toolwire", "uninstall", "codex", ""},
                             {"toolwire", "list", ""},
                             {"toolwire", "new", ""},
                             {"toolwire-schema", ""},
                             {"toolwire-schema", "schema.json", ""},
                             {"toolwire-conformance", "", "--", "server"},
                             {"toolwire-conformance", "bench", "", "--", "server"}})
    BOOST_TEST_CONTEXT(words.front() << " " << words.at(1)) expect_refused(words, "an argument");
}

BOOST_AUTO_TEST_CASE(an_empty_argument_of_the_server_is_the_servers) {
  const ProgramRun judged = run({"toolwire-conformance", "--only", "ping-string-id", "--", "sh", "-c", "exec \"$0\"$1",
                                 TOOLWIRE_BIN_DIR "/hello", ""});
  BOOST_TEST(judged.status == 0, judged.out << judged.errors);
}
