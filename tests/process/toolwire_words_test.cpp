// `toolwire WORD …` is `toolwire-WORD …`: the one beside it, else one on PATH.
#define BOOST_TEST_MODULE toolwire_words_test
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "program_run.hpp"
#include "scratch_folder.hpp"

using namespace toolwire_test;
namespace fs = std::filesystem;

namespace {

/// `toolwire` in a folder of its own, with programs beside it and on PATH.
struct Fixture {
  ScratchFolder folder;
  const fs::path program = folder.folder("bin") / "toolwire";

  Fixture() { fs::copy_file(fs::path(TOOLWIRE_BIN_DIR) / "toolwire", program); }

  void script(const std::string& name, const std::string& text) const {
    fs::permissions(folder.file(name, "#!/bin/sh\n" + text), fs::perms::owner_all);
  }

  ProgramRun run(std::vector<std::string> arguments, const std::string& input = "") const {
    arguments.insert(arguments.begin(), program.string());
    toolwire::Program start{.command = arguments};
    start.environment["PATH"] = (folder / "path").string() + ":/usr/bin:/bin";
    return run_program(start, input);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_program_beside_it_is_run_with_all_arguments_streams_and_its_status, Fixture) {
  script("bin/toolwire-echo", "printf '%s|' \"$@\"; cat; echo error >&2; exit 7\n");
  script("path/toolwire-echo", "echo wrong\n");
  const ProgramRun run_of_echo = run({"echo", "--help", "a b", "", "*"}, "input");
  BOOST_TEST(run_of_echo.out == "--help|a b||*|input");
  BOOST_TEST(run_of_echo.errors == "error\n");
  BOOST_TEST(run_of_echo.status == 7);
}

BOOST_FIXTURE_TEST_CASE(another_one_is_found_on_path, Fixture) {
  script("path/toolwire-other", "exit 3\n");
  BOOST_TEST(run({"other"}).status == 3);
  folder.file("path/toolwire-plain", "exit 3\n");  // not executable
  BOOST_TEST(run({"plain"}).status == 2);
}

BOOST_FIXTURE_TEST_CASE(a_symbolic_link_has_the_programs_beside_its_target, Fixture) {
  script("bin/toolwire-echo", "exit 7\n");
  folder.folder("links");
  folder.link(program, "links/toolwire");
  BOOST_TEST(run_program({.command = {(folder / "links/toolwire").string(), "echo"}}).status == 7);
}

BOOST_FIXTURE_TEST_CASE(an_unknown_word_is_an_error_with_the_nearest_one, Fixture) {
  script("bin/toolwire-bridge", "exit 0\n");
  for (const char* const word : {"brigde", "Bridge", "bridges"}) {
    const ProgramRun wrong = run({word});
    BOOST_TEST(wrong.status == 2);
    BOOST_TEST(wrong.errors ==
               "toolwire: there is no word \"" + std::string(word) + "\", did you mean bridge?; see --help\n");
  }
  BOOST_TEST(run({"zzz"}).errors == "toolwire: there is no word \"zzz\"; see --help\n");
  script("bin/toolwire-../x", "exit 0\n");
  for (const char* const word : {"../x", "-x", "--versio", "a/b", "\x1B[2J"}) BOOST_TEST(run({word}).status == 2, word);
  BOOST_TEST(run({"\x1B[2J"}).errors.find('\x1B') == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(help_and_version_are_its_own, Fixture) {
  script("bin/toolwire-bridge", "exit 9\n");
  const ProgramRun help = run({"--help"});
  BOOST_TEST(help.status == 0);
  BOOST_TEST(help.out.find("\n  bridge     Runs toolwire-bridge\n") != std::string::npos, help.out);
  BOOST_TEST(run({"--version"}).out.starts_with("toolwire "));
  const ProgramRun nothing = run({});
  BOOST_TEST(nothing.status == 2);
  BOOST_TEST(nothing.out.empty());
  BOOST_TEST(nothing.errors == help.out);
}

BOOST_FIXTURE_TEST_CASE(output_that_does_not_arrive_is_a_failure, Fixture) {
  const std::vector<std::vector<std::string>> commands{
      {"--help"}, {"--version"}, {"new", "--help"}, {"list", "--all"}, {"doctor"}};
  for (const auto& words : commands) {
    std::vector<std::string> line{"/bin/sh", "-c", R"(exec "$@" > /dev/full)", "sh", program.string()};
    line.insert(line.end(), words.begin(), words.end());
    const ProgramRun full = run_program({.command = line, .environment = {{"HOME", folder.path().string()}}});
    BOOST_TEST(full.status == 1, words.front());
    BOOST_TEST(full.errors.find("toolwire: standard output cannot be written") == 0U, full.errors);
  }
}

BOOST_AUTO_TEST_CASE(programs_that_are_built_here_are_found) {
  const ProgramRun run = run_program({.command = {TOOLWIRE_BIN_DIR "/toolwire", "schema", "--help"}});
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.out.find("toolwire-schema") != std::string::npos, run.out);
}
